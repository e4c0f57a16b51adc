import {isJsonObject} from '../documents/document.ts'
import {PrivateFile} from './private-file.ts'
import {digest, newSecret} from './secret.ts'

/** Milliseconds that a session lasts. */
export const sessionLifetime = 30 * 24 * 60 * 60_000

/** Sessions kept at once; the oldest ends when there are more. */
const maxSessions = 1_000

type Session = {hash: string; editorId: string; expiresAt: number}

/** Who is signed in. Sessions outlast a restart; of each only a hash is kept. */
export class Sessions {
  readonly #file: PrivateFile
  #sessions: Session[] | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(path: string) {
    this.#file = new PrivateFile(path)
  }

  /** Signs an editor in and answers the secret for the cookie. */
  async begin(editorId: string): Promise<string> {
    const secret = newSecret()
    const sessions = await this.#load()
    sessions.push({hash: digest(secret), editorId, expiresAt: Date.now() + sessionLifetime})
    await this.#save(sessions.filter(({expiresAt}) => expiresAt > Date.now()).slice(-maxSessions))
    return secret
  }

  /** The id of the editor who is signed in with a secret. */
  async editorOf(secret: string): Promise<string | undefined> {
    const hash = digest(secret)
    const session = (await this.#load()).find((one) => one.hash === hash)
    return session !== undefined && session.expiresAt > Date.now() ? session.editorId : undefined
  }

  /** Signs out. */
  async end(secret: string): Promise<void> {
    const hash = digest(secret)
    await this.#save((await this.#load()).filter((one) => one.hash !== hash))
  }

  async #load(): Promise<Session[]> {
    if (this.#sessions === undefined) {
      // A damaged file costs a login, no more.
      const value = await this.#file.read().catch(() => undefined)
      this.#sessions ??= Array.isArray(value) ? value.filter(isSession) : []
    }
    return this.#sessions
  }

  async #save(sessions: Session[]): Promise<void> {
    this.#sessions = sessions
    this.#writing = this.#writing.catch(() => {}).then(() => this.#file.write(sessions))
    await this.#writing
  }
}

function isSession(value: unknown): value is Session {
  if (!isJsonObject(value)) return false
  const {hash, editorId, expiresAt} = value
  return typeof hash === 'string' && typeof editorId === 'string' && typeof expiresAt === 'number'
}
