import {chmod} from 'node:fs/promises'
import {join} from 'node:path'
import {ensureDirectory, OWNER_ONLY} from '../common/atomicWrite.ts'

/**
 * Creates the folder of the lake's state in a Git folder, unless it exists. It has drafts and the secrets of previews,
 * so only its owner may open it, also in a repository that others may use.
 * @returns the folder
 * @throws the error of the file system if it cannot be created
 */
export async function openStateFolder(gitDir: string): Promise<string> {
  const folder = join(gitDir, 'handrail')
  await ensureDirectory(folder, OWNER_ONLY)
  // Some file systems have no permissions.
  await chmod(folder, OWNER_ONLY).catch(() => {})
  return folder
}
