import type {TreeEntry} from '../objects/treeObject.ts'
import {git, splitFields, streamGit} from '../process.ts'
import {diffTrees} from './rawChanges.ts'

/** With more paths than this, all entries are read instead of passing each path to Git. */
const MAX_NAMED = 200

/** What the index holds at a path. */
export type IndexEntry = TreeEntry & {
  /** An unfinished merge left several versions of it. */
  readonly unmerged: boolean
  /** A sparse checkout leaves the file out of the work tree. */
  readonly sparse: boolean
}

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
 * What an index file holds at these paths.
 * @throws GitError
 */
export async function indexEntries(
  root: string,
  indexFile: string,
  paths: ReadonlyMap<string, unknown>,
): Promise<Map<string, IndexEntry>> {
  const entries = new Map<string, IndexEntry>()
  const onField = (field: string) => {
    const [, tag, mode, id, stage, path] = /^(.) (\d+) (\w+) (\d)\t(.*)$/s.exec(field) ?? []
    if (mode !== undefined && id !== undefined && path !== undefined && paths.has(path)) {
      entries.set(path, {mode, id, unmerged: stage !== '0', sparse: tag === 'S'})
    }
  }
  const args = ['--literal-pathspecs', 'ls-files', '--stage', '-t', '-z', ...named(paths)]
  await streamGit(root, args, splitFields(onField), {indexFile})
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
): Promise<{before: Map<string, TreeEntry>; after: Map<string, TreeEntry>}> {
  const before = new Map<string, TreeEntry>()
  const after = new Map<string, TreeEntry>()
  const nothing = from ?? (await git(root, ['hash-object', '-t', 'tree', '--stdin'])).trim()
  await diffTrees(root, nothing, to, (change) => {
    if (change.before !== undefined) before.set(change.path, change.before)
    if (change.after !== undefined) after.set(change.path, change.after)
  })
  return {before, after}
}

/**
 * The id of the blob that each file would have in a commit, after Git's filters and line-ending conversion.
 * @throws GitError
 */
export async function hashFiles(root: string, paths: readonly string[]): Promise<Map<string, string>> {
  const plain = paths.filter((path) => !/[\n"]/.test(path))
  if (plain.length === 0) return new Map()
  const answer = await git(root, ['hash-object', '--stdin-paths'], {input: `${plain.join('\n')}\n`})
  const ids = answer.split('\n')
  return new Map(plain.map((path, at) => [path, ids[at] ?? '']))
}

function named(paths: ReadonlyMap<string, unknown>): string[] {
  return paths.size > MAX_NAMED ? [] : ['--', ...paths.keys()]
}
