import {chmod, cp, mkdir, mkdtemp, readdir, rename, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {git} from './process.ts'

/**
 * The person who installed the lake may not have configured a name in Git. Hooks and signing are for editors.
 */
const AS_HANDRAIL = [
  '-c',
  'user.name=Handrail',
  '-c',
  'user.email=handrail@localhost',
  '-c',
  'commit.gpgSign=false',
  '-c',
  'core.hooksPath=/dev/null',
]

/** It keeps a push and a publish apart. */
const UPDATE_HOOK = fileURLToPath(new URL('hooks/update', import.meta.url))

const SEEDING_PREFIX = '.seeding-'

/** Whether the name is that of a folder in which a first commit was being prepared. */
export function isSeeding(name: string): boolean {
  return name.startsWith(SEEDING_PREFIX)
}

/**
 * Creates a repository in `directory`, which is missing or empty, with the documents under `seedDirectory` as
 * its first commit. The repository is prepared in a folder inside, because the directory itself may be a
 * mount point, and takes effect by one rename: an interrupted first start leaves no partial repository.
 * @throws GitError
 */
export async function createRepository(
  directory: string,
  seedDirectory?: string,
  branch = 'main',
): Promise<void> {
  await mkdir(directory, {recursive: true})
  await removeLeftovers(directory)
  const temporary = await mkdtemp(join(directory, SEEDING_PREFIX))
  await git(temporary, ['init', '--quiet', `--initial-branch=${branch}`])
  // Bytes must be the same in the repository and in the work tree, whatever this machine's Git configuration.
  await git(temporary, ['config', 'core.autocrlf', 'false'])
  await acceptPushes(temporary)
  if (seedDirectory !== undefined) await commitSeed(temporary, seedDirectory)
  await rename(join(temporary, '.git'), join(directory, '.git'))
  await finishSeeding(directory)
}

/** Fills the work tree from the index without touching existing files, and cleans up. */
export async function finishSeeding(directory: string): Promise<void> {
  await git(directory, ['checkout-index', '--all', '--index', '--quiet'])
  await removeLeftovers(directory)
}

async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (isSeeding(name)) await rm(join(directory, name), {recursive: true, force: true})
  }
}

/** Developers may push to the branch that is checked out: Git then updates index and work tree, if they are clean. */
async function acceptPushes(repository: string): Promise<void> {
  await git(repository, ['config', 'receive.denyCurrentBranch', 'updateInstead'])
  const hooks = join(repository, '.git', 'hooks')
  await mkdir(hooks, {recursive: true})
  await cp(UPDATE_HOOK, join(hooks, 'update'))
  await chmod(join(hooks, 'update'), 0o755)
}

async function commitSeed(repository: string, seedDirectory: string): Promise<void> {
  for (const name of await readdir(seedDirectory)) {
    if (name !== '.git') await cp(join(seedDirectory, name), join(repository, name), {recursive: true})
  }
  await git(repository, ['add', '--all'])
  if ((await git(repository, ['ls-files'])) === '') return
  await git(repository, [...AS_HANDRAIL, 'commit', '--quiet', '--message', 'Add the example content'])
}
