import {isJsonObject} from '../../../common/json.ts'
import {Mutex} from '../../../common/mutex.ts'
import {type AccessLogger, CredentialsError, NO_LOGGER} from '../credentials/credentialsFile.ts'
import {PrivateFile} from '../credentials/privateFile.ts'
import {digest, newSecret} from '../credentials/secret.ts'

/** Milliseconds for which a session is valid. */
export const SESSION_LIFETIME = 30 * 24 * 60 * 60_000

/** Maximum number of sessions. Starting another one ends the oldest. */
const MAX_SESSIONS = 1_000

/** Where the sessions of a file of editors are: in the same directory. */
export function sessionsFileOf(editorsFile: string): string {
  return editorsFile.replace(/(\.json)?$/, '.sessions.json')
}

export type Session = {
  readonly editorId: string
  /** The editor's generation when this session began. */
  readonly generation?: string | undefined
}

type Stored = Session & {readonly hash: string; readonly expiresAt: number}

/**
 * The sessions of editors. They survive a restart. Only hashes of their secrets are stored. A single process
 * uses the file.
 */
export class Sessions {
  readonly #file: PrivateFile
  readonly #logger: AccessLogger
  readonly #mutex = new Mutex()
  #sessions: Promise<readonly Stored[]> | undefined

  constructor(path: string, logger: AccessLogger = NO_LOGGER) {
    this.#file = new PrivateFile(path)
    this.#logger = logger
  }

  /**
   * Begins a session and returns the secret for the cookie.
   * @throws CredentialsError when the session cannot be saved
   */
  async begin({editorId, generation}: Session): Promise<string> {
    const secret = newSecret()
    const session = {
      hash: digest(secret),
      editorId,
      ...(generation !== undefined && {generation}),
      expiresAt: Date.now() + SESSION_LIFETIME,
    }
    await this.#change((sessions) =>
      [...sessions.filter(({expiresAt}) => expiresAt > Date.now()), session].slice(-MAX_SESSIONS),
    )
    return secret
  }

  /** The sessions that have not expired. */
  async all(): Promise<Session[]> {
    return (await this.#load()).filter(({expiresAt}) => expiresAt > Date.now())
  }

  /** The session with a secret, unless it has expired. */
  async find(secret: string): Promise<Session | undefined> {
    const hash = digest(secret)
    const session = (await this.#load()).find((one) => one.hash === hash)
    return session !== undefined && session.expiresAt > Date.now() ? session : undefined
  }

  /**
   * Ends a session.
   * @throws CredentialsError if the change cannot be saved; the session then stays valid
   */
  async end(secret: string): Promise<void> {
    if ((await this.find(secret)) === undefined) return
    const hash = digest(secret)
    await this.#change((sessions) => sessions.filter((one) => one.hash !== hash))
  }

  #load(): Promise<readonly Stored[]> {
    this.#sessions ??= this.#file
      .read()
      // A damaged file only means that all editors have to sign in again.
      .catch(() => undefined)
      .then((value) => (Array.isArray(value) ? value.filter(isStored) : []))
    return this.#sessions
  }

  #change(change: (sessions: readonly Stored[]) => readonly Stored[]): Promise<void> {
    return this.#mutex.run(async () => {
      const sessions = change(await this.#load())
      try {
        await this.#file.write(sessions)
      } catch (error) {
        const reason = error instanceof Error ? error.message : error
        const problem = `The sessions file ${this.#file.path} cannot be written: ${reason}`
        this.#logger.error(problem)
        throw new CredentialsError(problem)
      }
      this.#sessions = Promise.resolve(sessions)
    })
  }
}

function isStored(value: unknown): value is Stored {
  if (!isJsonObject(value)) return false
  const {hash, editorId, generation, expiresAt} = value
  return (
    [hash, editorId].every((text) => typeof text === 'string') &&
    (generation === undefined || typeof generation === 'string') &&
    typeof expiresAt === 'number'
  )
}
