import {mkdir, mkdtemp, readdir, rename, rm, rmdir} from 'node:fs/promises'
import {join} from 'node:path'
import {GITIGNORE} from './gitignore.ts'
import {HANDRAIL} from './objects/commitObject.ts'
import type {ObjectFormat} from './objects/looseObjects.ts'
import {committedBy, git, WITHOUT_HOOKS} from './process.ts'

/**
 * The person who installed the lake may not have configured a name in Git. Hooks and signing are for editors, and
 * the bytes of a file must be the same in the repository, whatever this machine's Git configuration.
 */
const AS_HANDRAIL = [
  ...committedBy(HANDRAIL),
  '-c',
  'commit.gpgSign=false',
  ...WITHOUT_HOOKS,
  '-c',
  'core.autocrlf=false',
]

/** The folder in which a repository is prepared. */
const SEEDING_PREFIX = '.seeding-'

/** Whether the name is that of a folder in which a repository was being prepared. */
export function isSeeding(name: string): boolean {
  return name.startsWith(SEEDING_PREFIX)
}

/**
 * Creates a bare repository in `directory`, which is missing or empty. It is prepared in a folder inside, because the
 * directory itself may be a mount point, and an interrupted start must leave no partial repository.
 * @param prepare fills a folder
 */
export async function createIn(directory: string, prepare: (folder: string) => Promise<void>): Promise<void> {
  await mkdir(directory, {recursive: true})
  await removeLeftovers(directory)
  const temporary = await mkdtemp(join(directory, SEEDING_PREFIX))
  await prepare(temporary).catch(async (error: unknown) => {
    await rm(temporary, {recursive: true, force: true})
    throw error
  })
  const names = await readdir(temporary)
  // Git takes a directory for a repository once it has HEAD.
  for (const name of names.toSorted((one, other) => Number(one === 'HEAD') - Number(other === 'HEAD')))
    await rename(join(temporary, name), join(directory, name))
  await rmdir(temporary)
}

async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (isSeeding(name)) await rm(join(directory, name), {recursive: true, force: true})
  }
}

type InitializeOptions = {
  /** Files of the first commit. Default: there is no commit. */
  readonly seedDirectory?: string | undefined
  /** Which of them, as pathspecs (gitglossary). Default: all. */
  readonly seedPaths?: readonly string[] | undefined
  /** Default: that of Git's configuration. */
  readonly format?: ObjectFormat
}

/**
 * Makes a folder a bare repository.
 * @throws GitError
 */
export async function initialize(
  folder: string,
  branch: string,
  {seedDirectory, seedPaths, format}: InitializeOptions = {},
): Promise<void> {
  const formats = format === undefined ? [] : [`--object-format=${format}`]
  await git(folder, ['init', '--quiet', '--bare', `--initial-branch=${branch}`, ...formats])
  // The commits from before a forced push stay in the reflog, which a bare repository has only with this.
  await git(folder, ['config', 'core.logAllRefUpdates', 'true'])
  // After a power cut, the branch must not name objects of a push that are lost.
  await git(folder, ['config', 'core.fsync', 'committed'])
  // What is pushed can be read, and checked out.
  await git(folder, ['config', 'receive.fsckObjects', 'true'])
  // A push must contain what was published meanwhile.
  await git(folder, ['config', 'receive.denyNonFastForwards', 'true'])
  if (seedDirectory !== undefined) await commitSeed(folder, seedDirectory, seedPaths)
}

async function commitSeed(
  folder: string,
  seedDirectory: string,
  paths: readonly string[] = ['.'],
): Promise<void> {
  const indexFile = join(folder, 'seed-index')
  const inSeed = [...AS_HANDRAIL, `--git-dir=${folder}`, `--work-tree=${seedDirectory}`]
  try {
    await git(folder, [...inSeed, 'add', '--', ...paths], {indexFile})
    if ((await git(folder, [...inSeed, 'ls-files'], {indexFile})) === '') return
    // npm leaves such a file out of packages.
    const ignored = await git(folder, [...inSeed, 'hash-object', '-w', '--stdin'], {input: GITIGNORE})
    const entry = `100644,${ignored.trim()},.gitignore`
    await git(folder, [...inSeed, 'update-index', '--add', '--cacheinfo', entry], {indexFile})
    await git(folder, [...inSeed, 'commit', '--quiet', '--message', 'Begin the content'], {indexFile})
  } finally {
    await rm(indexFile, {force: true})
  }
}
