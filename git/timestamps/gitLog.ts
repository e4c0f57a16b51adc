import {isDamage} from '../process.ts'
import {commitSeconds, type IsContentPath} from '../read/lsTree.ts'
import {type RawChange, readLog} from '../read/rawChanges.ts'

/** What one commit did to content paths, compared with its first parent. `seconds` is the commit date. */
export type Step = {
  readonly commit: string
  readonly seconds: number
  readonly added: readonly string[]
  readonly modified: readonly string[]
}

/** Maximum times that Git is run again after an object that it cannot read. */
const MAX_DAMAGED = 20

/**
 * What some commits did, without those that Git cannot compare with their parents.
 * @param commits one after the other along first parents, the newest first
 * @throws GitError
 */
export async function readSteps(
  directory: string,
  commits: readonly string[],
  isContentPath: IsContentPath,
): Promise<Step[]> {
  const steps: Step[] = []
  for (let at = 0, damaged = 0; at < commits.length && damaged <= MAX_DAMAGED; damaged += 1) {
    const first = commits[at]
    if (first === undefined) break
    const found: Step[] = []
    try {
      await readRange(directory, first, commits.length - at, isContentPath, found)
      break
    } catch (error) {
      if (!isDamage(error)) throw error
    } finally {
      steps.push(...found)
      at += found.length + 1
    }
  }
  return steps
}

/** Reads commits into a list, which has those up to the failure if it throws. @throws GitError */
async function readRange(
  directory: string,
  commit: string,
  count: number,
  isContentPath: IsContentPath,
  steps: Step[],
): Promise<void> {
  let added: string[] = []
  let modified: string[] = []
  const onCommit = ([id = '', seconds = '']: string[]) => {
    added = []
    modified = []
    steps.push({commit: id, seconds: commitSeconds(seconds), added, modified})
  }
  const onChange = ({path, before}: RawChange) => {
    if (isContentPath(path)) (before === undefined ? added : modified).push(path)
  }
  const range = ['--first-parent', `--max-count=${count}`, commit]
  await readLog(directory, ['%H', '%ct'], range, {onCommit, onChange}, {timeout: 600_000})
}
