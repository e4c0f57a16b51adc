import {Mutex} from '../../../../common/mutex.ts'
import type {ProposedTool} from '../../../../schemas/making/openApi/operation.ts'
import type {Operation} from '../../../../schemas/making/openApi.ts'
import {isRecord} from '../../../../schemas/rules/json.ts'
import {accept, type Parsed, refuse} from '../../../../schemas/rules/parsed.ts'
import {textOf} from '../../../../schemas/rules/text.ts'

/** Files of 30 MB take a few seconds; what takes longer is not worth the memory. */
const LONGEST_SECONDS = 30

/**
 * An OpenAPI file that a worker loads and reads: it may have 30 MB, and the policy of Studio's page, with what that page makes
 * of `fetch`, keeps the code of Studio from sending anything to other hosts.
 */
export class OpenApiFile {
  readonly #worker = new Worker(new URL('./openApiWorker.ts', import.meta.url), {type: 'module'})
  /** An answer does not say which message it is for. */
  readonly #mutex = new Mutex()
  /** What it has, or a problem in words for an editor. */
  readonly operations: Promise<Parsed<readonly Operation[]>>

  /**
   * @param source a file, or the address of one
   * @param addresses the site's: requests to them are relative to the page
   */
  constructor(source: Blob | string, addresses: readonly string[]) {
    this.operations = this.#ask({source, addresses}).then((answer) =>
      answer.ok ? accept(operationsIn(answer.value)) : answer,
    )
  }

  /** The tool that calls an operation. */
  async toolOf(operation: string): Promise<Parsed<ProposedTool>> {
    const answer = await this.#ask({operation})
    if (!answer.ok) return answer
    const {fields, notes} = isRecord(answer.value) ? answer.value : {}
    return accept({
      fields: isRecord(fields) ? fields : {},
      notes: Array.isArray(notes) ? notes.map(textOf) : [],
    })
  }

  close(): void {
    this.#worker.terminate()
  }

  #ask(message: object): Promise<Parsed<unknown>> {
    return this.#mutex.run(() => this.#send(message))
  }

  #send(message: object): Promise<Parsed<unknown>> {
    const worker = this.#worker
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        worker.terminate()
        resolve(
          refuse(
            `Reading the file takes more than ${LONGEST_SECONDS} seconds: choose it as JSON, or keep only the operations that you need.`,
          ),
        )
      }, LONGEST_SECONDS * 1000)
      const settle = (answer: Parsed<unknown>) => {
        clearTimeout(late)
        resolve(answer)
      }
      worker.onmessage = ({data}) => settle(parseAnswer(data))
      worker.onerror = () => settle(NOT_STARTED)
      worker.postMessage(message)
    })
  }
}

const NOT_STARTED = refuse(
  'Studio could not read the file. Load this page again, and choose the file once more.',
)

function parseAnswer(data: unknown): Parsed<unknown> {
  if (!isRecord(data)) return NOT_STARTED
  return data.ok === true ? accept(data.value) : refuse(textOf(data.problem))
}

function operationsIn(value: unknown): Operation[] {
  return Array.isArray(value)
    ? value.filter(isRecord).map(({id, summary}) => ({id: textOf(id), summary: textOf(summary)}))
    : []
}
