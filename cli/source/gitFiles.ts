import {mayBeContent} from '../../content/layout/layout.ts'
import {type FileContent, MAX_FILE_BYTES} from '../../content/parseDocument.ts'
import {isFileMode} from '../../git/objects/treeObject.ts'
import {type GitOptions, splitFields, streamGit} from '../../git/process.ts'
import {readBlobs} from '../../git/read/blobs.ts'
import {type RepositoryFile, type Source, sourceOf} from './source.ts'

/** `<mode> <type> <object>\t<path>` of `git ls-tree`, or `<mode> <object> <stage>\t<path>` of `git ls-files`. */
const ENTRY = /^(?<mode>\d+) (?:blob |commit )?(?<id>\w+)(?: \d)?\t(?<path>.*)$/s

/**
 * The files of a commit.
 * @throws GitError if there is no such commit
 */
export async function readRevision(
  directory: string,
  revision: string,
  options: GitOptions,
): Promise<Source> {
  const args = ['ls-tree', '-r', '-z', '--end-of-options', `${revision}^{tree}`]
  return readEntries(directory, args, options)
}

/**
 * The files that the next commit will have.
 * @throws GitError
 */
export async function readIndex(directory: string, options: GitOptions): Promise<Source> {
  return readEntries(directory, ['ls-files', '--stage', '-z'], options)
}

async function readEntries(directory: string, args: readonly string[], options: GitOptions): Promise<Source> {
  const entries = new Map<string, {readonly mode: string; readonly id: string}>()
  const onField = (field: string) => {
    const {mode, id, path} = ENTRY.exec(field)?.groups ?? {}
    if (mode !== undefined && id !== undefined && path !== undefined) entries.set(path, {mode, id})
  }
  await streamGit(directory, args, splitFields(onField), options)
  const wanted = [...entries].filter(([path, {mode}]) => mayBeContent(path) && isFileMode(mode))
  const contents = new Map<string, FileContent>()
  const blobs = new Set(wanted.map(([, {id}]) => id))
  await readBlobs(directory, blobs, MAX_FILE_BYTES, (id, content) => contents.set(id, content), options)
  const files = Array.from(entries, ([path, {mode, id}]): RepositoryFile => {
    const content = KINDS.get(mode) ?? (mayBeContent(path) ? contents.get(id) : undefined)
    return {path, content, isExecutable: mode === '100755'}
  })
  return sourceOf(files)
}

/** What is not a file, by its mode. */
const KINDS: ReadonlyMap<string, FileContent> = new Map([
  ['120000', 'link'],
  ['160000', 'submodule'],
])
