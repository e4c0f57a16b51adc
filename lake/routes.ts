import type {FastifyInstance} from 'fastify'
import {findCommitPage} from '../git/remote/commitPage.ts'
import type {DocumentRights} from './access/documentRights.ts'
import type {AuditLog} from './audit/auditLog.ts'
import {lastBackup} from './backup/backup.ts'
import {Activity} from './history/activity.ts'
import {authorsOf} from './history/authors.ts'
import type {DocumentHistory} from './history/history.ts'
import type {UnsentBytes} from './http/limits/unsentBytes.ts'
import type {LakeContext} from './http/request.ts'
import {auditRoutes} from './http/routes/access/audit.ts'
import {ownAccessRoutes} from './http/routes/access/ownAccess.ts'
import {peopleRoutes} from './http/routes/access/people.ts'
import {gitWebhookRoute} from './http/routes/gitWebhook.ts'
import {historyRoutes} from './http/routes/history.ts'
import {metricsRoute, problemsRoute, readinessRoute, stateOf} from './http/routes/metrics.ts'
import {testReportRoutes} from './http/routes/testReports.ts'
import {userRoutes} from './http/routes/users.ts'
import {writeRoutes} from './http/routes/write.ts'
import type {LakeSettings} from './lakeSettings.ts'
import type {LakeParts, Readiness} from './readiness.ts'
import type {TestReports} from './reports/testReports.ts'
import type {Pulled} from './start/openRemote.ts'
import {serveStudio} from './studio/serve.ts'
import type {Writer} from './write/writer.ts'

/** What the routes of a lake need of its parts. */
type RouteParts = LakeParts & {
  readonly settings: LakeSettings
  readonly audit: AuditLog
  readonly reports: TestReports
  readonly rights: DocumentRights
  readonly history: DocumentHistory
  readonly writer: Writer
  readonly pull: () => Promise<Pulled>
  readonly readiness: Readiness
  readonly unsent: UnsentBytes
}

/** Adds the routes that change content, show its history and people, and report the state of the lake; and Studio. */
export async function addRoutes(
  app: FastifyInstance,
  context: LakeContext,
  parts: RouteParts,
): Promise<void> {
  const {settings, folder, repository, readiness} = parts
  const {store, access} = context
  writeRoutes(app, context, parts.writer)
  historyRoutes(app, context, {
    history: parts.history,
    activity: new Activity({
      directory: folder.root,
      repository,
      authors: () => authorsOf(access.accounts),
    }),
    commitPage: () => findCommitPage(folder.root, settings.gitRemote),
  })
  userRoutes(app, access, parts.rights, (email) => parts.history.nameOf(email))
  ownAccessRoutes(app, access)
  peopleRoutes(app, access)
  testReportRoutes(app, context, parts.reports)
  auditRoutes(app, parts.audit)
  gitWebhookRoute(app, {
    secrets: settings.gitWebhookSecrets ?? [],
    hasRemote: settings.gitRemote !== undefined,
    maxWait: settings.gitWebhookWait,
    pull: parts.pull,
  })
  const state = () => stateOf(parts, readiness, settings.studioDir)
  readinessRoute(app, state)
  problemsRoute(app, () => readiness.problems())
  metricsRoute(app, {
    read: async () => ({
      ...(await state()),
      published: store.view('published').size,
      webhooksPending: parts.webhooks.pending,
      lastBackup: await lastBackup(folder),
    }),
    contentDir: folder.gitDir,
    log: parts.log,
    tokens: settings.metricsTokens,
  })
  const {studioDir: directory, studioPage: additions} = settings
  if (directory !== undefined) await serveStudio(app, {directory, additions, access, unsent: parts.unsent})
}
