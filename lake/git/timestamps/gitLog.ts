import {commitSeconds, type IsContentPath} from '../read/lsTree.ts'
import {type RawChange, readLog} from '../read/rawChanges.ts'

/** What one commit did to content paths, compared with its first parent. `seconds` is the commit date. */
export type Step = {
  readonly commit: string
  readonly seconds: number
  readonly added: readonly string[]
  readonly modified: readonly string[]
}

/**
 * The last `count` commits up to `commit` along first parents, the newest first.
 * @throws GitError
 */
export async function readSteps(
  directory: string,
  commit: string,
  count: number,
  isContentPath: IsContentPath,
): Promise<Step[]> {
  const steps: Step[] = []
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
  return steps
}
