import type {ContentDirectory} from '../contentDirectory.ts'
import {HANDRAIL} from '../objects/commitObject.ts'
import {committedBy, git, gitLines} from '../process.ts'
import {DURABLY, isAncestor, type JoinOptions, moveTo} from './merge.ts'
import {NOT_PUSHED} from './notPushed.ts'
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
 * A tag of the remote at the commit that promotes a lake. Only who may push to the remote can set it: the text of a commit
 * may come from a pull request.
 */
const TAGS = 'refs/tags/handrail-primary/'

/**
 * Finds which lake was promoted last by the commits that HEAD does not include. Only commits as
 * {@link announcePromotion} makes them count.
 * @returns the id of that lake, and the commits that name a primary, but that no lake made
 * @throws GitError, RemoteError
 */
export async function findPromotions(
  root: string,
  remote: Pick<Remote, 'refs'>,
  head: string,
  theirs: string,
) {
  const args = ['log', '--topo-order', '--format=%H', `--grep=^${TRAILER}:`, theirs, '--not', head]
  const commits = await gitLines(root, args)
  if (commits.length === 0) return {promoted: undefined, ignored: []}
  const tags = await remote.refs(`${TAGS}*`)
  const ids = new Map(Array.from(tags, ([name, commit]) => [commit, name.slice(TAGS.length)]))
  let promoted: string | undefined
  const ignored: string[] = []
  for (const commit of commits) {
    const id = ids.get(commit)
    if (id !== undefined && (await isPromotion(root, commit, id))) promoted ??= id
    else ignored.push(commit)
  }
  return {promoted, ignored}
}

async function isPromotion(root: string, commit: string, id: string): Promise<boolean> {
  const shown = await git(root, ['log', '-1', '--format=%T%n%P%n%an <%ae>%n%cn <%ce>%n%B', commit])
  const [tree, parent = '', author, committer, ...message] = shown.trimEnd().split('\n')
  const own = `${HANDRAIL.name} <${HANDRAIL.email}>`
  const isOwn = author === own && committer === own && message.join('\n') === messageOf(id)
  if (!isOwn || !/^[0-9a-f]+$/.test(parent)) return false
  return (await git(root, ['rev-parse', `${parent}^{tree}`])).trim() === tree
}

function messageOf(id: string): string {
  return `Promote a standby\n\n${TRAILER}: ${id}`
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
  const settings = [...committedBy(HANDRAIL), ...DURABLY]
  const message = messageOf(id)
  const tag = `${TAGS}${id}`
  let failed: {readonly at: string; readonly error: unknown} | undefined
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const theirs = await remote.fetch(branch)
    if (theirs === undefined)
      throw new RemoteError('the remote does not have the branch that this lake serves')
    if (failed?.at === theirs) throw failed.error
    const args = ['commit-tree', `${theirs}^{tree}`, '-p', theirs, '-m', message]
    const commit = (await git(root, [...settings, ...args])).trim()
    await remote.replace(tag, await remote.commitOf(tag), commit)
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
    branch = `${NOT_PUSHED}${head.slice(0, 12)}`
    await git(root, ['-c', 'core.fsync=reference', 'update-ref', `refs/heads/${branch}`, head])
  }
  await moveTo(options, head, theirs, 'follow the remote')
  return branch
}
