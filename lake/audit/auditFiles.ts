import {randomBytes} from 'node:crypto'
import {appendFile, mkdir, readdir, readFile, rename, rm, stat} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import {syncDirectory} from '../../common/atomicWrite.ts'
import {errorCode} from '../../common/errorCode.ts'

/** Bytes of one file. A larger one is put aside, and a new one begun. */
const MAX_BYTES = 8 * 1024 * 1024

/** Maximum number of files, with the current one. Beyond that, the oldest is deleted. */
const MAX_FILES = 10

/**
 * The files of the audit log: the current one, to which lines are appended, and older ones with the time of
 * their end in their names. Several processes may append: each batch of lines is one write with `O_APPEND`,
 * and files are put aside under names that are unique.
 */
export class AuditFiles {
  readonly path: string
  readonly #maxBytes: number
  /** Whether the current file is known to end with a complete line. */
  #isWhole = false

  constructor(path: string, maxBytes = MAX_BYTES) {
    this.path = path
    this.#maxBytes = maxBytes
  }

  /**
   * Appends complete lines. Durable once the promise resolves.
   * @throws the error of the file system; part of the lines may have been written then
   */
  async append(lines: string): Promise<void> {
    const directory = dirname(this.path)
    await mkdir(directory, {recursive: true})
    const size = await this.#putAside(Buffer.byteLength(lines))
    // A crash or a full disk may have cut off the last line.
    const start = size > 0 && !this.#isWhole ? '\n' : ''
    this.#isWhole = false
    await appendFile(this.path, start + lines, {mode: 0o600, flush: true})
    this.#isWhole = true
    if (size === 0) await syncDirectory(directory)
  }

  /** The texts of the files, the latest first. Each is read when it is asked for. */
  async *texts(): AsyncGenerator<string> {
    for (const path of [this.path, ...(await this.#older())]) {
      const text = await readFile(path, 'utf8').catch((error: unknown) => {
        // Put aside or deleted since.
        if (errorCode(error) === 'ENOENT') return ''
        throw error
      })
      yield text
    }
  }

  /** Begins a new file if the current one has no room. Returns the size of the current file. */
  async #putAside(added: number): Promise<number> {
    const size = await stat(this.path).then(
      (found) => found.size,
      (error: unknown) => {
        if (errorCode(error) === 'ENOENT') return 0
        throw error
      },
    )
    if (size === 0 || size + added <= this.#maxBytes) return size
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
    await rename(this.path, this.path.replace(/jsonl$/, `${stamp}-${randomBytes(4).toString('hex')}.jsonl`))
    for (const path of (await this.#older()).slice(MAX_FILES - 1)) await rm(path, {force: true})
    return 0
  }

  /** The paths of the files that were put aside, the latest first. */
  async #older(): Promise<string[]> {
    const directory = dirname(this.path)
    const start = basename(this.path).replace(/jsonl$/, '')
    const names = await readdir(directory).catch(() => [])
    const found = names.filter(
      (name) => /^\d{4}-.*\.jsonl$/.test(name.slice(start.length)) && name.startsWith(start),
    )
    return found
      .sort()
      .reverse()
      .map((name) => join(directory, name))
  }
}

/** Where the audit log of a file of editors is: in the same directory. */
export function auditFileOf(editorsFile: string): string {
  return editorsFile.replace(/(\.json)?$/, '.audit.jsonl')
}
