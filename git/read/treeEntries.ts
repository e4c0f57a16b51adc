import type {TreeEntry} from '../objects/treeObject.ts'
import {git, splitFields, streamGit} from '../process.ts'
import {diffTrees} from './rawChanges.ts'

/** With more paths than this, all entries are read instead of passing each path to Git. */
const MAX_NAMED = 200

/**
 * What a commit or a tree holds at these paths.
 * @throws GitError, also if there is no such commit
 */
export async function treeEntries(
  root: string,
  tree: string,
  paths: ReadonlyMap<string, unknown>,
): Promise<Map<string, TreeEntry>> {
  const entries = new Map<string, TreeEntry>()
  const onField = (field: string) => {
    const [, mode, id, path] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(field) ?? []
    if (mode !== undefined && id !== undefined && path !== undefined && paths.has(path)) {
      entries.set(path, {mode, id})
    }
  }
  const args = ['--literal-pathspecs', 'ls-tree', '-r', '-z', '--full-tree', tree, ...named(paths)]
  await streamGit(root, args, splitFields(onField))
  return entries
}

/**
 * What differs between two commits or trees, by path; from undefined: everything.
 * @throws GitError
 */
export async function changedEntries(
  root: string,
  from: string | undefined,
  to: string,
): Promise<{readonly before: Map<string, TreeEntry>; readonly after: Map<string, TreeEntry>}> {
  const before = new Map<string, TreeEntry>()
  const after = new Map<string, TreeEntry>()
  const nothing = from ?? (await git(root, ['hash-object', '-t', 'tree', '--stdin'])).trim()
  await diffTrees(root, nothing, to, (change) => {
    if (change.before !== undefined) before.set(change.path, change.before)
    if (change.after !== undefined) after.set(change.path, change.after)
  })
  return {before, after}
}

function named(paths: ReadonlyMap<string, unknown>): string[] {
  return paths.size > MAX_NAMED ? [] : ['--', ...paths.keys()]
}
