import {readFile} from 'node:fs/promises'
import {errorMessage} from '../../../common/errorMessage.ts'
import {type Mapping, parseMapping} from './mapping.ts'
import type {AccessLogger} from './provider.ts'

/** The operator's file that maps claims to rights. */
export class MappingFile {
  readonly #path: string
  readonly #logger: AccessLogger
  /** What was in the file when it was read last. */
  #text: string | undefined
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
      const text = await readFile(this.#path, 'utf8')
      const mapping = parseMapping(JSON.parse(text))
      if (this.#problem !== undefined || (this.#text !== undefined && this.#text !== text))
        this.#logger.info(`The mapping file ${this.#path} has changed and is in use`)
      this.#text = text
      this.#problem = undefined
      return mapping
    } catch (error) {
      const problem =
        `The mapping file ${this.#path} cannot be used: ${errorMessage(error)}. Until it is repaired, no one can sign in ` +
        'with single sign-on, and open sessions keep their rights'
      if (problem !== this.#problem) this.#logger.error(problem)
      this.#problem = problem
      throw new Error(problem)
    }
  }
}
