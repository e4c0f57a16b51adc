import {constants} from 'node:fs'
import {copyFile, type FileHandle, open, readFile, rename, rm} from 'node:fs/promises'
import {dirname} from 'node:path'
import {ensureDirectory, fileModeIn, OWNER_ONLY, syncDirectory} from '../../../common/atomicWrite.ts'
import {errorCode} from '../../../common/errorCode.ts'
import {fileSignature} from '../../../common/fileSignature.ts'
import {NotKeptError, reasonOf} from '../errors.ts'

/** The content of a journal, and damage to it. */
export type OpenedJournal = {
  readonly file: JournalFile
  readonly lines: unknown[]
  /** The damaged lines that were skipped, if any. */
  readonly damage?: Damage
}

export type Damage = {
  /** Numbers of the first damaged lines, counted from 1. */
  readonly lineNumbers: readonly number[]
  readonly count: number
  /** A copy of the damaged file; undefined if it could not be written. */
  readonly copy: string | undefined
}

/** Maximum number of damaged lines that are listed. */
const MAX_NAMED = 20

/** What a power cut or an editor may leave before a valid line: NUL bytes, a byte order mark. */
const LEADING_DEBRIS = /^[\0\ufeff]+/

/**
 * An append-only file of JSON lines: {@link append} resolves when the line is on disk. An incomplete line,
 * which a crash or a full disk leaves, does not count.
 */
export class JournalFile {
  readonly #path: string
  /** Opened for the first write, and again after a failure: the disk may be writable later. */
  #file: FileHandle | undefined
  /** Identifies the file as it was read, until the first write. */
  readonly #signature: string
  /** Why the last line could not be written, in words for an editor. */
  #failure: string | undefined
  /** Bytes of all lines. If the file is longer, the rest is left from a failed write. */
  #size: number

  private constructor(path: string, size: number, signature: string) {
    this.#path = path
    this.#size = size
    this.#signature = signature
  }

  /**
   * Reads the lines of the file, which need not exist. Damaged lines are skipped; a copy of the file is kept
   * then. A last line without a newline is what a killed process leaves: it does not count as damage.
   * @throws the error of the file system
   */
  static async open(path: string): Promise<OpenedJournal> {
    const signature = await fileSignature(path)
    const bytes = await readFile(path).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error
      return Buffer.alloc(0)
    })
    const lines: unknown[] = []
    const lineNumbers: number[] = []
    let count = 0
    let size = 0
    for (
      let number = 1, end = bytes.indexOf(0x0a);
      end !== -1;
      number += 1, end = bytes.indexOf(0x0a, size)
    ) {
      try {
        lines.push(JSON.parse(bytes.toString('utf8', size, end).replace(LEADING_DEBRIS, '')))
      } catch {
        count += 1
        if (lineNumbers.length < MAX_NAMED) lineNumbers.push(number)
      }
      size = end + 1
    }
    const file = new JournalFile(path, size, signature)
    if (count === 0) return {file, lines}
    return {file, lines, damage: {lineNumbers, count, copy: await keepCopy(path)}}
  }

  /** Bytes of all lines. */
  get size(): number {
    return this.#size
  }

  /** Why the last line could not be written, in words for an editor; undefined if it was. */
  get failure(): string | undefined {
    return this.#failure
  }

  /**
   * Whether the file is unchanged since it was read. Checked before the first write, as another process may
   * have written.
   */
  async isUnchanged(): Promise<boolean> {
    return (await fileSignature(this.#path)) === this.#signature
  }

  /**
   * Appends a line. Durable once the promise resolves.
   * @throws NotKeptError; the line is not in the file then
   */
  async append(line: unknown): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    try {
      this.#file ??= await this.#openAtEnd()
      await this.#file.appendFile(bytes)
      await this.#file.datasync()
      this.#size += bytes.length
      this.#failure = undefined
    } catch (error) {
      // Truncated now, to free the space, or else before the next write: a line must not start after an
      // incomplete one.
      await this.#file?.truncate(this.#size).catch(() => {})
      await this.close().catch(() => {})
      this.#failure = reasonOf(error)
      throw new NotKeptError(`Nothing was saved: ${this.#failure}`, {cause: error})
    }
  }

  /**
   * Replaces all lines atomically: writes a temporary file and renames it.
   * @throws the error of the file system; the lines are unchanged then
   */
  async replace(lines: Iterable<unknown>): Promise<void> {
    const temporary = `${this.#path}.new`
    const folder = dirname(this.#path)
    await ensureDirectory(folder, OWNER_ONLY)
    const file = await open(temporary, 'w', await fileModeIn(folder))
    let size = 0
    try {
      for (const line of lines) {
        const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
        await file.writeFile(bytes)
        size += bytes.length
      }
      await file.sync()
      await rename(temporary, this.#path)
    } catch (error) {
      await rm(temporary, {force: true}).catch(() => {})
      throw error
    } finally {
      await file.close()
    }
    this.#size = size
    // The open handle belongs to the replaced file.
    await this.close().catch(() => {})
    await syncDirectory(folder)
  }

  async close(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    await file?.close()
  }

  async #openAtEnd(): Promise<FileHandle> {
    const folder = dirname(this.#path)
    await ensureDirectory(folder, OWNER_ONLY)
    const file = await open(this.#path, 'a', await fileModeIn(folder))
    try {
      const {size} = await file.stat()
      if (size < this.#size) throw new Error('another program truncated the drafts journal: restart the lake')
      if (size > this.#size) await file.truncate(this.#size)
      if (this.#size === 0) await syncDirectory(folder)
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  }
}

/** Copies a damaged file. Does not overwrite an earlier copy. */
async function keepCopy(path: string): Promise<string | undefined> {
  const names = [`${path}.damaged`, `${path}.damaged-${new Date().toISOString().replaceAll(':', '-')}`]
  for (const name of names) {
    try {
      await copyFile(path, name, constants.COPYFILE_EXCL)
      return name
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') await rm(name, {force: true}).catch(() => {})
    }
  }
  return undefined
}
