import {lstatSync, readdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {errorCode} from '../../common/errorCode.ts'
import {mayBeContent} from '../../content/layout/layout.ts'
import {MAX_FILE_BYTES} from '../../content/parseDocument.ts'
import {GitError, git, splitFields, streamGit} from '../../git/process.ts'
import {CommandError} from '../command.ts'
import {readRevision} from './gitFiles.ts'
import {type RepositoryFile, type Source, sourceOf} from './source.ts'

/**
 * The files of a directory. In a work tree of Git, these are the files that "git add --all" would commit, so
 * ignored ones are left out. Those of a bare repository are in its newest commit.
 * @throws CommandError if there is no such directory
 * @throws GitError if a bare repository has no commit
 */
export async function readWorkTree(directory: string): Promise<Source> {
  if (!isDirectory(directory)) throw new CommandError(`${directory} is not a directory.`)
  const kind = await kindOf(directory)
  if (kind === 'bare') return readRevision(directory, 'HEAD', {})
  const paths = kind === 'work tree' ? await listWorkTree(directory) : listDirectory(directory)
  return sourceOf([...paths].flatMap((path) => readFile(directory, path) ?? []))
}

async function kindOf(directory: string): Promise<'work tree' | 'bare' | 'folder'> {
  try {
    const answer = await git(directory, ['rev-parse', '--is-inside-work-tree', '--is-bare-repository'])
    const [isInWorkTree, isBare] = answer.trim().split('\n')
    if (isInWorkTree === 'true') return 'work tree'
    return isBare === 'true' ? 'bare' : 'folder'
  } catch (error) {
    if (error instanceof GitError) return 'folder'
    throw error
  }
}

async function listWorkTree(directory: string): Promise<Set<string>> {
  const paths = new Set<string>()
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  await streamGit(
    directory,
    args,
    splitFields((path) => paths.add(path)),
  )
  return paths
}

function listDirectory(directory: string): string[] {
  const entries = readdirSync(directory, {recursive: true, withFileTypes: true})
  return entries.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name).slice(join(directory, '/').length)
    return entry.isDirectory() || /(^|[/\\])(\.git|node_modules)[/\\]/.test(path)
      ? []
      : [path.replaceAll('\\', '/')]
  })
}

/** Undefined: the file was deleted. */
function readFile(directory: string, path: string): RepositoryFile | undefined {
  const file = `${directory}/${path}`
  try {
    const stats = lstatSync(file)
    const isExecutable = stats.isFile() && (stats.mode & 0o100) !== 0
    if (stats.isSymbolicLink()) return {path, content: 'link', isExecutable}
    // Git lists a repository in a work tree as one path, with a slash at its end if it is not a submodule yet.
    if (stats.isDirectory()) return {path: path.replace(/\/$/, ''), content: 'submodule', isExecutable}
    if (!mayBeContent(path)) return {path, content: undefined, isExecutable}
    if (!stats.isFile()) return {path, content: 'unreadable', isExecutable, failure: 'not a regular file'}
    if (stats.size > MAX_FILE_BYTES) return {path, content: 'too large', isExecutable}
    return {path, content: readFileSync(file), isExecutable}
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (code === undefined) throw error
    return {path, content: 'unreadable', isExecutable: false, failure: code}
  }
}

function isDirectory(directory: string): boolean {
  return statSync(directory, {throwIfNoEntry: false})?.isDirectory() ?? false
}
