import {existsSync} from 'node:fs'
import {copyFile, cp, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import {atomicWrite, fileModeIn, OWNER_ONLY, syncDirectory} from '../../common/atomicWrite.ts'
import {errorCode} from '../../common/errorCode.ts'
import {writeFailure} from '../../content/drafts/notKept.ts'
import type {State} from '../../content/state/state.ts'
import {requireBranch} from '../../git/branch.ts'
import {writeBundle} from '../../git/bundle.ts'
import type {ContentDirectory} from '../../git/contentDirectory.ts'
import packageJson from '../../package.json' with {type: 'json'}
import {BUNDLE, DATABASE, MANIFEST, manifestText} from './manifest.ts'

const PARTIAL = '.partial-'

/** Milliseconds without a change after which an incomplete backup counts as abandoned. */
const ABANDONED = 15 * 60_000

/** The name of a backup: when it was made. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/

type BackupOptions = {
  readonly folder: ContentDirectory
  readonly state: State
  /** The folder in which each backup gets a folder of its own. */
  readonly to: string
  /** How many backups to keep there. Default: all. */
  readonly keep?: number | undefined
}

/**
 * Copies what a lake needs while it runs: the database, and then the repository. In this order, the commit of every publish that
 * the database knows of is in the copy. It needs as much disk space as both. An incomplete backup never has the name of a
 * complete one.
 * @returns the folder of the backup
 * @throws StateError, GitError, or the error of the file system
 */
export async function writeBackup({folder, state, to, keep}: BackupOptions): Promise<string> {
  await makeFolder(to)
  await removePartial(to)
  const partial = await mkdtemp(join(to, PARTIAL))
  const at = new Date().toISOString()
  const path = join(to, at.replaceAll(':', '-'))
  try {
    await state.backUp(join(partial, DATABASE))
    const branch = await requireBranch(folder.gitDir)
    const commit = await writeBundle(folder.root, branch, join(partial, BUNDLE))
    await copyFile(join(folder.gitDir, 'config'), join(partial, 'config'))
    const hooks = join(folder.gitDir, 'hooks')
    const isUsed = (source: string) => !source.endsWith('.sample')
    if (existsSync(hooks))
      await cp(hooks, join(partial, 'hooks'), {recursive: true, dereference: true, filter: isUsed})
    const manifest = {at, version: packageJson.version, branch, commit, objectFormat: folder.format}
    const text = await manifestText(partial, manifest)
    await syncFiles(partial)
    await atomicWrite(join(partial, MANIFEST), text, {mode: 0o600, prefix: '.manifest-'})
    await syncDirectory(partial)
    await rename(partial, path)
    await syncDirectory(to)
  } catch (error) {
    await rm(partial, {recursive: true, force: true})
    throw error
  }
  if (keep !== undefined)
    for (const name of (await backupsIn(to)).slice(0, -keep)) await rm(join(to, name), {recursive: true})
  return path
}

/** Creates the last folder of a path only: for a path that the kernel refuses, a recursive `mkdir` of Node never ends. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, {mode: OWNER_ONLY})
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && (await stat(path)).isDirectory()) return
    const reason = existsSync(dirname(path)) ? writeFailure(error) : `${dirname(path)} does not exist`
    throw new Error(`The folder of backups ${path} cannot be created: ${reason}`, {cause: error})
  }
}

/** The names of the backups in a folder, the oldest first. */
export async function backupsIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => NAME.test(name)).sort()
}

/** Where a lake finds when it was backed up last. */
const LAST_BACKUP = join('handrail', 'last-backup')

/** Notes for a running lake that a backup is complete. @throws the error of the file system */
export async function noteBackup({gitDir}: ContentDirectory, path: string): Promise<void> {
  const time = basename(path).replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:')
  const mode = await fileModeIn(join(gitDir, 'handrail'))
  await atomicWrite(join(gitDir, LAST_BACKUP), `${time}\n`, {mode, prefix: '.last-backup-'})
}

/** When the last backup was made, in seconds since 1970; 0 if there is none. */
export async function lastBackup({gitDir}: ContentDirectory): Promise<number> {
  const text = await readFile(join(gitDir, LAST_BACKUP), 'utf8').catch(() => '')
  return Date.parse(text.trim()) / 1_000 || 0
}

/** A backup that was killed leaves its folder. Another one may be running. */
async function removePartial(to: string): Promise<void> {
  for (const name of (await readdir(to)).filter((one) => one.startsWith(PARTIAL))) {
    const path = join(to, name)
    const files = (await readdir(path).catch(() => [])).map((file) => join(path, file))
    const times = [path, ...files].map(async (one) => (await stat(one).catch(() => undefined))?.mtimeMs ?? 0)
    if (Date.now() - Math.max(...(await Promise.all(times))) > ABANDONED)
      await rm(path, {recursive: true, force: true})
  }
}

async function syncFiles(folder: string): Promise<void> {
  for (const entry of await readdir(folder, {recursive: true, withFileTypes: true})) {
    if (!entry.isFile()) continue
    const file = await open(join(entry.parentPath, entry.name), 'r')
    await file.sync().finally(() => file.close())
  }
}
