import {chmod, readdir, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {ensureDirectory, OWNER_ONLY} from '../common/atomicWrite.ts'

/**
 * Creates the folder of the lake's state in a Git folder, unless it exists. It has drafts and the secrets of previews,
 * so only its owner may open it and read its files, also in a repository that others may use.
 * @returns the folder
 * @throws the error of the file system if it cannot be created
 */
export async function openStateFolder(gitDir: string): Promise<string> {
  const folder = join(gitDir, 'handrail')
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
