import {join} from 'node:path'
import type {FastifyBaseLogger} from 'fastify'
import {beforeTimeout} from '../../common/timeout.ts'
import type {ContentDirectory} from '../contentDirectory.ts'
import type {IsContentPath} from '../read/lsTree.ts'
import type {Step} from './gitLog.ts'
import {loadSteps, saveSteps} from './historyFile.ts'
import {type Move, type PathDates, PathHistory, type PathTouch} from './pathHistory.ts'

/** Maximum steps of history to leave unsaved: after a crash they are walked again. */
const UNSAVED_STEPS = 200
/** How long the first walk of a long history may delay the start, in milliseconds. */
const MAX_WAIT = 1_500

/**
 * When documents were created and updated. The history is saved between runs, so that a start only walks new
 * commits. If none was saved and the history is long, dates are unknown for the first seconds.
 */
export class Timestamps {
  readonly #root: string
  readonly #file: string
  readonly #logger: FastifyBaseLogger
  readonly #history: PathHistory
  /** A walk that took longer than `MAX_WAIT`: unset, running, or finished. */
  #walk: {move?: Move; failed?: true} | undefined
  #savedHead: string | undefined
  #unsaved = 0

  constructor({root, gitDir}: ContentDirectory, isContentPath: IsContentPath, logger: FastifyBaseLogger) {
    this.#history = new PathHistory(isContentPath)
    this.#root = root
    this.#file = join(gitDir, 'handrail', 'history.json')
    this.#logger = logger
  }

  /** The dates of a path in seconds; undefined while they are unknown. */
  at(path: string): PathDates | undefined {
    return this.#history.at(path)
  }

  /** Every folder that ever had a content path. */
  get folders(): Iterable<string> {
    return this.#history.folders
  }

  /** The changes of some paths, the newest first; none while the history is unknown. */
  of(paths: Iterable<string>): PathTouch[] {
    return this.#history.of(paths)
  }

  /** The known commits along first parents, the oldest first. */
  get steps(): readonly Step[] {
    return this.#history.steps
  }

  /** Whether the walk that {@link plan} did not wait for has finished. */
  get arrived(): boolean {
    return this.#walk?.move !== undefined || this.#walk?.failed === true
  }

  /** Whether the first walk is still running, or its result was not applied yet. */
  get unknown(): boolean {
    return this.#walk !== undefined
  }

  /** Loads what an earlier run saved. */
  async load(): Promise<void> {
    const steps = await loadSteps(this.#file)
    this.#history.apply({keep: 0, steps})
    this.#savedHead = steps.at(-1)?.commit
  }

  /**
   * Plans the move to a commit's history. Returns undefined if that takes too long; {@link arrived} then
   * tells when to call it again.
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
    const first = await beforeTimeout(MAX_WAIT, planned)
    if (first !== undefined) return first
    this.#logger.info('the Git history is long; dates of documents are available once it has been read')
    this.#follow(planned)
    return undefined
  }

  /**
   * Adds the step from `parent` (undefined: none) to its child without asking Git. Returns false if `parent`
   * is not the newest known commit; {@link plan} then finds the way.
   */
  extend(parent: string | undefined, step: Step): boolean {
    // A running walk ends at an ancestor; this step is found once the walk has ended.
    if (this.#walk !== undefined) return true
    const {steps} = this.#history
    if (steps.at(-1)?.commit !== parent) return false
    this.apply({keep: steps.length, steps: [step]})
    return true
  }

  /** Applies a planned move. Returns the paths whose dates may have changed. */
  apply(move: Move): Set<string> {
    if (move.unreadable !== undefined)
      this.#logger.warn(
        {commits: move.unreadable, file: this.#file},
        'Git cannot read some older commits, so dates of documents may be wrong; ' +
          'fetch the objects from another clone, delete this file, and restart',
      )
    this.#unsaved += move.steps.length
    return this.#history.apply(move)
  }

  /**
   * Saves the history for the next start if enough of it is new. `last` means that this is the last chance.
   */
  async save(last: boolean): Promise<void> {
    const head = this.#history.steps.at(-1)?.commit
    if (head === undefined || head === this.#savedHead || (!last && this.#unsaved < UNSAVED_STEPS)) return
    this.#unsaved = 0
    try {
      await saveSteps(this.#file, this.#history.steps)
      this.#savedHead = head
    } catch (error) {
      this.#logger.warn(
        {err: error},
        'could not save the dates of documents; the next start reads them from Git again',
      )
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
        this.#logger.warn({err: error}, 'could not read the Git history')
        walk.failed = true
      },
    )
  }
}
