import {execFile} from 'node:child_process'
import {globSync} from 'node:fs'
import {posix} from 'node:path'
import {promisify} from 'node:util'
import {importersOf, importsBetween, sourcesOf} from './imports.ts'

/** `unit` needs Node and Git only; `system` are the tests whose file name has a second ending. */
type Suite = 'unit' | 'system' | 'all'

export type Selection = {
  readonly suite: Suite
  /** Files and folders; none means all. A file that is named runs whatever its suite. */
  readonly paths: readonly string[]
  /** If set, only the tests that import one of these files, directly or through others. */
  readonly changed: readonly string[] | undefined
}

/** What `needs.ts` and the suites are decided by: `x.browser.test.ts` has the ending `browser`. */
export function endingOf(file: string): string | undefined {
  return /\.([a-z]+)\.test\.ts$/i.exec(posix.basename(file))?.[1]
}

/** The test files that a command means, relative to `root`, in order of their paths. */
export function selectTests(root: string, {suite, paths, changed}: Selection): string[] {
  const importers =
    changed === undefined ? undefined : importersOf(changed, importsBetween(root, sourcesOf(root)))
  const named = paths.map((path) => posix.normalize(path).replace(/\/$/, ''))
  return globSync('test/**/*.test.ts', {cwd: root})
    .sort()
    .filter((file) => {
      if (importers !== undefined && !importers.has(file)) return false
      if (named.includes(file)) return true
      const isUnit = endingOf(file) === undefined
      if (suite !== 'all' && isUnit !== (suite === 'unit')) return false
      return named.length === 0 || named.some((path) => file.startsWith(`${path}/`))
    })
}

/** The files that differ from a commit, with those that Git does not know yet. */
export async function changedSince(root: string, commit: string): Promise<string[]> {
  const git = async (...args: string[]) => {
    const {stdout} = await promisify(execFile)('git', args, {cwd: root})
    return stdout.split('\n').filter((path) => path !== '')
  }
  const [tracked, untracked] = await Promise.all([
    git('diff', '--name-only', commit),
    git('ls-files', '--others', '--exclude-standard'),
  ])
  return [...tracked, ...untracked]
}
