import {randomUUID} from 'node:crypto'
import {newSecret} from '../../../common/secret.ts'
import type {Row, State} from '../../../content/state/state.ts'
import type {SignInMethod} from '../../audit/events.ts'
import type {Session} from '../accounts.ts'
import {digest} from '../secrets.ts'

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

export type SessionOptions = {
  /** The browser's name, for the list of sessions. */
  readonly browser?: string
  /** How the editor signed in. */
  readonly method?: SignInMethod
  /** In milliseconds. */
  readonly lifetime?: number
}

/** The sessions of editors. They survive a restart. Only hashes of their secrets are stored. */
export class Sessions {
  readonly #state: State
  /** When the use of a session could not be saved, in milliseconds since the start. */
  #failedAt = Number.NEGATIVE_INFINITY

  constructor(state: State) {
    this.#state = state
  }

  /**
   * Begins a session and returns the secret for the cookie.
   * @throws StateError when the session cannot be saved
   */
  begin({editorId, generation}: Session, options: SessionOptions = {}): string {
    const {browser = UNKNOWN_BROWSER, lifetime = SESSION_LIFETIME, method} = options
    const secret = newSecret()
    const now = Date.now()
    const values = [digest(secret), randomUUID(), editorId, generation ?? null]
    this.#state.transaction(() => {
      this.#state.run(
        'INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
        ...[...values, now, now, now + lifetime, browser, method ?? null],
      )
      this.#state.run(
        'DELETE FROM session WHERE hash IN (SELECT hash FROM session ORDER BY expires_at DESC LIMIT -1 OFFSET ?)',
        MAX_SESSIONS,
      )
    })
    return secret
  }

  /** The open sessions of an editor, the one that was used last first. @throws StateError */
  ofEditor(editorId: string): SessionInfo[] {
    const sql = `SELECT session.* FROM session
      JOIN editor ON editor.id = editor_id AND editor.generation IS session.generation
      WHERE editor_id = ? AND expires_at > ? ORDER BY last_used DESC`
    return this.#state.all(sql, editorId, Date.now()).map(sessionOf)
  }

  /** The session with a secret, unless it has expired. Notes that it was used. @throws StateError */
  find(secret: string): SessionInfo | undefined {
    const [hash, now] = [digest(secret), Date.now()]
    const row = this.#state.get('SELECT * FROM session WHERE hash = ? AND expires_at > ?', hash, now)
    if (row === undefined) return undefined
    const session = sessionOf(row)
    if (Math.abs(now - session.lastUsed) > SAVE_USE_EVERY) this.#saveUse(hash, now)
    return {...session, lastUsed: now}
  }

  /** Whether there is a session with an id. @throws StateError */
  has(id: string): boolean {
    return this.#state.get('SELECT 1 FROM session WHERE id = ?', id) !== undefined
  }

  /**
   * Ends sessions by their ids.
   * @param record is called in the transaction, if one of them was there
   * @throws StateError if the change cannot be saved; the sessions then stay valid
   */
  end(ids: readonly string[], record = () => {}): void {
    this.#state.transaction(() => {
      const sql = 'DELETE FROM session WHERE id = ? RETURNING id'
      const ended = ids.flatMap((id) => this.#state.all(sql, id))
      if (ended.length > 0) record()
    })
  }

  /** A full disk must not end a session: another use tries again. */
  #saveUse(hash: string, now: number): void {
    if (performance.now() - this.#failedAt < SAVE_USE_EVERY) return
    try {
      this.#state.run('UPDATE session SET last_used = ? WHERE hash = ?', now, hash)
    } catch {
      this.#failedAt = performance.now()
    }
  }
}

function sessionOf({generation, method, ...row}: Row): SessionInfo {
  return {
    id: String(row.id),
    editorId: String(row.editor_id),
    ...(generation !== null && {generation: String(generation)}),
    since: Number(row.since),
    lastUsed: Number(row.last_used),
    expiresAt: Number(row.expires_at),
    browser: String(row.browser),
    ...(isMethod(method) && {method}),
  }
}

function isMethod(value: unknown): value is SignInMethod {
  return value === 'password' || value === 'link' || value === 'oidc'
}

/** The name of a browser that did not say what it is. */
const UNKNOWN_BROWSER = 'Unknown browser'

/** Maximum length of the header that is read. */
const MAX_LENGTH = 500

/** In this order: Edge and Opera also call themselves Chrome, and Chrome calls itself Safari. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

/** In this order: Android also calls itself Linux, and iOS calls itself "like Mac OS X". */
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * Names a browser for the list of sessions, such as "Firefox on Linux". The header itself is not kept: it
 * says more than the list needs, and clients choose it.
 * @param userAgent the `User-Agent` header
 */
export function browserName(userAgent = ''): string {
  const text = userAgent.slice(0, MAX_LENGTH)
  const find = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(text))?.[1]
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)]
  if (browser === undefined) return UNKNOWN_BROWSER
  return system === undefined ? browser : `${browser} on ${system}`
}
