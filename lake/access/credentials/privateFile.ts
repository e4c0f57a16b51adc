import {mkdir, readFile} from 'node:fs/promises'
import {basename, dirname} from 'node:path'
import {atomicWrite, syncDirectory} from '../../../common/atomicWrite.ts'
import {errorCode} from '../../../common/errorCode.ts'

/**
 * A JSON file that only its owner may read. It is replaced as a whole, so that a reader never sees half of
 * it.
 */
export class PrivateFile {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /**
   * Reads the JSON in the file; undefined if there is no file.
   * @throws the error of the file system, or an error with the position of the JSON syntax error
   */
  async read(): Promise<unknown> {
    try {
      return JSON.parse(await readFile(this.path, 'utf8'))
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      if (!(error instanceof SyntaxError)) throw error
      // The rest of the message quotes the file, which may include part of a hash.
      const [place = ''] = /at position .*$/.exec(error.message) ?? []
      throw new Error(`it is not valid JSON ${place}`.trim())
    }
  }

  /**
   * Replaces the file. Durable once the promise resolves.
   * @throws the error of the file system; the file is unchanged then
   */
  async write(value: unknown): Promise<void> {
    const directory = dirname(this.path)
    await mkdir(directory, {recursive: true})
    await atomicWrite(this.path, `${JSON.stringify(value, null, 2)}\n`, {
      mode: 0o600,
      prefix: `.${basename(this.path)}-`,
    })
    await syncDirectory(directory)
  }
}
