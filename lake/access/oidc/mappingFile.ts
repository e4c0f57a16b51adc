import {readFile} from 'node:fs/promises'
import {errorMessage} from '../../../common/errorMessage.ts'
import {fileSignature} from '../../../common/fileSignature.ts'
import type {AccessLogger} from '../credentials/credentialsStore.ts'
import {type Mapping, parseMapping} from './mapping.ts'

/** The operator's file that maps claims to rights. It is read again when it changes. */
export class MappingFile {
  readonly #path: string
  readonly #logger: AccessLogger
  #read: {readonly mapping: Mapping; readonly signature: string} | undefined
  #problem: string | undefined

  constructor(path: string, logger: AccessLogger) {
    this.#path = path
    this.#logger = logger
  }

  /**
   * The mapping that is in the file now.
   * @throws Error with one line that names the file; the log has it too, once for each new problem
   */
  async read(): Promise<Mapping> {
    try {
      const signature = await fileSignature(this.#path)
      if (this.#read?.signature !== signature) {
        const mapping = parseMapping(JSON.parse(await readFile(this.#path, 'utf8')))
        if (this.#read !== undefined || this.#problem !== undefined)
          this.#logger.info(`The mapping file ${this.#path} has changed and is in use`)
        this.#read = {mapping, signature}
      }
      this.#problem = undefined
      return this.#read.mapping
    } catch (error) {
      this.#read = undefined
      const problem =
        `The mapping file ${this.#path} cannot be used: ${errorMessage(error)}. Until it is repaired, no one can sign in ` +
        'with single sign-on, and open sessions keep their rights'
      if (problem !== this.#problem) this.#logger.error(problem)
      this.#problem = problem
      throw new Error(problem)
    }
  }
}
