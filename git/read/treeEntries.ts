import type {TreeEntry} from '../objects/treeObject.ts'
import {git, splitFields, streamGit} from '../process.ts'
import {diffTrees} from './rawChanges.ts'

/**
 * Reads the entries of a commit or a tree.
 * @param args its name, and maybe some paths
 * @throws GitError
 */
export async function eachEntry(
  root: string,
  args: readonly string[],
  onEntry: (path: string, entry: TreeEntry) => void,
): Promise<void> {
  const onField = (field: string) => {
    const tab = field.indexOf('\t')
    const [mode = '', , id = ''] = field.slice(0, tab).split(' ')
    onEntry(field.slice(tab + 1), {mode, id})
  }
  const list = ['--literal-pathspecs', 'ls-tree', '-r', '-z', '--full-tree']
  await streamGit(root, [...list, ...args], splitFields(onField))
}

/**
 * What differs between two commits or trees, by path; from undefined: everything.
 * @throws GitError
 */
export async function changedEntries(root: string, from: string | undefined, to: string) {
  const before = new Map<string, TreeEntry>()
  const after = new Map<string, TreeEntry>()
  const nothing = from ?? (await git(root, ['hash-object', '-t', 'tree', '--stdin'])).trim()
  await diffTrees(root, nothing, to, (change) => {
    if (change.before !== undefined) before.set(change.path, change.before)
    if (change.after !== undefined) after.set(change.path, change.after)
  })
  return {before, after}
}
