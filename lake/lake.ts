import type {FastifyInstance} from 'fastify'
import {errorMessage} from '../common/errorMessage.ts'
import {listen} from '../common/http/listen.ts'
import {LOSSLESS} from '../common/log/log.ts'
import {DOCUMENT_RULES} from '../content/contentRules.ts'
import {ContentRepository} from '../content/repository.ts'
import {type Applied, DocumentStore} from '../content/store.ts'
import {UniqueValues} from '../content/uniqueValues.ts'
import {Publisher} from '../git/commit/publisher.ts'
import {openLock} from '../git/lock/openLock.ts'
import {openContentDirectory} from '../git/openContentDirectory.ts'
import {runGitSeparately} from '../git/process.ts'
import {HeadFollower} from '../git/read/headFollower.ts'
import {FetchSchedule} from '../git/remote/fetchSchedule.ts'
import {RemoteSync} from '../git/remote/remoteSync.ts'
import {openAccess} from './access/openAccess.ts'
import {browserAddress, noteAddress} from './access/runningAddress.ts'
import {openServiceToken} from './access/serviceToken.ts'
import {auditFileOf} from './audit/auditFiles.ts'
import {AuditLog} from './audit/auditLog.ts'
import {openHistory} from './history/openHistory.ts'
import {buildApp} from './http/app.ts'
import type {LakeSettings} from './lakeSettings.ts'
import {QueryCompiler} from './query/compile.ts'
import {lakeChecks} from './readiness/lakeChecks.ts'
import {Readiness} from './readiness/readiness.ts'
import {addRoutes} from './routes.ts'
import {OutgoingWebhooks} from './webhooks/outgoing/outgoingWebhooks.ts'
import {ReviewWebhooks} from './webhooks/outgoing/reviewWebhooks.ts'
import {Pulls} from './webhooks/pulls.ts'
import {createWriter} from './write/createWriter.ts'
import {NotKeptError} from './write/errors.ts'
import {findReviewBranch, ReviewBranches} from './write/reviewBranches.ts'
import {reviewIdIn} from './write/transaction/review/reviewRequest.ts'
import {NO_REVIEWS} from './write/transaction/review/reviewRules.ts'

export type Lake = {
  /** The URL of the lake, such as `http://127.0.0.1:3333`. */
  readonly address: string
  /** A token that may read, for the service. */
  readonly serviceToken: string
  /** Ends event streams, completes pending requests, and stops following the repository. */
  close(): Promise<void>
}

/** How long to wait for requests in flight when the lake closes, in milliseconds. */
const ANSWER_DEADLINE = 2_000
/** How long the last push may take when the lake closes, in milliseconds. */
const PUSH_DEADLINE = 5_000

/**
 * Starts a Content Lake over a Git repository of documents. Resolves once the documents at HEAD are loaded.
 * @throws Error with a message of one line if the folder or the port cannot be used
 */
export async function startLake(settings: LakeSettings): Promise<Lake> {
  /** What to close, in reverse order of opening. */
  const open: (() => Promise<void>)[] = []
  const close = async () => {
    for (let last = open.pop(); last !== undefined; last = open.pop()) await last()
  }
  try {
    return {...(await start(settings, open)), close}
  } catch (error) {
    await close()
    throw error
  }
}

async function start(settings: LakeSettings, open: (() => Promise<void>)[]): Promise<Omit<Lake, 'close'>> {
  const {logger, projectId, dataset, logHealth: log = LOSSLESS, uniqueRules = []} = settings
  open.push(runGitSeparately())
  if (settings.serviceToken !== undefined && settings.apiToken === undefined)
    logger.info('SANITY_API_TOKEN is a viewer’s token: set LAKE_API_TOKEN for programs that change content')
  const serviceToken = settings.serviceToken ?? (await openServiceToken(settings.serviceTokenFile, logger))
  const folder = await openContentDirectory(settings.contentDir, {
    seedDirectory: settings.seedDir,
    remote: settings.gitRemote,
    logger,
  })
  const lock = await openLock(folder.gitDir, 'the lake', {
    logger,
    onWait: (holder) =>
      logger.info({holder}, 'waiting for the lock of the previous lake to be released or to expire'),
    onLost: () =>
      logger.error('another process has taken over the content repository; this one no longer writes'),
  })
  open.push(() => lock.release())
  const datedByCommits = new Set(uniqueRules.map(({type}) => type))
  const repository = new ContentRepository(folder, logger, datedByCommits)
  const unique = new UniqueValues(uniqueRules)
  await repository.load()
  open.push(() => repository.close())
  const isLocked = lock.held
  const publisher = new Publisher({folder, logger, mayWrite: () => lock.confirm()})
  open.push(() => publisher.close())
  if (isLocked) await publisher.recover()

  const store = new DocumentStore()
  // Sanity's name for a reader who is not signed in.
  const environment = {projectId, dataset, identity: '<anonymous>', compiler: new QueryCompiler()}
  const audit = new AuditLog(auditFileOf(settings.editorsFile), logger)
  open.push(() => audit.close())
  const {access, rights} = await openAccess({
    settings: {...settings, serviceToken, audit},
    siteRules: settings.siteRules,
    store,
    environment,
  })
  const history = await openHistory({folder, repository, store, access, logger})
  open.push(() => history.close())
  const context = {store, environment, access}
  const {app, unsent, publish: tell} = await buildApp(context, logger, settings)
  const pusher = new RemoteSync({
    folder,
    publisher,
    rules: DOCUMENT_RULES,
    remote: settings.gitRemote,
    rewrites: settings.gitRemoteRewrites,
    isOwnBranch: (branch) => reviewIdIn(branch) !== undefined,
    logger,
  })
  if (isLocked) {
    await pusher.fetchFirst().catch((error: unknown) => {
      throw new Error(
        `The content repository has no commit, and GIT_REMOTE cannot be fetched: ${errorMessage(error)}`,
      )
    })
  }
  const {webhooks: urls = [], reviewWebhooks: reviewUrls = [], webhookSecret: secret} = settings
  const mayDeliver = () => lock.held
  const sender = {secret: secret ?? '', projectId, dataset, mayDeliver, gitDir: folder.gitDir, logger}
  const reviewWebhooks = new ReviewWebhooks({
    ...sender,
    urls: secret === undefined ? [] : reviewUrls,
    get: (id) => store.get(id),
    all: () => store.view('raw').all(),
  })
  open.push(() => reviewWebhooks.close())
  const webhooks = new OutgoingWebhooks({
    ...sender,
    urls: secret === undefined ? [] : urls,
    directory: folder.root,
    published: (id) => store.view('published').get(id),
    all: () => store.view('published').all(),
    head: () => repository.head,
  })
  open.push(() => webhooks.close())
  let reviewBranches: ReviewBranches | undefined
  const publish = (applied: Applied) => {
    history.record(applied)
    tell(applied)
    webhooks.record(applied)
    reviewWebhooks.record(applied)
    reviewBranches?.record(applied)
    // Commits made by hand are pushed as well, so that the remote's branch is at HEAD.
    if (applied.seen.published.length > 0) pusher.published()
  }
  const mayWrite = async () => {
    if (await lock.confirm()) return true
    throw new NotKeptError(
      `Nothing was saved: ${lock.problem?.message ?? 'the content repository is not locked'}`,
    )
  }
  const reviewRemote = settings.reviewBranches === true ? settings.gitRemote : undefined
  const parts = {
    folder,
    repository,
    publisher,
    store,
    environment,
    rights,
    reviews: settings.reviewRules ?? NO_REVIEWS,
    unique,
    ...(reviewRemote !== undefined && {branchOf: (id: string) => findReviewBranch(folder, reviewRemote, id)}),
    audit,
    publish,
    mayWrite,
    isLocked,
    logger,
  }
  const {writer, journal} = await createWriter(parts)
  open.push(() => writer.close())
  if (reviewRemote !== undefined) {
    const branches = new ReviewBranches({
      folder,
      remote: reviewRemote,
      store,
      drafts: () => journal.drafts.keys(),
      propose: (review) => writer.propose(review),
      // A review's branch contains the history of HEAD, which must not come back either.
      isLocked: () => lock.held && pusher.state.code !== 'REMOTE_REWRITTEN',
      logger,
    })
    open.push(() => branches.close(PUSH_DEADLINE))
    branches.start()
    reviewBranches = branches
  }
  const pulls = new Pulls({
    pull: () => pusher.pull(),
    refresh: () => writer.refresh(),
    head: () => repository.head,
  })
  open.push(() => pulls.settled())
  const {gitFetchSeconds = 0} = settings
  const fetches = new FetchSchedule({
    every: gitFetchSeconds * 1_000,
    pull: async () => {
      const {result, commit} = await pulls.request()
      if (result === 'pulled') logger.info({commit}, 'fetched what others pushed to the remote')
      return result !== 'failing'
    },
  })
  open.push(() => fetches.stop())
  open.push(() => pusher.close(PUSH_DEADLINE))
  const follower = new HeadFollower(folder, () => writer.refresh(), logger)
  const readiness = new Readiness(
    lakeChecks({
      lock,
      folder,
      follower,
      repository,
      unique,
      journal,
      access,
      audit,
      pusher,
      webhooks: [webhooks, reviewWebhooks],
      log,
    }),
    logger,
  )
  open.push(() => readiness.stop())
  await addRoutes(app, context, {
    settings,
    folder,
    repository,
    rights,
    history,
    audit,
    writer,
    pulls,
    pusher,
    lock,
    readiness,
    webhooks: [webhooks, reviewWebhooks],
    log,
    unsent,
  })
  // Nearly every query uses this perspective. Building it now saves the first query the wait.
  store.view('published')

  // Before the first request, so that no change is missed.
  await webhooks.start()
  await reviewWebhooks.start()
  open.push(() => closeGently(app))
  const {host, port} = settings
  const address = await listen(app, {
    host,
    port,
    portName: 'LAKE_PORT',
    describe: (url) => `lake at ${settings.origin ?? browserAddress(url)}`,
  })
  open.push(await noteAddress(settings.editorsFile, browserAddress(address)))
  open.push(() => follower.stop())
  follower.start()
  await readiness.start()
  if (!isLocked) {
    lock.takeLater(async () => {
      if (!(await journal.isUnchanged())) return false
      await publisher.recover()
      return true
    })
  }
  pusher.published()
  if (settings.gitRemote !== undefined && gitFetchSeconds > 0) fetches.start()
  return {address, serviceToken}
}

/**
 * Closes connections that were opened in advance and never used. Node does not count them as idle, and would
 * wait for them.
 */
async function closeGently(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), ANSWER_DEADLINE)
  await app.close()
  clearTimeout(timer)
}
