import {mayBeContent} from '../../content/layout/layout.ts'
import {type FileContent, MAX_FILE_BYTES} from '../../content/parseDocument.ts'
import {type GitOptions, splitFields, streamGit} from '../../git/process.ts'
import {readContents} from '../../git/read/blobs.ts'
import {type FileState, fileState} from '../../git/read/trees.ts'
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
  const states = Array.from(entries, ([path, entry]) => fileState(path, entry))
  const wanted = states.filter(({path, kind}) => kind !== undefined || mayBeContent(path))
  const contents = new Map<string, FileContent>()
  const onFile = ({path}: FileState, content: FileContent) => contents.set(path, content)
  await readContents(directory, wanted, MAX_FILE_BYTES, onFile, options)
  return sourceOf(
    Array.from(entries, ([path, {mode}]): RepositoryFile => {
      return {path, content: contents.get(path), isExecutable: mode === '100755'}
    }),
  )
}
