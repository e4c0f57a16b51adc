import type {ContentDirectory} from '../contentDirectory.ts'
import {HANDRAIL} from '../objects/commitObject.ts'
import {git} from '../process.ts'
import {DURABLY, isAncestor, type JoinOptions, moveTo} from './merge.ts'
import {type Remote, RemoteError} from './remote.ts'

/**
 * The trailer of the commit that promotes a standby, with the id of that lake. Because the commit is on the branch, the
 * next push of the old primary is not a fast-forward: the remote refuses it, and the old primary finds the commit when it
 * fetches the branch.
 */
const TRAILER = 'Handrail-Primary'

/** Maximum attempts to promote while others push to the branch. */
const MAX_ROUNDS = 5

/**
 * Finds which lake was promoted last by the commits that HEAD does not include.
 * @throws GitError
 */
export async function findPromotion(root: string, head: string, theirs: string): Promise<string | undefined> {
  const format = `--format=%(trailers:key=${TRAILER},valueonly)`
  const found = await git(root, ['log', '-1', format, `--grep=^${TRAILER}: `, theirs, '--not', head])
  return found.trim() || undefined
}

/**
 * Adds a commit without changes to a branch of the remote, which says that a lake is the primary now.
 * @throws RemoteError, GitError; the remote is unchanged then
 */
export async function announcePromotion(
  {root}: Pick<ContentDirectory, 'root'>,
  remote: Remote,
  branch: string,
  id: string,
): Promise<void> {
  const settings = ['-c', `user.name=${HANDRAIL.name}`, '-c', `user.email=${HANDRAIL.email}`, ...DURABLY]
  const message = `Promote a standby\n\n${TRAILER}: ${id}`
  let failed: {readonly at: string; readonly error: unknown} | undefined
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const theirs = await remote.fetch(branch)
    if (theirs === undefined)
      throw new RemoteError('the remote does not have the branch that this lake serves')
    if (failed?.at === theirs) throw failed.error
    const args = ['commit-tree', `${theirs}^{tree}`, '-p', theirs, '-m', message]
    const commit = (await git(root, [...settings, ...args])).trim()
    try {
      if (await remote.push(commit, branch, theirs)) return
    } catch (error) {
      // A host reports a lost race in words of its own. The branch has moved then.
      failed = {at: theirs, error}
    }
  }
  throw new RemoteError('the remote kept changing: try again')
}

/**
 * Moves HEAD to the commit of the remote, whatever HEAD is at. Commits that the remote never had are kept in a branch.
 * @param known the last commit of the remote that HEAD included
 * @returns the name of that branch, if there are such commits
 * @throws ConflictError, HeadMovedError, PublishError
 */
export async function followRemote(
  options: JoinOptions,
  {
    head,
    known,
    theirs,
  }: {readonly head: string | undefined; readonly known: string | undefined; readonly theirs: string},
): Promise<string | undefined> {
  if (head === theirs) return undefined
  const {root} = options.folder
  const had = [theirs, ...(known === undefined ? [] : [known])]
  let branch: string | undefined
  if (
    head !== undefined &&
    !(await Promise.all(had.map((one) => isAncestor(root, head, one)))).includes(true)
  ) {
    branch = `not-pushed/${head.slice(0, 12)}`
    await git(root, ['-c', 'core.fsync=reference', 'update-ref', `refs/heads/${branch}`, head])
  }
  await moveTo(options, head, theirs, 'follow the remote')
  return branch
}
