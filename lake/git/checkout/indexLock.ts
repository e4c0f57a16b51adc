import {link, readFile, rm, stat, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {atomicWrite, ensureDirectory} from '../../../common/atomicWrite.ts'
import {errorCode} from '../../../common/errorCode.ts'
import {Mutex} from '../../../common/mutex.ts'

/** Stands in the lock, so that a start knows one that a crash of the lake has left from that of a person's Git. */
const MARK = 'held by handrail\n'

/** What some network mounts answer, that know no links. */
const WITHOUT_LINKS: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EMLINK',
])

/**
 * Git's own lock on the index. While it is held, nobody's `git commit` can take an index that is older than HEAD
 * for a person's wish to undo what was just published.
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
   * Takes the lock unless somebody else has it, or shares it with who has it here; answers whether it is held.
   * @param pause milliseconds between the tries
   * @throws the error of the file system, where the repository cannot be written for one
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

  /** Gives back what one {@link hold} has taken. A lock that cannot be removed is found again by the next hold. */
  release(): Promise<void> {
    return this.#mutex.run(async () => {
      this.#holders -= 1
      if (this.#holders === 0) await rm(this.#file, {force: true}).catch(() => {})
    })
  }

  /**
   * Takes over the lock that a crashed lake has left, and answers whether there was one. It is never given up in
   * between: whoever waits for it would commit an index that is older than HEAD. No other lake may be running.
   */
  recover(): Promise<boolean> {
    return this.#mutex.run(async () => {
      if (!(await this.#isOurs())) return false
      this.#holders += 1
      return true
    })
  }

  /** By a link, so that the lock is never there without its mark. */
  async #create(): Promise<boolean> {
    try {
      await link(this.#marked, this.#file)
      return true
    } catch (error) {
      const code = errorCode(error)
      // One of our own that could not be removed when it was given back.
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
    await ensureDirectory(dirname(this.#marked))
    await atomicWrite(this.#marked, MARK, {mode: 0o666, prefix: 'held-'})
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
      // It may be there without its mark, and would then be nobody's.
      await rm(this.#file, {force: true}).catch(() => {})
      throw error
    }
  }
}

/** Whether a lock on the index is one of the lake, this one's or one that a crash has left. */
export async function isHeldByLake(file: string): Promise<boolean> {
  try {
    // Git's own lock may be an index of megabytes, and this is asked often.
    return (await stat(file)).size === MARK.length && (await readFile(file, 'utf8')) === MARK
  } catch {
    return false
  }
}
