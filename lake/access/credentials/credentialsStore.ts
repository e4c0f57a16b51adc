import {errorMessage} from '../../../common/errorMessage.ts'
import {type State, StateError} from '../../../content/state/state.ts'
import {HttpError} from '../../errors.ts'
import {type Credentials, parseEditor, parseToken} from './credentials.ts'

/**
 * Credentials cannot be read or saved. The message is for the operator; clients get a 503 that says less.
 */
export class CredentialsError extends HttpError {
  constructor(message: string) {
    const told = 'The lake cannot read or save its credentials at the moment. The log says why.'
    super(503, message, {
      statusCode: 503,
      error: 'Service Unavailable',
      errorCode: 'CREDENTIALS_UNAVAILABLE',
      message: told,
    })
  }
}

/** The log for the operator. */
export type AccessLogger = {error(message: string): void; info(message: string): void}

/** For commands, which print errors themselves. */
export const NO_LOGGER: AccessLogger = {error: () => {}, info: () => {}}

/**
 * Editors and tokens in the database. Several processes may change them: each change is a transaction, and applies to
 * the credentials that the database has at that time.
 */
export class CredentialsStore {
  readonly #state: State
  readonly #logger: AccessLogger
  #latest: {readonly credentials: Credentials; readonly version: unknown} | undefined
  #problem: string | undefined

  constructor(state: State, logger: AccessLogger) {
    this.#state = state
    this.#logger = logger
  }

  /**
   * The current credentials.
   * @throws CredentialsError
   */
  read(): Credentials {
    try {
      const version = this.#state.version
      const credentials = this.#latest?.version === version ? this.#latest?.credentials : undefined
      this.#latest = {credentials: credentials ?? this.#load(), version}
      this.#report(undefined)
      return this.#latest.credentials
    } catch (error) {
      const problem = `The credentials cannot be read: ${errorMessage(error)}`
      this.#report(problem)
      throw new CredentialsError(problem)
    }
  }

  /**
   * Changes the credentials. Writes nothing when `change` returns the credentials that it was given.
   * @param change takes the current credentials and returns the new ones, with a result
   * @throws CredentialsError, or what `change` throws; nothing is changed then
   */
  change<T>(change: (current: Credentials) => readonly [Credentials, T]): T {
    try {
      const {latest, result} = this.#state.transaction(() => {
        const current = this.#load()
        const [next, result] = change(current)
        this.#write('editor', current.editors, next.editors)
        this.#write('token', current.tokens, next.tokens)
        // Read here: another process may change them right after this transaction.
        return {latest: {credentials: next, version: this.#state.version}, result}
      })
      this.#latest = latest
      return result
    } catch (error) {
      if (!(error instanceof StateError)) throw error
      const problem = `The credentials cannot be changed: ${error.message}. Check that the disk has space and is writable`
      this.#logger.error(problem)
      throw new CredentialsError(problem)
    }
  }

  #load(): Credentials {
    const values = (table: Table) =>
      this.#state
        .all(`SELECT value FROM ${table} ORDER BY rowid`)
        .map(({value}): unknown => JSON.parse(String(value)))
    return {editors: values('editor').map(parseEditor), tokens: values('token').map(parseToken)}
  }

  /** Writes the entries that are not the same objects as before. */
  #write(table: Table, before: readonly Entry[], after: readonly Entry[]): void {
    const ids = new Set(after.map(({id}) => id))
    for (const {id} of before) if (!ids.has(id)) this.#state.run(`DELETE FROM ${table} WHERE id = ?`, id)
    const same = new Set(before)
    for (const entry of after) {
      if (same.has(entry)) continue
      const sql = `INSERT INTO ${table} VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`
      this.#state.run(sql, entry.id, JSON.stringify(entry))
    }
  }

  /** Logs a problem once, however many requests find it. */
  #report(problem: string | undefined): void {
    if (problem === this.#problem) return
    this.#problem = problem
    if (problem === undefined) this.#logger.info('The credentials can be read again')
    else this.#logger.error(problem)
  }
}

type Table = 'editor' | 'token'
type Entry = {readonly id: string}
