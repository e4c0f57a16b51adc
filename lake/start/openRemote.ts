import {inBackground} from '../../common/background.ts'
import {backoffDelay, wait} from '../../common/backoff.ts'
import {errorMessage} from '../../common/errorMessage.ts'
import {findBrokenIn} from '../../content/parseDocument.ts'
import {HeadFollower} from '../../git/headFollower.ts'
import {RemoteSync} from '../../git/remote/remoteSync.ts'
import type {LakeSettings} from '../lakeSettings.ts'
import {reviewIdIn} from '../write/transaction/review/reviewRequest.ts'
import type {Writer} from '../write/writer.ts'
import type {OpenContent} from './openContent.ts'

/** How long the last push may take when the lake closes, in milliseconds. */
const PUSH_DEADLINE = 5_000

/** Longest time between two fetches, in seconds. A webhook of the Git host makes them at once. */
const FETCH_SECONDS = 180

/**
 * Prepares pushes to `GIT_REMOTE`, and fetches it first if the repository has no commit yet.
 * @throws Error with one line if there is nothing to serve then
 */
export async function openRemote(
  {folder, publisher, repository}: OpenContent,
  {gitRemote, logger}: LakeSettings,
): Promise<RemoteSync> {
  const remote = new RemoteSync({
    folder,
    publisher,
    findBroken: findBrokenIn(repository.layout),
    remote: gitRemote,
    isOwnBranch: (branch) => reviewIdIn(branch) !== undefined,
    logger,
  })
  await remote.fetchFirst().catch((error: unknown) => {
    throw new Error(
      `The content repository has no commit, and GIT_REMOTE cannot be fetched: ${errorMessage(error)}`,
    )
  })
  return remote
}

/** The result of a pull. */
export type Pulled = {
  /** `conflict`: a person has to merge; `failing`: will be retried. */
  readonly result: 'pulled' | 'unchanged' | 'conflict' | 'failing'
  /** The commit that is served now. */
  readonly commit: string | null
  /** One line, without credentials. */
  readonly reason?: string
}

/** What follows the commits of others. */
type Following = {
  /**
   * Pulls. Resolves once the pulled content is served.
   * @throws if the content repository cannot be read
   */
  readonly pull: () => Promise<Pulled>
  readonly follower: HeadFollower
  /** Starts to push, to fetch and to follow HEAD. */
  start(): void
}

/** Prepares to follow commits that others push to this repository or to its remote. */
export function followCommits(
  {folder, repository}: OpenContent,
  remote: RemoteSync,
  writer: Writer,
  {gitRemote, gitFetchSeconds = FETCH_SECONDS, logger}: LakeSettings,
  opened: AsyncDisposableStack,
): Following {
  const pull = async (): Promise<Pulled> => {
    const before = repository.head
    const {state, lastError} = await remote.pull()
    await writer.refresh()
    const {head: commit = null} = repository
    if ((state === 'conflict' || state === 'failing') && lastError !== undefined)
      return {result: state, commit, reason: lastError}
    return {result: commit === (before ?? null) ? 'unchanged' : 'pulled', commit}
  }
  const every = gitFetchSeconds * 1_000
  const stop = new AbortController()
  const fetchRegularly = async () => {
    while (!stop.signal.aborted) {
      await wait(backoffDelay(1, {first: every, longest: every}), stop.signal)
      if (stop.signal.aborted) return
      const {result, commit} = await pull()
      if (result === 'pulled') logger.info({commit}, 'fetched what others pushed to the remote')
    }
  }
  opened.defer(() => remote.close(PUSH_DEADLINE))
  const follower = new HeadFollower(folder, () => writer.refresh(), logger)
  const start = () => {
    opened.defer(() => follower.stop())
    follower.start()
    remote.published()
    if (gitRemote === undefined) return
    const fetching = inBackground(fetchRegularly, {
      onFailure: (err) => logger.warn({err}, 'cannot serve what others pushed to the remote'),
      retry: {first: every, longest: every, signal: stop.signal},
    })
    opened.defer(async () => {
      stop.abort()
      await fetching
    })
  }
  return {pull, follower, start}
}
