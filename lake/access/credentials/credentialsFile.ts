import {mkdir} from 'node:fs/promises'
import {dirname} from 'node:path'
import {errorCode} from '../../../common/errorCode.ts'
import {errorMessage} from '../../../common/errorMessage.ts'
import {fileSignature} from '../../../common/fileSignature.ts'
import {Mutex} from '../../../common/mutex.ts'
import {HttpError} from '../../errors.ts'
import {type Credentials, parseCredentials} from './credentials.ts'
import {LockTimeout, withFileLock} from './fileLock.ts'
import {PrivateFile} from './privateFile.ts'

/** Milliseconds before the file is checked again for changes by another process. */
const CHECK_EVERY = 1_000

/**
 * Credentials cannot be read or saved. The message is for the operator and names the file; clients get a 503
 * that does not.
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

type Read = {readonly credentials: Credentials; readonly signature: string}

/**
 * The file of editors and tokens. Several processes may change it: each change holds a lock that all of them
 * share, and applies to the content that the file has at that time.
 */
export class CredentialsFile {
  readonly #file: PrivateFile
  readonly #logger: AccessLogger
  readonly #mutex = new Mutex()
  #problem: string | undefined
  #latest: Read | undefined
  /** Numbers the reads and writes, so that a slow read does not replace the result of a later one. */
  #started = 0
  #latestStarted = 0
  #checkedAt = Number.NEGATIVE_INFINITY
  #checking: Promise<Credentials> | undefined

  constructor(path: string, logger: AccessLogger) {
    this.#file = new PrivateFile(path)
    this.#logger = logger
  }

  /**
   * The credentials, at most a second old.
   * @throws CredentialsError
   */
  read(): Promise<Credentials> {
    const isRecent = performance.now() - this.#checkedAt < CHECK_EVERY
    return this.#checking !== undefined && isRecent ? this.#checking : this.readNow()
  }

  /**
   * The credentials as they are in the file now.
   * @throws CredentialsError
   */
  readNow(): Promise<Credentials> {
    this.#checkedAt = performance.now()
    this.#checking = this.#load(this.#latest)
    return this.#checking
  }

  /**
   * Changes the credentials. Writes nothing when `change` returns the credentials that it was given.
   * @param change takes the current credentials and returns the new ones, with a result
   * @throws CredentialsError, or what `change` throws; the file is unchanged then
   */
  change<T>(change: (current: Credentials) => readonly [Credentials, T]): Promise<T> {
    return this.#mutex.run(async () => {
      try {
        await mkdir(dirname(this.#file.path), {recursive: true})
        return await withFileLock(`${this.#file.path}.lock`, async () => {
          const current = await this.#load()
          const [next, result] = change(current)
          if (next !== current) await this.#save(next)
          return result
        })
      } catch (error) {
        if (errorCode(error) === undefined && !(error instanceof LockTimeout)) throw error
        const problem =
          `The credentials file ${this.#file.path} cannot be changed: ${errorMessage(error)}. Check that its folder is ` +
          'writable and the disk has space, then try again.'
        this.#logger.error(problem)
        throw new CredentialsError(problem)
      }
    })
  }

  /** Reads the file, unless it is still the one that was read before. */
  async #load(before?: Read): Promise<Credentials> {
    this.#started += 1
    const started = this.#started
    try {
      const signature = await fileSignature(this.#file.path)
      const {credentials} =
        before?.signature === signature ? before : {credentials: parseCredentials(await this.#file.read())}
      this.#keep({credentials, signature}, started)
      this.#report(undefined)
      return credentials
    } catch (error) {
      const problem =
        `The credentials file ${this.#file.path} cannot be used: ${errorMessage(error)}. Until it is repaired, no one ` +
        'can sign in, and sessions and tokens are refused. Repair the file, or restore it from a backup.'
      this.#report(problem)
      throw new CredentialsError(problem)
    }
  }

  async #save(credentials: Credentials): Promise<void> {
    this.#started += 1
    const started = this.#started
    await this.#file.write(credentials)
    this.#keep({credentials, signature: await fileSignature(this.#file.path)}, started)
    this.#checkedAt = performance.now()
    this.#checking = Promise.resolve(credentials)
  }

  #keep(read: Read, started: number): void {
    if (started < this.#latestStarted) return
    this.#latest = read
    this.#latestStarted = started
  }

  /** Logs a problem once, however many requests find it. */
  #report(problem: string | undefined): void {
    if (problem === this.#problem) return
    this.#problem = problem
    if (problem === undefined) this.#logger.info(`The credentials file ${this.#file.path} can be used again`)
    else this.#logger.error(problem)
  }
}
