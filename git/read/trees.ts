import {isFileMode, type TreeEntry} from '../objects/treeObject.ts'
import {GitError, type GitOptions, git, splitFields, streamGit} from '../process.ts'

/** A path that differs between two commits or trees. An entry is undefined where there is none. */
export type RawChange = {
  readonly path: string
  readonly before: TreeEntry | undefined
  readonly after: TreeEntry | undefined
}

/** No field of Git's raw format starts with these bytes. */
const MARK = '\x01'
const SEPARATOR = '\x02'

/** Git's mode for an entry that does not exist. */
const NOTHING = '000000'

const RAW = ['-z', '--raw', '--no-renames', '--no-abbrev']

/**
 * Reads commits, each compared with its first parent. Like any root commit, the oldest commit of a shallow
 * clone adds all files that it contains.
 * @param placeholders of https://git-scm.com/docs/git-log#_pretty_formats, whose values `onCommit` receives
 * @param args which commits, and which paths
 * @throws GitError
 */
export async function readLog(
  root: string,
  placeholders: readonly string[],
  args: readonly string[],
  {
    onCommit,
    onChange,
  }: {readonly onCommit: (values: string[]) => void; readonly onChange: (change: RawChange) => void},
  options?: GitOptions,
): Promise<void> {
  const settings = ['--literal-pathspecs', '-c', 'log.showRoot=true', '-c', 'log.showSignature=false']
  const format = `--format=tformat:%x01${placeholders.join('%x02')}`
  const log = ['log', ...RAW, '--no-color', '--diff-merges=first-parent', format]
  await streamGit(root, [...settings, ...log, ...args], rawParser(onChange, onCommit), options)
}

function rawParser(
  onChange: (change: RawChange) => void,
  onCommit: (values: string[]) => void = () => {},
): (chunk: Buffer) => void {
  let entries: readonly string[] | undefined
  return splitFields((field) => {
    if (entries !== undefined) {
      const [modeBefore, modeAfter, idBefore, idAfter] = entries
      entries = undefined
      onChange({path: field, before: entryOf(modeBefore, idBefore), after: entryOf(modeAfter, idAfter)})
    } else if (field.startsWith(MARK)) onCommit(field.slice(1).split(SEPARATOR))
    else if (field.trimStart().startsWith(':')) entries = field.trimStart().slice(1).split(' ')
  })
}

function entryOf(mode = NOTHING, id = ''): TreeEntry | undefined {
  return mode === NOTHING ? undefined : {mode, id}
}

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
  const onChange = (change: RawChange) => {
    if (change.before !== undefined) before.set(change.path, change.before)
    if (change.after !== undefined) after.set(change.path, change.after)
  }
  await streamGit(root, ['diff-tree', '-r', ...RAW, nothing, to], rawParser(onChange))
  return {before, after}
}

/** What is at a path. */
export type FileState = {
  readonly path: string
  /** The id of the object. */
  readonly id: string
  /** Set if it is not a file. */
  readonly kind?: 'link' | 'submodule'
}

/** What is now at a path; undefined if the path was deleted. */
export type PathChange = {readonly path: string; readonly state: FileState | undefined}

/** Whether a path may be that of content. */
export type IsContentPath = (path: string) => boolean

/** Maximum files with content: ten times as many as a lake was measured with. More would need all memory. */
const MAX_FILES = 1_000_000

/**
 * Every content path of a commit.
 * @throws GitError, also if there are too many
 */
export async function listTree(
  directory: string,
  commit: string,
  isContentPath: IsContentPath,
  maxFiles = MAX_FILES,
): Promise<Map<string, FileState>> {
  const tree = new Map<string, FileState>()
  await eachEntry(directory, [commit], (path, entry) => {
    if (!isContentPath(path)) return
    if (tree.size === maxFiles)
      throw new GitError('ls-tree', `the commit has more than ${maxFiles} files of documents`)
    tree.set(path, fileState(path, entry))
  })
  return tree
}

/** What an entry of a tree is. */
export function fileState(path: string, {mode, id}: TreeEntry): FileState {
  if (isFileMode(mode)) return {path, id}
  return {path, id, kind: mode === '160000' ? 'submodule' : 'link'}
}

/** The blob of a file. Symbolic links and submodules are never followed. */
export function blobOf(entry: TreeEntry | undefined): string | undefined {
  return entry !== undefined && isFileMode(entry.mode) ? entry.id : undefined
}
