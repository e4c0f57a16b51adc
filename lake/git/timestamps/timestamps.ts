import {join} from 'node:path'
import type {FastifyBaseLogger} from 'fastify'
import type {Step} from './gitLog.ts'
import {loadSteps, saveSteps} from './historyFile.ts'
import {type Move, type PathDates, PathHistory, type PathTouch} from './pathHistory.ts'

/** Steps of history that may be walked again after a restart, before they are worth a write. */
const UNSAVED_STEPS = 200
/** Milliseconds that the first walk of a long history may hold up a start. */
const PATIENCE = 1_500

/**
 * When documents were created and updated. The history is kept between runs, so that a start walks only what is
 * new since. Where none was kept and the history is long, dates are unknown for the first seconds.
 */
export class Timestamps {
  readonly #root: string
  readonly #file: string
  readonly #logger: FastifyBaseLogger
  readonly #history = new PathHistory()
  /** A walk that outlasted our patience: unset, running, or come to its end. */
  #walk: {move?: Move; failed?: true} | undefined
  #savedHead: string | undefined
  #unsaved = 0

  constructor(root: string, gitDir: string, logger: FastifyBaseLogger) {
    this.#root = root
    this.#file = join(gitDir, 'handrail', 'history.json')
    this.#logger = logger
  }

  /** The dates of a path in seconds, undefined while they are unknown. */
  at(path: string): PathDates | undefined {
    return this.#history.at(path)
  }

  /** What happened to the files of an id, the newest first; nothing while that is unknown. */
  of(id: string): PathTouch[] {
    return this.#history.of(id)
  }

  /** Whether dates became known since they were last asked for in vain. */
  get arrived(): boolean {
    return this.#walk?.move !== undefined || this.#walk?.failed === true
  }

  /** Whether the first walk still runs or was not taken yet. */
  get unknown(): boolean {
    return this.#walk !== undefined
  }

  /** Takes what an earlier run kept. */
  async load(): Promise<void> {
    const steps = await loadSteps(this.#file)
    this.#history.apply({keep: 0, steps})
    this.#savedHead = steps.at(-1)?.commit
  }

  /**
   * Finds the way to a commit's history; undefined when that takes too long, and then {@link arrived} says
   * when to ask again.
   * @throws GitError
   */
  async plan(commit: string): Promise<Move | undefined> {
    if (this.#walk !== undefined) {
      if (!this.arrived) return undefined
      if (this.#walk.move !== undefined) this.apply(this.#walk.move)
      this.#walk = undefined
    }
    const planned = this.#history.plan(this.#root, commit)
    if (this.#history.steps.length > 0) return planned
    const first = await Promise.race([planned, wait(PATIENCE)])
    if (first !== undefined) return first
    this.#logger.info('the history is long: the dates of documents follow when it is read')
    this.#follow(planned)
    return undefined
  }

  /**
   * Takes the step from `parent` (undefined: from nothing) to its child, without asking Git. Answers false where
   * the history of `parent` is not what is known; {@link plan} then finds the way.
   */
  extend(parent: string | undefined, step: Step): boolean {
    // A walk that still runs leads to an ancestor: the step is found when it has come to its end.
    if (this.#walk !== undefined) return true
    const {steps} = this.#history
    if (steps.at(-1)?.commit !== parent) return false
    this.apply({keep: steps.length, steps: [step]})
    return true
  }

  /** Takes a planned move and answers the paths whose dates may have changed. */
  apply(move: Move): Set<string> {
    this.#unsaved += move.steps.length
    return this.#history.apply(move)
  }

  /** Keeps the history for the next start where that is worth a write; `last` says that it is the last chance. */
  async save(last: boolean): Promise<void> {
    const head = this.#history.steps.at(-1)?.commit
    if (head === undefined || head === this.#savedHead || (!last && this.#unsaved < UNSAVED_STEPS)) return
    this.#unsaved = 0
    try {
      await saveSteps(this.#file, this.#history.steps)
      this.#savedHead = head
    } catch (error) {
      this.#logger.warn({err: error}, 'the history could not be kept: the next start reads it from Git again')
    }
  }

  #follow(planned: Promise<Move>): void {
    const walk: {move?: Move; failed?: true} = {}
    this.#walk = walk
    planned.then(
      (move) => {
        walk.move = move
      },
      (error: unknown) => {
        this.#logger.warn({err: error}, 'the history could not be read')
        walk.failed = true
      },
    )
  }
}

function wait(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds, undefined).unref()
  })
}
