import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {errorCode} from '../common/errorCode.ts'
import {fetchedRef, readBranch, shortName} from './branch.ts'
import type {ContentDirectory} from './contentDirectory.ts'
import {commitAt, git, gitLines} from './process.ts'

/** Maximum branches to name. */
const MAX_NAMED = 5

/** Maximum commits of a reflog to try, the newest first: a power cut may have destroyed some objects, too. */
const MAX_TRIED = 20

/**
 * Tells what to do if the file of HEAD's branch cannot be read, or holds no commit, as after a power cut. Git treats such a
 * branch as missing.
 * @returns undefined if the file is valid, or the branch is stored elsewhere
 */
export async function describeDamagedBranch(folder: ContentDirectory): Promise<string | undefined> {
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
  const damage = `The branch ${name} of the content repository is damaged, as after a power cut: ${file} contains no commit.`
  const last = await lastCommit(folder, branch)
  return last === undefined
    ? `${damage} No earlier commit of it is known. Restore the file from a backup or from another clone`
    : `${damage} The last commit of this branch in ${last.source} is ${last.commit}. To continue from there, run: echo ${last.commit} > '${file}'`
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

type Candidate = {readonly commit: string; readonly source: string}

async function lastCommit(folder: ContentDirectory, branch: string): Promise<Candidate | undefined> {
  for (const candidate of await earlierCommits(folder, branch)) {
    if ((await commitAt(folder.root, `${candidate.commit}^{tree}`)) !== undefined) return candidate
  }
  return undefined
}

/** Commits that a branch was at, the newest first. Git may not have them. */
async function earlierCommits(
  {root, gitDir}: Pick<ContentDirectory, 'root' | 'gitDir'>,
  branch: string,
): Promise<readonly Candidate[]> {
  const log = await readFile(join(gitDir, 'logs', branch), 'utf8').catch(() => '')
  const logged = log.split('\n').flatMap((line) => /^[0-9a-f]+ ([0-9a-f]+) /.exec(line)?.[1] ?? [])
  const fetched = await commitAt(root, fetchedRef(branch))
  return [
    ...logged
      .slice(-MAX_TRIED)
      .reverse()
      .map((commit) => ({commit, source: 'the reflog'})),
    ...(fetched === undefined ? [] : [{commit: fetched, source: 'the last fetch from the remote'}]),
  ]
}
