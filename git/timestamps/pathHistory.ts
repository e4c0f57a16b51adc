import {availableParallelism} from 'node:os'
import {isDamage, streamGit} from '../process.ts'
import type {IsContentPath} from '../read/lsTree.ts'
import {readSteps, type Step} from './gitLog.ts'

/** When a path was first and last changed, in seconds since 1970. */
export type PathDates = {readonly created: number; readonly updated: number}

/** How to get from the known history to that of another commit: keep some steps, then add new ones. */
export type HistoryMove = {
  readonly keep: number
  readonly steps: readonly Step[]
  /** The number of commits that Git cannot read, at least: documents that only these changed have no dates. */
  readonly unreadable?: number
}

/** A commit that changed a path, and the path's dates at that commit. */
export type PathTouch = PathDates & {
  readonly path: string
  readonly commit: string
  /** Grows along the history. */
  readonly position: number
}

type Touch = PathDates & {readonly commit: string; readonly before: Touch | undefined}

/** Where the history of a branch is known. */
export type KnownHistory = Pick<PathHistory, 'of' | 'folders' | 'steps'>

/** A walk shorter than this is not worth a second process. */
const STEPS_PER_WALK = 256

/**
 * When each document path was created and updated, by the first-parent history of a commit. The history is a
 * stack of commits, so that a reset or a branch switch only walks the difference: a full walk over a folder
 * of 50,000 files takes 3 ms per commit.
 */
export class PathHistory {
  readonly #isContentPath: IsContentPath
  readonly #steps: Step[] = []
  readonly #positions = new Map<string, number>()
  readonly #touches = new Map<string, Touch>()
  readonly #folders = new Set<string>()

  constructor(isContentPath: IsContentPath) {
    this.#isContentPath = isContentPath
  }

  /** Every folder that ever had a content path. Folders are types, and a deleted document may have had any type. */
  get folders(): Iterable<string> {
    return this.#folders
  }

  /** The known commits along first parents, the oldest first. */
  get steps(): readonly Step[] {
    return this.#steps
  }

  /** The dates of a path; undefined if no commit that Git can read changed it. */
  at(path: string): PathDates | undefined {
    return this.#touches.get(path)
  }

  /** The changes of some paths, the newest first. */
  of(paths: Iterable<string>): PathTouch[] {
    const found: PathTouch[] = []
    for (const path of new Set(paths)) {
      for (let touch = this.#touches.get(path); touch !== undefined; touch = touch.before) {
        const {commit, created, updated} = touch
        found.push({path, commit, created, updated, position: this.#positions.get(commit) ?? 0})
      }
    }
    return found.sort((a, b) => b.position - a.position)
  }

  /**
   * Plans the move to the history of `commit`, without applying it.
   * @throws GitError
   */
  async plan(directory: string, commit: string): Promise<HistoryMove> {
    const known = this.#positions.get(commit)
    if (known !== undefined) return {keep: known + 1, steps: []}
    const fresh: string[] = []
    let keep = 0
    const found = new AbortController()
    const onLine = (line: string) => {
      if (found.signal.aborted) return
      const position = this.#positions.get(line)
      if (position === undefined) {
        fresh.push(line)
        return
      }
      keep = position + 1
      found.abort()
    }
    const args = ['rev-list', '--first-parent', commit]
    let missing = 0
    await streamGit(directory, args, splitLines(onLine), {signal: found.signal, timeout: 120_000}).catch(
      (error: unknown) => {
        if (!isDamage(error) || fresh.length === 0) throw error
        missing = 1
      },
    )
    const steps = await walk(directory, fresh, this.#isContentPath)
    const unreadable = missing + fresh.length - steps.length
    return {keep, steps, ...(unreadable > 0 && {unreadable})}
  }

  /** Applies a planned move. Returns the paths whose dates may have changed. */
  apply(move: HistoryMove): Set<string> {
    const changed = new Set<string>()
    for (const step of this.#steps.splice(move.keep).reverse()) {
      this.#positions.delete(step.commit)
      for (const path of [...step.added, ...step.modified]) {
        changed.add(path)
        const before = this.#touches.get(path)?.before
        if (before === undefined) this.#touches.delete(path)
        else this.#touches.set(path, before)
      }
    }
    for (const step of move.steps) {
      this.#positions.set(step.commit, this.#steps.push(step) - 1)
      for (const path of step.added) this.#touch(path, step, true, changed)
      for (const path of step.modified) this.#touch(path, step, false, changed)
    }
    return changed
  }

  #touch(path: string, {commit, seconds}: Step, added: boolean, changed: Set<string>): void {
    const before = this.#touches.get(path)
    const created = added || before === undefined ? seconds : before.created
    this.#touches.set(path, {commit, created, updated: seconds, before})
    const slash = path.indexOf('/')
    if (slash !== -1) this.#folders.add(path.slice(0, slash))
    changed.add(path)
  }
}

/** The steps of `commits`. Takes commits newest first, and returns steps oldest first. */
async function walk(
  directory: string,
  commits: readonly string[],
  isContentPath: IsContentPath,
): Promise<Step[]> {
  const walks = Math.min(8, availableParallelism(), Math.ceil(commits.length / STEPS_PER_WALK))
  const size = Math.ceil(commits.length / Math.max(1, walks))
  const parts: Promise<Step[]>[] = []
  for (let start = 0; start < commits.length; start += size) {
    parts.push(readSteps(directory, commits.slice(start, start + size), isContentPath))
  }
  return (await Promise.all(parts)).flat().reverse()
}

function splitLines(onLine: (line: string) => void): (chunk: Buffer) => void {
  let rest = ''
  return (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  }
}
