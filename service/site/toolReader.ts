import {hasAction} from '../../actions/compile.ts'
import {Mutex} from '../../common/mutex.ts'
import {BrokenRule} from '../../schemas/rules/parsed.ts'
import {tool} from '../../schemas/tool.ts'
import type {ToolDocument} from '../upstream/siteDocument.ts'
import {TooSlow, WorkerThread} from '../workerThread.ts'
import {actionLibrary} from './actionLibrary.ts'
import {type ReadTool, readTool} from './readTool.ts'
import type {ToolResult} from './readToolWorker.ts'

/**
 * Maximum length of a tool that is parsed on the event loop, in characters. The parsers of scripts and JSON
 * Schema take quadratic time in the worst case: 10 ms for 5,000 characters, more than a second for 100,000.
 */
const SHORT = 5_000

/**
 * Timeout for one tool in the worker thread, in milliseconds. The worst known tools take less than two
 * seconds.
 */
const TIMEOUT = 10_000

/** Heap size of the worker thread, in MB: fifty times the syntax tree of an ordinary long script. */
const WORKER_HEAP_MB = 64

/** Reads the tools of a service: at once if they are short, otherwise in a worker thread, which it starts and ends. */
export class ToolReader {
  readonly #mutex = new Mutex()
  readonly #timeout: number
  readonly #thread: WorkerThread<ToolDocument, ToolResult>

  /** @param timeout see `TIMEOUT`. */
  constructor(timeout = TIMEOUT) {
    this.#timeout = timeout
    const module = new URL('./readToolWorker.ts', import.meta.url)
    this.#thread = new WorkerThread({module, heapMb: WORKER_HEAP_MB, timeout, silence: timeout / 2})
  }

  /**
   * Validates a tool: at once if its texts are short, otherwise in a worker thread, one tool at a time, so that
   * the event loop can serve other sites.
   * @param known the JSON of the same revision, if it was compiled before.
   * @throws BrokenRule
   */
  async read(document: ToolDocument, known: string | undefined): Promise<ReadTool> {
    if (known !== undefined) return readTool(tool, document, known)
    if (isShort(document))
      return readTool(tool, document, undefined, hasAction(document) ? await actionLibrary() : undefined)
    const result = await this.#mutex.run(() => this.#readInWorker(document))
    if ('read' in result) return result.read
    throw new BrokenRule(result.field, result.problem)
  }

  /** Ends the worker thread, even while it reads. Long tools cannot be read any more. */
  async close(): Promise<void> {
    await this.#thread.close()
  }

  async #readInWorker(document: ToolDocument): Promise<ToolResult> {
    try {
      return await this.#thread.ask(document)
    } catch (error) {
      const problem = problemOf(error, this.#timeout)
      if (problem === undefined) throw error
      return {field: 'executeJs', problem}
    }
  }
}

function isShort(document: ToolDocument): boolean {
  return JSON.stringify(document).length <= SHORT
}

function problemOf(error: unknown, timeout: number): string | undefined {
  if (error instanceof TooSlow)
    return `Reading the tool takes more than ${timeout / 1_000} seconds: shorten its script and its input schema.`
  const isOutOfMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isOutOfMemory
    ? 'Reading the tool takes too much memory: shorten its script and its input schema.'
    : undefined
}
