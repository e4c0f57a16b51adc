import {link, readFile, rm, stat, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {atomicWrite, ensureDirectory, fileModeIn, OWNER_ONLY} from '../../../common/atomicWrite.ts'
import {errorCode} from '../../../common/errorCode.ts'
import {Mutex} from '../../../common/mutex.ts'

/**
 * Content of the lock file. At the start it tells a lock that a crashed lake left from the lock of a person's
 * Git.
 */
const MARK = 'held by handrail\n'

/** Errors of network mounts that do not support hard links. */
const WITHOUT_LINKS: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EMLINK',
])

/**
 * Git's own lock on the index. While the lake holds it, no `git commit` can use an index that is older than
 * HEAD, which would revert what was just published.
 * https://github.com/git/git/blob/master/lockfile.h
 */
export class IndexLock {
  readonly #file: string
  readonly #marked: string
  #holders = 0
  readonly #mutex = new Mutex()

  constructor(gitDir: string) {
    this.#file = join(gitDir, 'index.lock')
    this.#marked = join(gitDir, 'handrail', 'held')
  }

  /**
   * Takes the lock, or shares it with another holder in this process. Fails if another process holds it.
   * @param pause milliseconds between the tries
   * @returns whether the lock is held
   * @throws file system errors, for example if the repository is not writable
   */
  async hold(tries = 1, pause = 0): Promise<boolean> {
    for (let left = tries; left > 0; left -= 1) {
      if (await this.#holdNow()) return true
      if (left > 1) await setTimeout(pause)
    }
    return false
  }

  #holdNow(): Promise<boolean> {
    return this.#mutex.run(async () => {
      if (this.#holders === 0 && !(await this.#create())) return false
      this.#holders += 1
      return true
    })
  }

  /** Releases one {@link hold}. If the lock file cannot be removed, the next hold takes it over. */
  release(): Promise<void> {
    return this.#mutex.run(async () => {
      this.#holders -= 1
      if (this.#holders === 0) await rm(this.#file, {force: true}).catch(() => {})
    })
  }

  /**
   * Takes over the lock that a crashed lake left. The lock is not released in between: a Git command waiting
   * for it would commit an index that is older than HEAD. No other lake may be running.
   * @returns whether there was such a lock
   */
  recover(): Promise<boolean> {
    return this.#mutex.run(async () => {
      if (!(await this.#isOurs())) return false
      this.#holders += 1
      return true
    })
  }

  /** Uses a link, so that the lock file never exists without its mark. */
  async #create(): Promise<boolean> {
    try {
      await link(this.#marked, this.#file)
      return true
    } catch (error) {
      const code = errorCode(error)
      // It may be our own lock that could not be removed when it was released.
      if (code === 'EEXIST') return this.#isOurs()
      if (code === 'ENOENT') return this.#createFirst()
      if (WITHOUT_LINKS.has(code)) return this.#createWithoutLinks()
      throw error
    }
  }

  #isOurs(): Promise<boolean> {
    return isHeldByLake(this.#file)
  }

  async #createFirst(): Promise<boolean> {
    const folder = dirname(this.#marked)
    await ensureDirectory(folder, OWNER_ONLY)
    await atomicWrite(this.#marked, MARK, {mode: await fileModeIn(folder), prefix: 'held-'})
    return link(this.#marked, this.#file).then(
      () => true,
      () => false,
    )
  }

  async #createWithoutLinks(): Promise<boolean> {
    try {
      await writeFile(this.#file, MARK, {flag: 'wx'})
      return true
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return this.#isOurs()
      // The file may exist without its mark; then no process would recognize it as its own.
      await rm(this.#file, {force: true}).catch(() => {})
      throw error
    }
  }
}

/** Whether a lock on the index belongs to a lake: this one, or one that crashed. */
export async function isHeldByLake(file: string): Promise<boolean> {
  try {
    // Git's own lock may be an index of several megabytes, and this is called often.
    return (await stat(file)).size === MARK.length && (await readFile(file, 'utf8')) === MARK
  } catch {
    return false
  }
}
