import {join} from 'node:path'
import type {FastifyBaseLogger} from 'fastify'
import type {ContentDirectory} from '../contentDirectory.ts'
import type {IsContentPath} from '../read/lsTree.ts'
import type {Step} from './gitLog.ts'
import {loadSteps, saveSteps} from './historyFile.ts'
import {type HistoryMove, PathHistory} from './pathHistory.ts'

/** Maximum steps of history to leave unsaved: after a crash they are walked again. */
const UNSAVED_STEPS = 200

/**
 * When documents were created and updated. The history is saved between runs, so that a start only walks new
 * commits. The first start walks all: 10,000 commits over as many documents in some 3 s.
 */
export class Timestamps {
  readonly #root: string
  readonly #file: string
  readonly #logger: FastifyBaseLogger
  readonly history: PathHistory
  #savedHead: string | undefined
  #unsaved = 0

  constructor({root, gitDir}: ContentDirectory, isContentPath: IsContentPath, logger: FastifyBaseLogger) {
    this.history = new PathHistory(isContentPath)
    this.#root = root
    this.#file = join(gitDir, 'handrail', 'history.json')
    this.#logger = logger
  }

  /** Loads what an earlier run saved. */
  async load(): Promise<void> {
    const steps = await loadSteps(this.#file)
    this.history.apply({keep: 0, steps})
    this.#savedHead = steps.at(-1)?.commit
  }

  /** Plans the move to a commit's history. @throws GitError */
  plan(commit: string): Promise<HistoryMove> {
    return this.history.plan(this.#root, commit)
  }

  /**
   * Adds the step from `parent` (undefined: none) to its child without asking Git. Returns false if `parent`
   * is not the newest known commit; {@link plan} then finds the way.
   */
  extend(parent: string | undefined, step: Step): boolean {
    const {steps} = this.history
    if (steps.at(-1)?.commit !== parent) return false
    this.apply({keep: steps.length, steps: [step]})
    return true
  }

  /** Applies a planned move. Returns the paths whose dates may have changed. */
  apply(move: HistoryMove): Set<string> {
    if (move.unreadable !== undefined)
      this.#logger.warn(
        {commits: move.unreadable, file: this.#file},
        'Git cannot read some older commits, so dates of documents may be wrong; ' +
          'fetch the objects from another clone, delete this file, and restart',
      )
    this.#unsaved += move.steps.length
    return this.history.apply(move)
  }

  /**
   * Saves the history for the next start if enough of it is new. `last` means that this is the last chance.
   */
  async save(last: boolean): Promise<void> {
    const head = this.history.steps.at(-1)?.commit
    if (head === undefined || head === this.#savedHead || (!last && this.#unsaved < UNSAVED_STEPS)) return
    this.#unsaved = 0
    try {
      await saveSteps(this.#file, this.history.steps)
      this.#savedHead = head
    } catch (error) {
      this.#logger.warn(
        {err: error},
        'could not save the dates of documents; the next start reads them from Git again',
      )
    }
  }
}
