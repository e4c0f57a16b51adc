import type {FastifyBaseLogger, FastifyInstance} from 'fastify'
import {listen} from '../common/http/listen.ts'
import {LOSSLESS} from '../common/log/log.ts'
import {labelOf} from '../content/document.ts'
import {draftId} from '../content/ids.ts'
import {type Applied, DocumentStore} from '../content/store.ts'
import {runGitSeparately} from '../git/process.ts'
import {Access, type AccessSettings, openServiceToken} from './access/access.ts'
import {DocumentRights} from './access/documentRights.ts'
import {NO_SITES, type SiteRules} from './access/rights/grants.ts'
import {browserAddress, keepOrigin, signInLink} from './access/signInLink.ts'
import {AuditLog} from './audit/auditLog.ts'
import {authorsOf} from './history/authors.ts'
import {DocumentHistory} from './history/history.ts'
import {Revisions} from './history/revisions.ts'
import {buildApp} from './http/app.ts'
import type {LakeSettings} from './lakeSettings.ts'
import {QueryCompiler} from './query/compile.ts'
import type {QueryEnvironment} from './query/run.ts'
import {Readiness} from './readiness.ts'
import {MACHINE_CLOCK, ReleaseSchedule} from './releases/releaseSchedule.ts'
import {TestReports} from './reports/testReports.ts'
import {addRoutes} from './routes.ts'
import {type OpenContent, openContent} from './start/openContent.ts'
import {followCommits, openRemote} from './start/openRemote.ts'
import {openWriter} from './start/openWriter.ts'
import {Deliverer} from './webhooks/deliverer.ts'
import {auditEventsFor, changesFor, reviewsFor} from './webhooks/sources.ts'
import {NO_REVIEWS} from './write/transaction/reviewRules.ts'

export type Lake = {
  /** The URL of the lake, such as `http://127.0.0.1:3333`. */
  readonly address: string
  /** A token that may read, for the service. */
  readonly serviceToken: string
  /**
   * Returns a one-time link for the person who starts the lake; undefined if somebody is signed in, or if it is not clear
   * whose link it is.
   */
  signInLink(): Promise<string | undefined>
  /** Ends event streams, completes pending requests, and stops following the repository. */
  close(): Promise<void>
}

/** How long to wait for requests in flight when the lake closes, in milliseconds. */
const ANSWER_DEADLINE = 2_000

/**
 * Starts a Content Lake over a Git repository of documents. Resolves once the documents at HEAD are loaded.
 * @throws Error with a message of one line if the folder or the port cannot be used
 */
export async function startLake(settings: LakeSettings): Promise<Lake> {
  await using opened = new AsyncDisposableStack()
  const lake = await start(settings, opened)
  const running = opened.move()
  return {...lake, close: () => running.disposeAsync()}
}

/** @param opened closes in reverse order, so what is deferred later may use what was opened before */
async function start(settings: LakeSettings, opened: AsyncDisposableStack): Promise<Omit<Lake, 'close'>> {
  const {logger, projectId, dataset, logHealth: log = LOSSLESS} = settings
  runGitSeparately()
  const content = await openContent(settings, opened)
  const serviceTokens = await serviceTokensOf(settings, logger)
  const [serviceToken = ''] = serviceTokens
  const {state} = content

  const store = new DocumentStore()
  // Sanity's name for a reader who is not signed in.
  const environment = {projectId, dataset, identity: '<anonymous>', compiler: new QueryCompiler()}
  const audit = new AuditLog(state, logger, {days: settings.auditDays})
  opened.defer(() => audit.close())
  const {access, rights} = await openAccess({
    settings: {...settings, state, serviceTokens, audit},
    siteRules: settings.siteRules,
    store,
    environment,
  })
  const history = new DocumentHistory({
    store,
    revisions: new Revisions(content.folder.root, content.repository),
    drafts: content.journal.steps,
    authors: () => authorsOf(access.accounts),
  })
  const context = {store, environment, access}
  const {app, unsent, publish} = await buildApp(context, logger, settings)

  const remote = await openRemote(content, settings)
  const webhooks = webhooksOf(content, {store, audit}, settings)
  opened.defer(() => webhooks.close())
  const listeners = [
    publish,
    () => webhooks.wake(),
    // Commits made by hand are pushed as well, so that the remote's branch is at HEAD.
    ({seen}: Applied) => seen.published.length > 0 && remote.published(),
  ]
  const reports = new TestReports(state)
  const options = {store, environment, rights, audit, reports, remote, listeners}
  const {writer, reviewBranches} = await openWriter(content, options, settings, opened)
  const following = followCommits(content, remote, writer, settings, opened)
  const releases = new ReleaseSchedule({
    store,
    transact: (request) => writer.transact(request),
    logger,
    clock: settings.clock ?? MACHINE_CLOCK,
  })
  const parts = {
    ...content,
    ...following,
    store,
    access,
    audit,
    pusher: remote,
    reviewBranches,
    reviewRules: settings.reviewRules ?? NO_REVIEWS,
    webhooks,
    log,
  }
  const readiness = new Readiness(parts, logger)
  opened.defer(() => readiness.stop())
  await addRoutes(app, context, {...parts, settings, rights, history, reports, writer, readiness, unsent})

  // Nearly every query uses this perspective. Building it now saves the first query the wait.
  store.view('published')
  // Before the first request, so that no change is missed.
  webhooks.start()
  const address = await serve(app, settings, opened)
  await keepOrigin(state, settings.origin ?? browserAddress(address))
  following.start()
  opened.defer(() => releases.stop())
  releases.start()
  await readiness.start()
  return {address, serviceToken, signInLink: () => signInLink(access, address, settings.origin)}
}

/** @throws Error with one line if other users can read the file with the token */
async function serviceTokensOf(
  {serviceTokens = [], apiTokens = [], serviceTokenFile}: LakeSettings,
  logger: FastifyBaseLogger,
): Promise<readonly string[]> {
  if (serviceTokens.length === 0) return [await openServiceToken(serviceTokenFile, logger)]
  if (apiTokens.length === 0)
    logger.info('SANITY_API_TOKEN is a viewer’s token: set LAKE_API_TOKEN for programs that change content')
  return serviceTokens
}

/** What tells the operator's addresses of changes, requests of reviews, and the audit log. */
function webhooksOf(
  {state, repository}: OpenContent,
  {store, audit}: {readonly store: DocumentStore; readonly audit: AuditLog},
  {projectId, dataset, logger, webhookSecrets: secrets = [], webhooks = []}: LakeSettings,
): Deliverer {
  return new Deliverer({
    addresses: secrets.length === 0 ? [] : webhooks,
    secrets,
    sources: [
      changesFor({
        history: repository.history,
        published: () => store.view('published'),
        head: () => repository.head,
        logger,
      }),
      reviewsFor(store),
      auditEventsFor(audit),
    ],
    projectId,
    dataset,
    state,
    logger,
  })
}

/** Listens, and returns the address. */
async function serve(
  app: FastifyInstance,
  {host, port, origin}: LakeSettings,
  opened: AsyncDisposableStack,
): Promise<string> {
  opened.defer(() => closeGently(app))
  return listen(app, {
    host,
    port,
    portName: 'LAKE_PORT',
    describe: (url) => `lake at ${origin ?? browserAddress(url)}`,
  })
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

type OpenAccessOptions = {
  readonly settings: AccessSettings
  /** Which documents belong to a site. Without them, rights for named sites are for no document. */
  readonly siteRules: SiteRules | undefined
  readonly store: DocumentStore
  readonly environment: QueryEnvironment
}

/**
 * Opens what decides who may do what.
 * @throws Error with one line if the mapping of single sign-on is not valid
 */
async function openAccess(
  options: OpenAccessOptions,
): Promise<{readonly access: Access; readonly rights: DocumentRights}> {
  const {settings, siteRules = NO_SITES, store, environment} = options
  const view = () => store.view('raw')
  const siteName = (id: string) => {
    const site = view().get(id) ?? view().get(draftId(id))
    return site === undefined ? id : labelOf(site)
  }
  const access = new Access({siteName, ...settings})
  await access.singleSignOn?.checkMapping()
  const rights = new DocumentRights({
    rules: siteRules,
    view,
    siteName: access.siteName,
    environment,
    rightsNow: (principal) => access.rightsNow(principal),
    editors: () => access.accounts.editors(),
  })
  return {access, rights}
}
