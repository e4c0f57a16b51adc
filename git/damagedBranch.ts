import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {errorCode} from '../common/errorCode.ts'
import {readBranch, shortName} from './branch.ts'
import type {ContentDirectory} from './contentDirectory.ts'
import {git, gitLines} from './process.ts'

/** Maximum branches to name. */
const MAX_NAMED = 5

/**
 * Tells what to do if the file of HEAD's branch cannot be read, or holds no commit, as after a power cut. Git treats such a
 * branch as missing.
 * @returns undefined if the file is valid, or the branch is stored elsewhere
 */
export async function describeDamagedBranch(
  folder: Pick<ContentDirectory, 'gitDir'>,
): Promise<string | undefined> {
  const branch = await readBranch(folder.gitDir)
  if (branch === undefined) return undefined
  const file = join(folder.gitDir, branch)
  const name = shortName(branch)
  let content: string
  try {
    content = await readFile(file, 'utf8')
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined || code === 'ENOENT' || code === 'EISDIR') return undefined
    return `The branch ${name} of the content repository cannot be read (${code}): check the disk, and that the user of this process may read ${file}`
  }
  if (/^([0-9a-f]{40}|[0-9a-f]{64}|ref: \S+)\s*$/.test(content)) return undefined
  return (
    `The branch ${name} of the content repository is damaged, as after a power cut: ${file} contains no commit. ` +
    `Write its last commit there, which is the second word of the last line in ${join(folder.gitDir, 'logs', branch)}, or restore a backup`
  )
}

/**
 * Tells what to do if HEAD names a branch that does not exist, in a repository that has others, as after a branch was
 * renamed. To Git, this is a repository that is about to get its first commit.
 * @returns undefined if the branch exists, or there is none at all
 * @throws GitError
 */
export async function describeMissingHead({
  root,
  gitDir,
}: Pick<ContentDirectory, 'root' | 'gitDir'>): Promise<string | undefined> {
  if ((await readBranch(gitDir)) === undefined) return undefined
  const head = (await git(root, ['symbolic-ref', '--quiet', 'HEAD'])).trim()
  const branches = await gitLines(root, ['for-each-ref', '--format=%(refname)', 'refs/heads'])
  if (branches.length === 0 || branches.includes(head)) return undefined
  const [name, ...others] = [head, ...branches.slice(0, MAX_NAMED)].map(shortName)
  return (
    `HEAD of the content repository names the branch ${name}, which does not exist. It has ${others.join(', ')}. ` +
    `To serve another branch, run there: git symbolic-ref HEAD refs/heads/${others[0]}`
  )
}
