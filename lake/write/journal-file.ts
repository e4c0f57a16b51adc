import {type FileHandle, mkdir, open, rename} from 'node:fs/promises'
import {dirname} from 'node:path'
import {NotKeptError} from './errors.ts'

/**
 * A file of JSON lines to which lines are added for good: {@link append} returns when the disk has them. A line that
 * was cut off by the end of the process or of the disk's space is no line.
 */
export class JournalFile {
  readonly #path: string
  #file: FileHandle
  #size: number

  private constructor(path: string, file: FileHandle, size: number) {
    this.#path = path
    this.#file = file
    this.#size = size
  }

  /** Opens the file, made where there is none, and answers its lines. A broken line ends what can be trusted. */
  static async open(path: string): Promise<{file: JournalFile; lines: unknown[]; damaged: boolean}> {
    await mkdir(dirname(path), {recursive: true})
    const handle = await open(path, 'a+')
    const bytes = await handle.readFile()
    const lines: unknown[] = []
    let size = 0
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, size)) {
      try {
        lines.push(JSON.parse(bytes.toString('utf8', size, end)))
      } catch {
        break
      }
      size = end + 1
    }
    if (size < bytes.length) await handle.truncate(size)
    // More than one unfinished line is not the trace of a process that was killed.
    const damaged = bytes.indexOf(0x0a, size) !== -1
    return {file: new JournalFile(path, handle, size), lines, damaged}
  }

  /** Bytes of all lines. */
  get size(): number {
    return this.#size
  }

  /**
   * Adds a line, durably.
   * @throws NotKeptError, and then the file is as it was
   */
  async append(line: unknown): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    try {
      await this.#file.appendFile(bytes)
      await this.#file.datasync()
      this.#size += bytes.length
    } catch (error) {
      await this.#file.truncate(this.#size).catch(() => {})
      throw new NotKeptError(`Nothing was saved: ${reasonOf(error)}`)
    }
  }

  /** Replaces all lines at once: written aside, then renamed. */
  async replace(lines: Iterable<unknown>): Promise<void> {
    const aside = `${this.#path}.new`
    const file = await open(aside, 'w')
    let size = 0
    try {
      for (const line of lines) {
        const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
        await file.writeFile(bytes)
        size += bytes.length
      }
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(aside, this.#path)
    await this.#file.close()
    this.#file = await open(this.#path, 'a+')
    this.#size = size
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}

/** What went wrong with a disk, in words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOSPC') return 'the disk is full'
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') return 'the repository cannot be written to'
  return error instanceof Error ? error.message : String(error)
}
