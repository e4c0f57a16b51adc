import {Worker} from 'node:worker_threads'
import {inBackground} from '../../../common/background.ts'
import {errorMessage} from '../../../common/errorMessage.ts'
import {BusyError, PreviewError, UpstreamError} from '../../errors.ts'
import type {
  DraftsAnswer,
  DraftsFailure,
  DraftsQuestion,
  DraftsResponse,
  DraftsWorkerData,
} from './messages.ts'

/** Idle time after which the thread ends, in milliseconds. A service without previews has none. */
const IDLE_TIMEOUT = 30_000

/** Timeout for an answer, in milliseconds. */
const TIMEOUT = 8_000

/** Silence after which the thread counts as stuck and is replaced, in milliseconds. */
const SILENCE = 20_000
const CHECK_EVERY = 5_000

/** The smallest heap that a site can be compiled in, in MB. */
const MIN_HEAP_MB = 64

type DraftsThreadOptions = DraftsWorkerData & {
  readonly maxHeapMb: number
  /** Called with the reason if the thread ends unexpectedly. */
  readonly onEnd: (reason: string) => void
}

/**
 * Reads and compiles drafts in a thread of its own: what previews cost delays no visitor, and their memory is limited
 * by the heap of the thread. It starts with the first question.
 */
export class DraftsThread {
  readonly #options: DraftsThreadOptions
  readonly #waiting = new Map<number, PromiseWithResolvers<DraftsAnswer>>()
  readonly #timer: NodeJS.Timeout
  #worker: Worker | undefined
  #questions = 0
  #askedAt = 0
  #heardAt = 0
  #isClosed = false

  constructor(options: DraftsThreadOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#check(), CHECK_EVERY).unref()
  }

  /** @throws PreviewError if the site cannot be shown, UpstreamError if there is no answer. */
  async ask(question: DraftsQuestion): Promise<DraftsAnswer> {
    if (this.#isClosed) throw new BusyError('The service is stopping.')
    this.#worker ??= this.#start()
    this.#askedAt = performance.now()
    const number = this.#questions
    this.#questions += 1
    const answering = Promise.withResolvers<DraftsAnswer>()
    this.#waiting.set(number, answering)
    const timer = setTimeout(() => answering.reject(new BusyError('A preview takes too long.')), TIMEOUT)
    try {
      this.#worker.postMessage({number, question})
      const answer = await answering.promise
      if (answer.failure !== undefined) throw errorOf(answer.failure)
      return answer
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(number)
    }
  }

  /** Requests that are still being handled get no answer. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#end()
  }

  #start(): Worker {
    const {settings, maxSiteBytes, maxHeapMb} = this.#options
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: {settings, maxSiteBytes} satisfies DraftsWorkerData,
      resourceLimits: {maxOldGenerationSizeMb: Math.max(MIN_HEAP_MB, maxHeapMb)},
    })
    // Requests keep the process alive, the thread does not.
    worker.unref()
    this.#heardAt = performance.now()
    worker.on('message', (message: DraftsResponse | 'beat') => {
      this.#heardAt = performance.now()
      if (message !== 'beat') this.#waiting.get(message.number)?.resolve(message.answer)
    })
    worker.on('error', (error) => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#options.onEnd(error instanceof Error ? error.message : String(error))
      this.#rejectAll()
    })
    return worker
  }

  #check(): void {
    const now = performance.now()
    if (this.#worker === undefined) return
    const isSilent = now - this.#heardAt > SILENCE
    if (isSilent) this.#options.onEnd(`nothing heard for ${SILENCE / 1_000} s`)
    if (!isSilent && now - this.#askedAt <= IDLE_TIMEOUT) return
    void inBackground(() => this.#end(), {onFailure: (error) => this.#options.onEnd(errorMessage(error))})
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    this.#rejectAll()
    await worker?.terminate()
  }

  #rejectAll(): void {
    for (const {reject} of this.#waiting.values()) reject(new BusyError('The thread of previews ended.'))
  }
}

function errorOf({reason, isBusy, shown}: DraftsFailure): UpstreamError {
  if (isBusy) return new BusyError(reason)
  return shown === undefined ? new UpstreamError(reason) : new PreviewError(shown, reason)
}
