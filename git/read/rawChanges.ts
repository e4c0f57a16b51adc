import type {TreeEntry} from '../objects/treeObject.ts'
import {type GitOptions, splitFields, streamGit} from '../process.ts'

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
 * Reads what differs between two commits or trees.
 * @throws GitError for example if a commit no longer exists
 */
export async function diffTrees(
  root: string,
  from: string,
  to: string,
  onChange: (change: RawChange) => void,
): Promise<void> {
  await streamGit(root, ['diff-tree', '-r', ...RAW, from, to], rawParser(onChange))
}

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
