import {parentPort, Worker} from 'node:worker_threads'
import {inBackground} from '../common/background.ts'
import {errorMessage} from '../common/errorMessage.ts'

/** Idle time after which a thread ends, in milliseconds. Most services need none most of the time. */
const IDLE_TIMEOUT = 30_000

type WorkerThreadOptions = {
  /** It calls `answerQuestions`. */
  readonly module: URL
  readonly workerData?: unknown
  readonly heapMb: number
  /** Timeout for an answer, in milliseconds. */
  readonly timeout: number
  /** Silence after which a late answer means that the thread is stuck, in milliseconds: it is replaced. */
  readonly silence: number
  /** Called with the reason if the thread ends unexpectedly. */
  readonly onEnd?: (reason: string) => void
}

/** No answer came in time. */
export class TooSlow extends Error {}

/**
 * A thread that answers questions, so that its work delays no visitor and its memory is limited. It starts with the first
 * question, and ends when there are none.
 */
export class WorkerThread<Question, Answer> {
  readonly #options: WorkerThreadOptions
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>()
  #worker: Worker | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #questions = 0
  /** When the thread last answered, or began to have something to answer. */
  #heardAt = 0
  #isClosed = false

  constructor(options: WorkerThreadOptions) {
    this.#options = options
  }

  /** @throws TooSlow, or the error that ended the thread */
  async ask(question: Question): Promise<Answer> {
    if (this.#isClosed) throw new Error('The service is stopping.')
    clearTimeout(this.#idleTimer)
    this.#worker ??= this.#start()
    const worker = this.#worker
    const number = this.#questions
    this.#questions += 1
    if (this.#waiting.size === 0) this.#heardAt = performance.now()
    const answering = Promise.withResolvers<Answer>()
    this.#waiting.set(number, answering)
    // An idle thread must not keep the process alive, a busy one must.
    worker.ref()
    const timer = setTimeout(() => this.#late(answering), this.#options.timeout)
    try {
      worker.postMessage({number, question})
      return await answering.promise
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(number)
      if (this.#waiting.size === 0) {
        worker.unref()
        if (!this.#isClosed)
          this.#idleTimer = setTimeout(() => this.#endInBackground(ENDED), IDLE_TIMEOUT).unref()
      }
    }
  }

  /** Ends the thread. What it is asked gets no answer. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#end(ENDED)
  }

  #start(): Worker {
    const {module, workerData, heapMb, onEnd} = this.#options
    const worker = new Worker(module, {workerData, resourceLimits: {maxOldGenerationSizeMb: heapMb}})
    worker.on('message', ({number, answer}: {readonly number: number; readonly answer: Answer}) => {
      this.#heardAt = performance.now()
      this.#waiting.get(number)?.resolve(answer)
    })
    worker.on('error', (error) => {
      if (this.#worker !== worker) return
      onEnd?.(errorMessage(error))
      this.#endInBackground(error)
    })
    return worker
  }

  #late(answering: PromiseWithResolvers<Answer>): void {
    const {silence, onEnd} = this.#options
    answering.reject(new TooSlow('No answer came in time.'))
    if (performance.now() - this.#heardAt < silence) return
    onEnd?.(`nothing heard for ${silence / 1_000} s`)
    this.#endInBackground(ENDED)
  }

  #endInBackground(reason: unknown): void {
    void inBackground(() => this.#end(reason), {
      onFailure: (error) => this.#options.onEnd?.(errorMessage(error)),
    })
  }

  async #end(reason: unknown): Promise<void> {
    clearTimeout(this.#idleTimer)
    const worker = this.#worker
    this.#worker = undefined
    for (const {reject} of this.#waiting.values()) reject(reason)
    await worker?.terminate()
  }
}

const ENDED = new Error('The thread ended.')

/** In a worker thread: answers what it is asked. */
export function answerQuestions<Question, Answer>(answerTo: (question: Question) => Promise<Answer>): void {
  parentPort?.on(
    'message',
    async ({number, question}: {readonly number: number; readonly question: Question}) =>
      parentPort?.postMessage({number, answer: await answerTo(question)}),
  )
}
