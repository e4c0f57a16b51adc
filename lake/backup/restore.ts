import {existsSync} from 'node:fs'
import {chmod, copyFile, cp, readdir} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {errorMessage} from '../../common/errorMessage.ts'
import {State} from '../../content/state/state.ts'
import {readBranch, shortName} from '../../git/branch.ts'
import {readBundle} from '../../git/bundle.ts'
import type {ContentDirectory} from '../../git/contentDirectory.ts'
import {acquireLock} from '../../git/lock/repositoryLock.ts'
import {createIn, initialize, isSeeding} from '../../git/newRepository.ts'
import {openContentDirectory} from '../../git/openContentDirectory.ts'
import {git} from '../../git/process.ts'
import {readHead} from '../../git/read/commits.ts'
import {isAncestor} from '../../git/remote/conflicts.ts'
import {DURABLY} from '../../git/remote/merge.ts'
import {Remote} from '../../git/remote/remote.ts'
import {openStateFolder} from '../../git/stateFolder.ts'
import {backupsIn} from './backup.ts'
import {BUNDLE, checkedManifest, DATABASE, MANIFEST, type Manifest} from './manifest.ts'

/** Timeout of the fetch from the remote, in milliseconds. */
const FETCH_TIMEOUT = 600_000

type RestoreOptions = {
  /** A backup, or a folder of backups, of which the newest is restored. */
  readonly from: string
  readonly contentDir: string
  /** The remote that may have newer commits. */
  readonly gitRemote: string | undefined
}

export type Restored = {
  readonly from: string
  readonly manifest: Manifest
  /** Whether commits of the remote were added. */
  readonly hasNewer: boolean
  /** Why newer commits of the remote are not here. */
  readonly remoteProblem: string | undefined
  readonly drafts: number
}

/**
 * Restores a backup to a folder that is missing or empty, so that a lake can start there. An interrupted call leaves nothing that a
 * lake would take for its repository. Newer commits of the remote are included.
 * @throws Error with one line; nothing is restored then
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const {contentDir, gitRemote} = options
  await requireEmpty(contentDir)
  const from = await findBackup(resolve(options.from))
  const manifest = await checkBackup(from)
  await createIn(contentDir, (folder) => fill(folder, from, manifest))
  const folder = await openContentDirectory(contentDir)
  const lock = await acquireLock(folder.gitDir)
  try {
    const remoteProblem = gitRemote && (await catchUp(folder, gitRemote))
    const state = State.open(join(folder.gitDir, 'handrail'))
    try {
      const drafts = Number(state.get('SELECT count(*) AS count FROM draft')?.count)
      const hasNewer = (await readHead(folder.root)) !== manifest.commit
      return {from, manifest, hasNewer, remoteProblem, drafts}
    } finally {
      state.close()
    }
  } finally {
    lock.release()
  }
}

async function requireEmpty(contentDir: string): Promise<void> {
  const entries = existsSync(contentDir) ? await readdir(contentDir) : []
  if (!entries.every(isSeeding))
    throw new Error(
      `CONTENT_DIR ${contentDir} is not empty, and a backup replaces nothing: stop the lake, move that folder away, and try again`,
    )
}

/** @throws Error with one line */
async function findBackup(path: string): Promise<string> {
  if (existsSync(join(path, MANIFEST))) return path
  const newest = (existsSync(path) ? await backupsIn(path) : []).at(-1)
  if (newest === undefined) throw new Error(`${path} has no backup`)
  return join(path, newest)
}

/**
 * Checks that a backup is as it was written, and its tables are known.
 * @throws Error with one line
 */
export async function checkBackup(from: string): Promise<Manifest> {
  const manifest = await checkedManifest(from)
  try {
    State.openReadOnly(from).close()
  } catch (error) {
    throw new Error(`${from} cannot be restored: ${errorMessage(error)}`, {cause: error})
  }
  return manifest
}

/** Makes a folder the repository of a backup, with the lake's database in it. */
async function fill(folder: string, from: string, manifest: Manifest): Promise<void> {
  await initialize(folder, shortName(manifest.branch), {format: manifest.objectFormat})
  await copyFile(join(from, 'config'), join(folder, 'config'))
  if (existsSync(join(from, 'hooks'))) await cp(join(from, 'hooks'), join(folder, 'hooks'), {recursive: true})
  if (manifest.commit !== undefined) await readBundle(folder, join(from, BUNDLE))
  if ((await readHead(folder)) !== manifest.commit)
    throw new Error(`${from} is damaged: ${BUNDLE} lacks the commit ${manifest.commit}. Use another backup`)
  const database = join(await openStateFolder(folder), DATABASE)
  await copyFile(join(from, DATABASE), database)
  await chmod(database, 0o600)
}

/**
 * Moves the branch to the commit that the remote has, if that one includes it. The lake merges otherwise.
 * @returns why it is not there
 */
async function catchUp({root, gitDir}: ContentDirectory, address: string): Promise<string | undefined> {
  try {
    const {signal} = new AbortController()
    const remote = new Remote({root}, address, {timeout: FETCH_TIMEOUT, signal})
    const [branch, head] = [await readBranch(gitDir), await readHead(root)]
    const theirs = branch === undefined ? undefined : await remote.fetch(branch)
    if (branch === undefined || theirs === undefined || head === undefined) return undefined
    if (await isAncestor(root, theirs, head)) return undefined
    if (!(await isAncestor(root, head, theirs))) return 'it lacks commits that the backup has'
    const reason = ['-m', 'restore: fast-forward to the remote']
    await git(root, [...DURABLY, 'update-ref', ...reason, branch, theirs, head])
    return undefined
  } catch (error) {
    return errorMessage(error)
  }
}
