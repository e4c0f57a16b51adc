import {mkdir, readdir, realpath} from 'node:fs/promises'
import {errorMessage} from '../common/errorMessage.ts'
import {DETACHED, readBranch} from './branch.ts'
import type {ContentDirectory} from './contentDirectory.ts'
import {describeDamagedBranch, describeMissingHead} from './damagedBranch.ts'
import {createIn, initialize, isSeeding} from './newRepository.ts'
import {GitError, git} from './process.ts'
import {Remote} from './remote/remote.ts'

/** The folder cannot be a content repository. The message is one line for the person who configured it. */
export class ContentDirectoryError extends Error {}

type OpenOptions = {
  /** The documents of the first commit of a new repository. Not used if there is a remote. */
  readonly seedDirectory?: string | undefined
  /** Which of them: see `initialize`. */
  readonly seedPaths?: readonly string[] | undefined
  /** The address of a remote whose content a new repository is for. */
  readonly remote?: string | undefined
}

/**
 * Opens the bare content repository of a lake. If there is none, creates it: with the documents under
 * `seedDirectory` as its first commit, or on the default branch of the remote, which is then to be fetched.
 * @throws ContentDirectoryError
 */
export async function openContentDirectory(
  directory: string,
  options: OpenOptions = {},
): Promise<ContentDirectory> {
  const folder = await openRepository(directory, options)
  if (!folder.isBare) throw new ContentDirectoryError(describeWorkTree(directory, folder))
  if ((await readBranch(folder.gitDir)) === undefined)
    throw new ContentDirectoryError(`CONTENT_DIR ${directory}: ${DETACHED}`)
  return folder
}

/**
 * The same for a command, which also works in a clone with a work tree.
 * @throws ContentDirectoryError
 */
export async function openRepository(
  directory: string,
  {seedDirectory, seedPaths, remote}: OpenOptions = {},
): Promise<ContentDirectory> {
  const entries = await list(directory)
  if (entries.every(isSeeding)) {
    await requireGit()
    const branch = remote === undefined ? undefined : await defaultBranchFor(directory, remote)
    const seed = remote === undefined ? {seedDirectory, seedPaths} : {}
    await createIn(directory, (folder) => initialize(folder, branch ?? 'main', seed))
  }
  const folder = await locate(directory)
  // A remote may have the branch that HEAD names.
  const damage =
    (await describeDamagedBranch(folder)) ??
    (remote === undefined ? await describeMissingHead(folder) : undefined)
  if (damage !== undefined) throw new ContentDirectoryError(damage)
  return folder
}

/** How to go on with a repository that people check out. A copy keeps drafts, settings and remotes: a clone would not. */
function describeWorkTree(directory: string, {root, gitDir}: ContentDirectory): string {
  const bare = `${root}.git`
  return (
    `CONTENT_DIR ${directory} has a work tree, and the lake needs a bare repository: people clone it, commit and push. ` +
    `To convert a copy, run: cp -a '${gitDir}' '${bare}' && git -C '${bare}' config core.bare true. ` +
    `Then set CONTENT_DIR=${bare}`
  )
}

const NO_GIT = 'Git was not found: install it, or put it on the PATH'

async function requireGit(): Promise<void> {
  try {
    await git('.', ['--version'])
  } catch {
    throw new ContentDirectoryError(NO_GIT)
  }
}

/** Timeout of the question which branch a remote has, in milliseconds. */
const TIMEOUT = 60_000

/** Asked before anything is created, so that the next start tries it again. */
async function defaultBranchFor(directory: string, remote: string): Promise<string | undefined> {
  await mkdir(directory, {recursive: true})
  const {signal} = new AbortController()
  try {
    return await new Remote({root: directory}, remote, {timeout: TIMEOUT, signal}).defaultBranch()
  } catch (error) {
    throw new ContentDirectoryError(
      `CONTENT_DIR ${directory} is empty, and GIT_REMOTE cannot be cloned into it: ${errorMessage(error)}`,
    )
  }
}

/** The names in a folder; empty if the folder does not exist. */
async function list(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return []
    throw new ContentDirectoryError(`CONTENT_DIR ${directory} cannot be read (${String(code)})`)
  }
}

/** Asks Git instead of looking for `.git`, which is a file in a linked work tree. */
async function locate(directory: string): Promise<ContentDirectory> {
  const answer = await git(directory, [
    'rev-parse',
    '--is-bare-repository',
    '--is-inside-work-tree',
    '--show-object-format',
    '--path-format=absolute',
    '--git-dir',
  ]).catch((error: unknown) => {
    const reason = errorMessage(error)
    if (error instanceof GitError && error.exitCode === undefined && /: not found/.test(reason))
      throw new ContentDirectoryError(NO_GIT)
    throw new ContentDirectoryError(
      reason.includes('not a git repository')
        ? `CONTENT_DIR ${directory} is not empty and is not a Git repository: choose another folder`
        : `CONTENT_DIR ${directory} cannot be opened: ${reason}`,
    )
  })
  const [bare, inWorkTree, format, gitDir = ''] = answer.trim().split('\n')
  const isBare = bare === 'true'
  const toplevel =
    inWorkTree === 'true' ? (await git(directory, ['rev-parse', '--show-toplevel'])).trim() : gitDir
  const root = await realpath(directory)
  if ((await realpath(toplevel)) !== root) {
    throw new ContentDirectoryError(
      `CONTENT_DIR ${directory} is inside the repository ${toplevel}: it must be its own repository`,
    )
  }
  return {root, gitDir: isBare ? root : gitDir, isBare, format: format === 'sha256' ? 'sha256' : 'sha1'}
}
