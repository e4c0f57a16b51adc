import type {ProposedTool} from '../../../../making/openApi/operation.ts'
import type {Operation} from '../../../../making/openApi.ts'
import {type Parsed, refuse} from '../../../../schemas/rules/parsed.ts'

/** Files of 30 MB take a few seconds; what takes longer is not worth the memory. */
const LONGEST_SECONDS = 30

/**
 * An OpenAPI file that a worker loads and reads: it may have 30 MB, and the policy of Studio's page, with what that page makes
 * of `fetch`, keeps the code of Studio from sending anything to other hosts.
 */
export class OpenApiFile {
  readonly #worker = new Worker(new URL('./openApiWorker.ts', import.meta.url), {type: 'module'})
  /** What it has, or a problem in words for an editor. */
  readonly operations: Promise<Parsed<readonly Operation[]>>

  /**
   * @param source a file, or the address of one
   * @param addresses the site's: requests to them are relative to the page
   */
  constructor(source: Blob | string, addresses: readonly string[]) {
    this.operations = this.#ask({source, addresses})
  }

  /** The tool that calls an operation. */
  toolOf(operation: string): Promise<Parsed<ProposedTool>> {
    return this.#ask({operation})
  }

  close(): void {
    this.#worker.terminate()
  }

  #ask<T>(question: object): Promise<Parsed<T>> {
    const {promise, resolve} = Promise.withResolvers<Parsed<T>>()
    const {port1, port2} = new MessageChannel()
    const late = setTimeout(() => {
      this.close()
      resolve(
        refuse(
          `Reading the file takes more than ${LONGEST_SECONDS} seconds: choose it as JSON, or keep only the operations that you need.`,
        ),
      )
    }, LONGEST_SECONDS * 1000)
    port1.onmessage = ({data}: MessageEvent<Parsed<T>>) => resolve(data)
    this.#worker.onerror = () =>
      resolve(refuse('Studio could not read the file. Load this page again, and choose the file once more.'))
    this.#worker.postMessage(question, [port2])
    return promise.finally(() => clearTimeout(late))
  }
}
