import {randomUUID} from 'node:crypto'
import {newSecret} from '../../common/secret.ts'
import type {Row, State} from '../../content/state/state.ts'
import {HttpError} from '../errors.ts'
import {type Editor, type Principal, programNamed} from './principal.ts'
import {parseRights, type Rights} from './rights/rights.ts'
import {digest} from './secrets.ts'

/** A program that may use the lake. */
export type Token = {readonly id: string; readonly name: string; readonly rights: Rights}

/**
 * Decides about a change of an editor or a token in its transaction, and records it there. Throws to refuse it.
 * @param about as before the change, or as it is added
 */
export type Check = (about: Token & Partial<Editor>) => void

export const ALLOW: Check = () => {}

/** The programs that may use the lake, by the hashes of their tokens. */
export class Tokens {
  readonly #state: State

  constructor(state: State) {
    this.#state = state
  }

  all(): Token[] {
    return this.#state.all('SELECT * FROM token ORDER BY rowid').map(tokenIn)
  }

  /** The program with a token. */
  byToken(token: string): Principal | undefined {
    const row = this.#state.get('SELECT * FROM token WHERE hash = ?', digest(token))
    if (row === undefined) return undefined
    const {id, name, rights} = tokenIn(row)
    return programNamed(id, name, rights)
  }

  /** Adds a program and returns its token, which cannot be shown again. */
  async add(name: string, rights: Rights, id = randomUUID(), check = ALLOW): Promise<string> {
    const token = newSecret()
    this.#state.transaction(() => {
      check({id, name, rights})
      const sql = 'INSERT INTO token (id, name, rights, hash) VALUES (?, ?, ?, ?)'
      this.#state.run(sql, id, name, JSON.stringify(rights), digest(token))
    })
    return token
  }

  /**
   * Revokes tokens by name, or one by its id. Requests with them end at once.
   * @throws HttpError with one line when there is none
   */
  async remove(nameOrId: string, check = ALLOW): Promise<void> {
    this.#state.transaction(() => {
      const sql = 'SELECT * FROM token WHERE name = ? OR id = ? ORDER BY rowid'
      const named = this.#state.all(sql, nameOrId, nameOrId).map(tokenIn)
      if (named.length === 0) throw new HttpError(404, `token "${nameOrId}" not found`)
      for (const token of named) {
        check(token)
        this.#state.run('DELETE FROM token WHERE id = ?', token.id)
      }
    })
  }
}

export function rightsIn({rights}: Row): Rights {
  return parseRights(JSON.parse(String(rights)))
}

export function tokenIn(row: Row): Token {
  return {id: String(row.id), name: String(row.name), rights: rightsIn(row)}
}

/** Names a token in a document that others read, by the digest of it. */
export function credentialOf(hash: string): string {
  return digest(hash).slice(0, 16)
}
