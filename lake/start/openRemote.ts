import {errorMessage} from '../../common/errorMessage.ts'
import {documentRules} from '../../content/contentRules.ts'
import {HeadFollower} from '../../git/read/headFollower.ts'
import {FetchSchedule} from '../../git/remote/fetchSchedule.ts'
import {RemoteSync} from '../../git/remote/remoteSync.ts'
import type {LakeSettings} from '../lakeSettings.ts'
import {Pulls} from '../webhooks/pulls.ts'
import {reviewIdIn} from '../write/transaction/review/reviewRequest.ts'
import type {Writer} from '../write/writer.ts'
import type {OpenContent} from './openContent.ts'

/** How long the last push may take when the lake closes, in milliseconds. */
export const PUSH_DEADLINE = 5_000

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
    rules: documentRules(repository.layout),
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

/** What follows the commits of others. */
type Following = {
  readonly pulls: Pulls
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
  const pulls = new Pulls({
    pull: () => remote.pull(),
    refresh: () => writer.refresh(),
    head: () => repository.head,
  })
  opened.defer(() => pulls.settled())
  const fetches = new FetchSchedule({
    every: gitFetchSeconds * 1_000,
    pull: async () => {
      const {result, commit} = await pulls.request()
      if (result === 'pulled') logger.info({commit}, 'fetched what others pushed to the remote')
      return result !== 'failing'
    },
  })
  opened.defer(() => fetches.stop())
  opened.defer(() => remote.close(PUSH_DEADLINE))
  const follower = new HeadFollower(folder, () => writer.refresh(), logger)
  const start = () => {
    opened.defer(() => follower.stop())
    follower.start()
    remote.published()
    if (gitRemote !== undefined) fetches.start()
  }
  return {pulls, follower, start}
}
