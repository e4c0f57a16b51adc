import {splitFields, streamGit} from '../process.ts'
import {isContentPath} from '../read/lsTree.ts'

/** What one commit did to document paths, compared with its first parent. `seconds` is the commit date. */
export type Step = {
  readonly commit: string
  readonly seconds: number
  readonly added: readonly string[]
  readonly modified: readonly string[]
}

/** No field of Git's raw format starts with this byte. */
const MARK = '\x01'

/**
 * The last `count` commits up to `commit` along first parents, the newest first.
 * @throws GitError
 */
export async function readSteps(directory: string, commit: string, count: number): Promise<Step[]> {
  const steps: Step[] = []
  let added: string[] = []
  let modified: string[] = []
  let status: string | undefined
  const onField = (field: string) => {
    if (status !== undefined) {
      if (isContentPath(field)) (status === 'A' ? added : modified).push(field)
      status = undefined
    } else if (field.startsWith(MARK)) {
      const [id = '', seconds] = field.slice(1).split(' ')
      added = []
      modified = []
      steps.push({commit: id, seconds: Number(seconds), added, modified})
    } else if (field.trimStart().startsWith(':')) {
      status = field.slice(-1)
    }
  }
  const format = ['-z', '--raw', '--no-renames', '--no-color', `--format=tformat:%x01%H %ct`]
  const range = ['--first-parent', '--diff-merges=first-parent', `--max-count=${count}`, commit]
  // Like any root commit, the oldest commit of a shallow clone adds all files that it contains.
  const args = ['-c', 'log.showRoot=true', '-c', 'log.showSignature=false', 'log', ...format, ...range]
  await streamGit(directory, args, splitFields(onField), {timeout: 600_000})
  return steps
}
