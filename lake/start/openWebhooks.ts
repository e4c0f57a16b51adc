import type {DocumentStore} from '../../content/store.ts'
import type {AuditLog} from '../audit/auditLog.ts'
import type {LakeSettings} from '../lakeSettings.ts'
import {AuditWebhooks} from '../webhooks/outgoing/auditWebhooks.ts'
import {OutgoingWebhooks} from '../webhooks/outgoing/outgoingWebhooks.ts'
import {ReviewWebhooks} from '../webhooks/outgoing/reviewWebhooks.ts'
import type {OpenContent} from './openContent.ts'

/** The operator's webhooks for changes, those for requests of reviews, and those for the audit log. */
export function openWebhooks(
  {folder, state, lock, repository}: OpenContent,
  {store, audit}: {readonly store: DocumentStore; readonly audit: AuditLog},
  settings: LakeSettings,
  opened: AsyncDisposableStack,
): readonly [OutgoingWebhooks, ReviewWebhooks, AuditWebhooks] {
  const {projectId, dataset, logger, webhookSecret: secret, previous} = settings
  const senderTo = (urls: readonly string[] = []) => ({
    urls: secret === undefined ? [] : urls,
    secret: secret ?? '',
    previousSecret: previous?.webhookSecret,
    projectId,
    dataset,
    mayDeliver: () => lock.held,
    state,
    logger,
  })
  const reviews = new ReviewWebhooks({
    ...senderTo(settings.reviewWebhooks),
    get: (id) => store.get(id),
    all: () => store.view('raw').all(),
  })
  const changes = new OutgoingWebhooks({
    ...senderTo(settings.webhooks),
    directory: folder.root,
    published: (id) => store.view('published').get(id),
    all: () => store.view('published').all(),
    head: () => repository.head,
  })
  const events = new AuditWebhooks({...senderTo(settings.auditWebhooks), audit})
  const all = [changes, reviews, events] as const
  for (const hooks of all) opened.defer(() => hooks.close())
  return all
}
