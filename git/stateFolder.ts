import {chmod, readdir, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {ensureDirectory, OWNER_ONLY} from '../common/atomicWrite.ts'
import {git} from './process.ts'

/**
 * Creates the folder of the lake's state in a Git folder, unless it exists. It has drafts and the secrets of previews,
 * so only its owner may open it and read its files. If `core.sharedRepository` says
 * that others may use the repository, folder and files stay as they are, and new ones get the permissions of the umask.
 * @returns the folder
 * @throws the error of the file system if it cannot be created
 */
export async function openStateFolder(gitDir: string): Promise<string> {
  const folder = join(gitDir, 'handrail')
  if (await isShared(gitDir)) {
    await ensureDirectory(folder)
    return folder
  }
  await ensureDirectory(folder, OWNER_ONLY)
  const files = (await readdir(folder, {withFileTypes: true})).filter((entry) => entry.isFile())
  for (const path of [folder, ...files.map(({name}) => join(folder, name))]) await restrict(path)
  return folder
}

/** Some file systems have no permissions, and a file may disappear meanwhile. */
async function restrict(path: string): Promise<void> {
  const mode = await stat(path).then(
    (found) => found.mode & 0o777,
    () => 0,
  )
  if ((mode & 0o077) !== 0) await chmod(path, mode & OWNER_ONLY).catch(() => {})
}

/** Whether Git lets other users of the machine use the repository (git-config, `core.sharedRepository`). */
async function isShared(gitDir: string): Promise<boolean> {
  // Git exits with 1 if it is not set.
  const value = (await git(gitDir, ['config', '--get', 'core.sharedRepository']).catch(() => '')).trim()
  if (/^0[0-7]{3}$/.test(value)) return (Number.parseInt(value, 8) & 0o077) !== 0
  return /^(?:1|2|true|yes|on|group|all|world|everybody)$/i.test(value)
}
