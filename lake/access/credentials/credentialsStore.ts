import {errorMessage} from '../../../common/errorMessage.ts'
import {type State, StateError} from '../../../content/state/state.ts'
import {HttpError} from '../../errors.ts'
import {type Credentials, type Editor, parseEditor, parseToken, type Token} from './credentials.ts'

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

/** The rows of editors and tokens, in a transaction. */
export type Rows = {
  saveEditor(editor: Editor): void
  saveToken(token: Token): void
  remove(entry: Pick<Editor | Token, 'id'>): void
}

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
   * Changes rows, in one transaction.
   * @param change takes the credentials as they are in it
   * @throws CredentialsError, or what `change` throws; nothing is changed then
   */
  change<T>(change: (current: Credentials, rows: Rows) => T): T {
    // `version` does not count changes of this process.
    this.#latest = undefined
    try {
      return this.#state.transaction(() => change(this.#load(), this.#rows))
    } catch (error) {
      if (!(error instanceof StateError)) throw error
      const problem = `The credentials cannot be changed: ${error.message}. Check that the disk has space and is writable`
      this.#logger.error(problem)
      throw new CredentialsError(problem)
    }
  }

  readonly #rows: Rows = {
    saveEditor: (editor) => this.#save('editor', editor),
    saveToken: (token) => this.#save('token', token),
    remove: ({id}) => {
      for (const table of ['editor', 'token'] as const)
        this.#state.run(`DELETE FROM ${table} WHERE id = ?`, id)
    },
  }

  #save(table: Table, entry: Editor | Token): void {
    const sql = `INSERT INTO ${table} VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`
    this.#state.run(sql, entry.id, JSON.stringify(entry))
  }

  #load(): Credentials {
    const values = (table: Table) =>
      this.#state
        .all(`SELECT value FROM ${table} ORDER BY rowid`)
        .map(({value}): unknown => JSON.parse(String(value)))
    return {editors: values('editor').map(parseEditor), tokens: values('token').map(parseToken)}
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
