import {errorMessage} from '../../../common/errorMessage.ts'
import {newSecret} from '../../../common/secret.ts'
import type {Row, State} from '../../../content/state/state.ts'
import type {SignInMethod} from '../../audit/events.ts'
import {type AccessLogger, CredentialsError, NO_LOGGER} from '../credentials/credentialsStore.ts'
import {digest} from '../credentials/secret.ts'
import {UNKNOWN_BROWSER} from './browserName.ts'

/** Milliseconds for which a session is valid. */
export const SESSION_LIFETIME = 30 * 24 * 60 * 60_000

/**
 * The same for an editor of an identity provider, where signing in again takes one click. It bounds a session
 * that the provider cannot be asked about.
 */
export const PROVIDER_SESSION_LIFETIME = 12 * 60 * 60_000

/**
 * Maximum number of sessions. Starting another one removes the one that expires first, or has been expired the longest.
 * Nothing else removes expired sessions: they are valid again if the clock was ahead.
 */
const MAX_SESSIONS = 1_000

/** Milliseconds until the database has again when a session was last used. */
const SAVE_USE_EVERY = 60_000

export type Session = {
  readonly editorId: string
  /** The editor's generation when this session began. */
  readonly generation?: string | undefined
}

/** A session as its editor and administrators see it. All times are in milliseconds since 1970. */
export type SessionInfo = Session & {
  /** Names the session without revealing its secret. */
  readonly id: string
  readonly since: number
  readonly lastUsed: number
  readonly expiresAt: number
  /** Such as "Firefox on Linux". */
  readonly browser: string
  /** How the editor signed in, if that is known. */
  readonly method?: SignInMethod | undefined
}

/** A session, with the text that only its secret can open. */
export type FoundSession = SessionInfo & {readonly sealed: string | undefined}

export type SessionOptions = {
  /** The browser's name, for the list of sessions. */
  readonly browser?: string
  /** How the editor signed in. */
  readonly method?: SignInMethod
  /** In milliseconds. */
  readonly lifetime?: number
  /** Makes the text to keep with the session, which only its secret can open. */
  readonly seal?: (secret: string) => string
}

/**
 * The sessions of editors. They survive a restart. Only hashes of their secrets are stored. A single process
 * begins and ends them.
 */
export class Sessions {
  readonly #state: State
  readonly #logger: AccessLogger
  /** When the use of a session could not be saved, in milliseconds since the start. */
  #failedAt = Number.NEGATIVE_INFINITY

  constructor(state: State, logger: AccessLogger = NO_LOGGER) {
    this.#state = state
    this.#logger = logger
  }

  /**
   * Begins a session and returns the secret for the cookie.
   * @throws CredentialsError when the session cannot be saved
   */
  async begin({editorId, generation}: Session, options: SessionOptions = {}): Promise<string> {
    const {browser = UNKNOWN_BROWSER, lifetime = SESSION_LIFETIME, method, seal} = options
    const secret = newSecret()
    const since = Date.now()
    const session = {
      hash: digest(secret),
      editorId,
      generation,
      sealed: seal?.(secret),
      since,
      lastUsed: since,
      expiresAt: since + lifetime,
      browser,
      method,
    }
    this.#change(() => {
      insertSession(this.#state, session)
      this.#state.run(
        `DELETE FROM session WHERE hash IN
           (SELECT hash FROM session ORDER BY expires_at DESC LIMIT -1 OFFSET ${MAX_SESSIONS})`,
      )
    })
    return secret
  }

  /** The sessions that have not expired. @throws CredentialsError */
  async all(): Promise<SessionInfo[]> {
    const rows = this.#read(() =>
      this.#state.all('SELECT * FROM session WHERE expires_at > ? ORDER BY rowid', Date.now()),
    )
    return rows.map(sessionOf).map(({sealed: _, ...info}) => info)
  }

  /** The session with a secret, unless it has expired. Notes that it was used. @throws CredentialsError */
  async find(secret: string): Promise<FoundSession | undefined> {
    const [hash, now] = [digest(secret), Date.now()]
    const sql = 'SELECT * FROM session WHERE hash = ? AND expires_at > ?'
    const row = this.#read(() => this.#state.get(sql, hash, now))
    if (row === undefined) return undefined
    const session = sessionOf(row)
    if (Math.abs(now - session.lastUsed) > SAVE_USE_EVERY) this.#saveUse(hash, now)
    return {...session, lastUsed: now}
  }

  /**
   * The editor of the session with a secret, also if the session has expired: the browser still has its cookie.
   * @throws CredentialsError
   */
  async editorOf(secret: string): Promise<string | undefined> {
    const row = this.#read(() =>
      this.#state.get('SELECT editor_id FROM session WHERE hash = ?', digest(secret)),
    )
    return row && String(row.editor_id)
  }

  /**
   * Replaces the sealed text of a session.
   * @throws CredentialsError if the change cannot be saved
   */
  async reseal(id: string, sealed: string): Promise<void> {
    this.#change(() =>
      this.#state.run('UPDATE session SET sealed = ? WHERE hash = ?', sealed, this.#hashOf(id)),
    )
  }

  /**
   * Ends sessions by their ids.
   * @param record is called in the transaction, if one of them was there
   * @throws CredentialsError if the change cannot be saved; the sessions then stay valid
   */
  async end(ids: string | readonly string[], record = () => {}): Promise<void> {
    const hashes = this.#read(() => [ids].flat().flatMap((id) => this.#hashOf(id) ?? []))
    if (hashes.length === 0) return
    this.#change(() => {
      for (const hash of hashes) this.#state.run('DELETE FROM session WHERE hash = ?', hash)
      record()
    })
  }

  #hashOf(id: string): string | null {
    const hashes = this.#state.all('SELECT hash FROM session').map(({hash}) => String(hash))
    return hashes.find((hash) => digest(hash) === id) ?? null
  }

  #read<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw new CredentialsError(`The sessions cannot be read: ${errorMessage(error)}`)
    }
  }

  #change(change: () => void): void {
    try {
      this.#state.transaction(change)
    } catch (error) {
      const problem = `The sessions cannot be changed: ${errorMessage(error)}`
      this.#logger.error(problem)
      throw new CredentialsError(problem)
    }
  }

  /** A full disk must not end a session: the log has the error, and another use tries again. */
  #saveUse(hash: string, now: number): void {
    if (performance.now() - this.#failedAt < SAVE_USE_EVERY) return
    try {
      this.#change(() => this.#state.run('UPDATE session SET last_used = ? WHERE hash = ?', now, hash))
    } catch {
      this.#failedAt = performance.now()
    }
  }
}

/** A session as the database has it, with the digest of its secret. */
type StoredSession = Omit<FoundSession, 'id'> & {readonly hash: string}

/** Writes a session within a transaction. */
export function insertSession(state: State, session: StoredSession): void {
  const {hash, editorId, generation, sealed, since, lastUsed, expiresAt, browser, method} = session
  state.run(
    `INSERT INTO session (hash, editor_id, generation, sealed, since, last_used, expires_at, browser, method)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[
      hash,
      editorId,
      generation ?? null,
      sealed ?? null,
      since,
      lastUsed,
      expiresAt,
      browser,
      method ?? null,
    ],
  )
}

/** The id is not the stored hash itself, so that a list of sessions reveals nothing of the database. */
function sessionOf({hash, generation, sealed, method, ...row}: Row): FoundSession {
  return {
    id: digest(String(hash)),
    editorId: String(row.editor_id),
    ...(generation !== null && {generation: String(generation)}),
    since: Number(row.since),
    lastUsed: Number(row.last_used),
    expiresAt: Number(row.expires_at),
    browser: String(row.browser),
    ...(isMethod(method) && {method}),
    sealed: sealed === null ? undefined : String(sealed),
  }
}

function isMethod(value: unknown): value is SignInMethod {
  return value === 'password' || value === 'link' || value === 'oidc'
}
