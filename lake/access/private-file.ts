import {mkdir, open, readFile, rename, stat} from 'node:fs/promises'
import {dirname} from 'node:path'

/** A JSON file that only this user may read. It is written aside and renamed, so that no half of it is ever seen. */
export class PrivateFile {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** Changes when the file does; the same for as long as there is none. */
  async signature(): Promise<string> {
    try {
      const {mtimeNs, size, ino} = await stat(this.path, {bigint: true})
      return `${mtimeNs}/${size}/${ino}`
    } catch {
      return 'missing'
    }
  }

  /**
   * The JSON in the file, undefined where there is no file.
   * @throws Error with one line when it cannot be read
   */
  async read(): Promise<unknown> {
    try {
      return JSON.parse(await readFile(this.path, 'utf8'))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw new Error(`${this.path} cannot be read: ${error instanceof Error ? error.message : error}`)
    }
  }

  /** Replaces the file, which is on disk when this returns. */
  async write(value: unknown): Promise<void> {
    await mkdir(dirname(this.path), {recursive: true})
    const aside = `${this.path}.${process.pid}.new`
    const file = await open(aside, 'w', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(value, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(aside, this.path)
  }
}
