import {isJsonObject} from '../../../common/json.ts'
import {Mutex} from '../../../common/mutex.ts'
import type {SignInMethod} from '../../audit/events.ts'
import {type AccessLogger, CredentialsError, NO_LOGGER} from '../credentials/credentialsFile.ts'
import {PrivateFile} from '../credentials/privateFile.ts'
import {digest, newSecret} from '../credentials/secret.ts'
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

/** How far a session may have begun in the future without a doubt about the clock, in milliseconds. */
const MAX_AHEAD = 5 * 60_000

/**
 * Milliseconds after which a session that began in the future is taken for one that began while the clock was ahead.
 * Until then, the clock may be behind.
 */
const DOUBT = 60 * 60_000

/** Milliseconds until the file says again when a session was last used. */
const SAVE_USE_EVERY = 10 * 60_000

/** Where the sessions of a file of editors are: in the same directory. */
export function sessionsFileOf(editorsFile: string): string {
  return editorsFile.replace(/(\.json)?$/, '.sessions.json')
}

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

/** A session in the file, with the digest of its secret. */
type Stored = Omit<SessionInfo, 'id'> & {readonly hash: string; readonly sealed?: string}

/**
 * The sessions of editors. They survive a restart. Only hashes of their secrets are stored. A single process
 * uses the file.
 */
export class Sessions {
  readonly #file: PrivateFile
  readonly #logger: AccessLogger
  readonly #mutex = new Mutex()
  #sessions: Promise<readonly Stored[]> | undefined
  /** When sessions were used last, by hash. Saved with the next change, or after {@link SAVE_USE_EVERY}. */
  readonly #used = new Map<string, number>()
  #isSavingUse = false
  readonly #uptime: () => number
  /** Since when sessions are known that began in the future, by the uptime. */
  #aheadSince: number | undefined

  /** @param uptime milliseconds that no change of the system clock affects */
  constructor(path: string, logger: AccessLogger = NO_LOGGER, uptime = () => performance.now()) {
    this.#file = new PrivateFile(path)
    this.#logger = logger
    this.#uptime = uptime
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
      ...(generation !== undefined && {generation}),
      ...(seal !== undefined && {sealed: seal(secret)}),
      expiresAt: since + lifetime,
      since,
      lastUsed: since,
      browser,
      ...(method !== undefined && {method}),
    }
    await this.#change((sessions) => withinLimit([...sessions, session]))
    return secret
  }

  /** The sessions that have not expired. */
  async all(): Promise<SessionInfo[]> {
    return (await this.#load()).filter(isValid).map((session) => infoOf(this.#withUse(session)))
  }

  /** The session with a secret, unless it has expired. Notes that it was used. */
  async find(secret: string): Promise<FoundSession | undefined> {
    const hash = digest(secret)
    const sessions = await this.#load()
    const session = sessions.find((one) => one.hash === hash)
    if (session === undefined || !isValid(session)) return undefined
    this.#used.set(hash, Date.now())
    if (this.#mustSettle(sessions) || Math.abs(Date.now() - session.lastUsed) > SAVE_USE_EVERY)
      this.#saveUse()
    return {...infoOf(this.#withUse(session)), sealed: session.sealed}
  }

  /** The editor of the session with a secret, also if the session has expired: the browser still has its cookie. */
  async editorOf(secret: string): Promise<string | undefined> {
    const hash = digest(secret)
    return (await this.#load()).find((one) => one.hash === hash)?.editorId
  }

  /**
   * Replaces the sealed text of a session.
   * @throws CredentialsError if the change cannot be saved
   */
  reseal(id: string, sealed: string): Promise<void> {
    return this.#change((sessions) => sessions.map((one) => (infoOf(one).id === id ? {...one, sealed} : one)))
  }

  /**
   * Ends a session by its id.
   * @throws CredentialsError if the change cannot be saved; the session then stays valid
   */
  async end(id: string): Promise<void> {
    if (!(await this.all()).some((one) => one.id === id)) return
    await this.#change((sessions) => sessions.filter((one) => infoOf(one).id !== id))
  }

  #load(): Promise<readonly Stored[]> {
    this.#sessions ??= this.#file
      .read()
      // A damaged file only means that all editors have to sign in again.
      .catch(() => undefined)
      .then((value) =>
        Array.isArray(value) ? value.map(parseStored).filter((one) => one !== undefined) : [],
      )
    return this.#sessions
  }

  #change(change: (sessions: readonly Stored[]) => readonly Stored[]): Promise<void> {
    return this.#mutex.run(async () => {
      const loaded = await this.#load()
      const settled = this.#mustSettle(loaded) ? loaded.map(settle) : loaded
      const sessions = change(settled).map((session) => this.#withUse(session))
      try {
        await this.#file.write(sessions)
      } catch (error) {
        const reason = error instanceof Error ? error.message : error
        const problem = `The sessions file ${this.#file.path} cannot be written: ${reason}`
        this.#logger.error(problem)
        throw new CredentialsError(problem)
      }
      this.#sessions = Promise.resolve(sessions)
      const hashes = new Set(sessions.map(({hash}) => hash))
      for (const hash of this.#used.keys()) if (!hashes.has(hash)) this.#used.delete(hash)
    })
  }

  /**
   * Whether sessions have begun in the future for so long that the clock must have been ahead then. They would live for
   * as much longer.
   */
  #mustSettle(sessions: readonly Stored[]): boolean {
    if (!sessions.some(isAhead)) this.#aheadSince = undefined
    else this.#aheadSince ??= this.#uptime()
    return this.#aheadSince !== undefined && this.#uptime() - this.#aheadSince > DOUBT
  }

  #withUse(session: Stored): Stored {
    return {...session, lastUsed: this.#used.get(session.hash) ?? session.lastUsed}
  }

  /** Saves in the background: a full disk must not end a session. The log has the error. */
  #saveUse(): void {
    if (this.#isSavingUse) return
    this.#isSavingUse = true
    this.#change((sessions) => sessions)
      .catch(() => undefined)
      .finally(() => {
        this.#isSavingUse = false
      })
  }
}

function isValid({expiresAt}: Stored): boolean {
  return expiresAt > Date.now()
}

function isAhead({since}: Stored): boolean {
  return since > Date.now() + MAX_AHEAD
}

/** Lets a session that began in the future begin now, with the lifetime that it was given. */
function settle(session: Stored): Stored {
  if (!isAhead(session)) return session
  const now = Date.now()
  return {...session, since: now, lastUsed: now, expiresAt: now + session.expiresAt - session.since}
}

function withinLimit(sessions: readonly Stored[]): readonly Stored[] {
  if (sessions.length <= MAX_SESSIONS) return sessions
  const first = sessions.reduce((one, other) => (other.expiresAt < one.expiresAt ? other : one))
  return sessions.filter((session) => session !== first)
}

/** The id is not the stored hash itself, so that a list of sessions reveals nothing of the file. */
function infoOf({hash, sealed: _, ...session}: Stored): SessionInfo {
  return {id: digest(hash), ...session}
}

/** Returns undefined for a damaged entry. Sessions of version 0.1 have neither dates nor a browser. */
function parseStored(value: unknown): Stored | undefined {
  if (!isJsonObject(value)) return undefined
  const {hash, editorId, generation, sealed, expiresAt, since, lastUsed, browser, method} = value
  if (typeof hash !== 'string' || typeof editorId !== 'string' || typeof expiresAt !== 'number')
    return undefined
  if (generation !== undefined && typeof generation !== 'string') return undefined
  if (sealed !== undefined && typeof sealed !== 'string') return undefined
  const began = typeof since === 'number' ? since : expiresAt - SESSION_LIFETIME
  return {
    hash,
    editorId,
    ...(generation !== undefined && {generation}),
    ...(sealed !== undefined && {sealed}),
    expiresAt,
    since: began,
    lastUsed: typeof lastUsed === 'number' ? lastUsed : began,
    browser: typeof browser === 'string' ? browser : UNKNOWN_BROWSER,
    ...(method === 'link' && {method}),
  }
}
