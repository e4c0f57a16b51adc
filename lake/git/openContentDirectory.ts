import {mkdir, readdir, realpath} from 'node:fs/promises'
import {errorMessage} from '../../common/errorMessage.ts'
import type {ContentDirectory} from './contentDirectory.ts'
import {describeDamagedBranch} from './damagedBranch.ts'
import {git} from './process.ts'
import {Remote} from './remote/remote.ts'
import {createRepository, finishSeeding, isSeeding} from './seedRepository.ts'

/** The folder cannot be a content repository. The message is one line for the person who configured it. */
export class ContentDirectoryError extends Error {}

export type OpenOptions = {
  /** The documents of the first commit of a new repository. Not used if there is a remote. */
  readonly seedDirectory?: string | undefined
  /** The address of a remote whose content a new repository is for. */
  readonly remote?: string | undefined
}

/**
 * Opens the content repository at `directory`. If there is none, creates it: with the documents under
 * `seedDirectory` as its first commit, or on the default branch of the remote, which is then to be fetched.
 * @throws ContentDirectoryError
 */
export async function openContentDirectory(
  directory: string,
  {seedDirectory, remote}: OpenOptions = {},
): Promise<ContentDirectory> {
  await requireGit()
  const entries = await list(directory)
  if (entries.every(isSeeding)) {
    if (remote === undefined) await createRepository(directory, seedDirectory)
    else await createRepository(directory, undefined, await defaultBranchFor(directory, remote))
  } else if (entries.includes('.git') && entries.some(isSeeding)) await finishSeeding(directory)
  const folder = await locate(directory)
  const damage = await describeDamagedBranch(folder)
  if (damage !== undefined) throw new ContentDirectoryError(damage)
  return folder
}

async function requireGit(): Promise<void> {
  try {
    await git('.', ['--version'])
  } catch {
    throw new ContentDirectoryError('Git was not found: install it, or put it on the PATH')
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
    '--path-format=absolute',
    '--git-dir',
    '--git-common-dir',
  ]).catch((error: unknown) => {
    const reason = errorMessage(error)
    throw new ContentDirectoryError(
      reason.includes('not a git repository')
        ? `CONTENT_DIR ${directory} is not empty and is not a Git repository: choose another folder, or run "git init" there`
        : `CONTENT_DIR ${directory} cannot be opened: ${reason}`,
    )
  })
  const [bare, gitDir = '', commonDir = ''] = answer.trim().split('\n')
  const isBare = bare === 'true'
  const toplevel = isBare ? gitDir : (await git(directory, ['rev-parse', '--show-toplevel'])).trim()
  const root = await realpath(directory)
  if ((await realpath(toplevel)) !== root) {
    throw new ContentDirectoryError(
      `CONTENT_DIR ${directory} is inside the repository ${toplevel}: it must be its own repository`,
    )
  }
  return {root, gitDir, commonDir, isBare}
}
