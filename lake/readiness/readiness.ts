import type {FastifyBaseLogger} from 'fastify'
import {inBackground} from '../../common/background.ts'
import {type LakeParts, type Problem, type ProblemCode, problemsOf} from './checks.ts'

/** Milliseconds between two background checks, so that a problem is logged soon even without requests. */
const CHECK_INTERVAL = 5_000

/** Milliseconds for which a result is cached: the endpoint is public, and may be called at any rate. */
const HOLDS_FOR = 500

/** Runs the checks, and logs when a problem begins and ends. */
export class Readiness {
  readonly #lake: LakeParts
  readonly #logger: FastifyBaseLogger
  #known = new Map<ProblemCode, Problem>()
  #lookedAt = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(lake: LakeParts, logger: FastifyBaseLogger) {
    this.#lake = lake
    this.#logger = logger
  }

  /** The current problems, one for each code. */
  async problems(): Promise<readonly Problem[]> {
    if (performance.now() - this.#lookedAt >= HOLDS_FOR) {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined
      })
      await this.#looking
    }
    return [...this.#known.values()]
  }

  /** Checks at once, and then at regular intervals. */
  async start(): Promise<void> {
    await this.problems()
    const onFailure = (err: unknown) => this.#logger.error({err}, 'the checks of readiness failed')
    this.#timer = setInterval(() => inBackground(() => this.problems(), {onFailure}), CHECK_INTERVAL)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  async #look(): Promise<void> {
    const found = await problemsOf(this.#lake)
    const now = new Map(found.reverse().map((problem) => [problem.code, problem]))
    for (const [code, {message, details}] of now) {
      if (!this.#known.has(code)) this.#logger.warn({...details, code}, message)
    }
    for (const code of this.#known.keys()) {
      if (!now.has(code)) this.#logger.info({code}, 'problem resolved')
    }
    this.#known = now
    this.#lookedAt = performance.now()
  }
}
