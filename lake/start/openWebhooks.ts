import type {DocumentStore} from '../../content/store.ts'
import type {LakeSettings} from '../lakeSettings.ts'
import {OutgoingWebhooks} from '../webhooks/outgoing/outgoingWebhooks.ts'
import {ReviewWebhooks} from '../webhooks/outgoing/reviewWebhooks.ts'
import type {OpenContent} from './openContent.ts'

/** The operator's webhooks for changes, and those for requests of reviews. */
export function openWebhooks(
  {folder, state, lock, role, repository}: OpenContent,
  store: DocumentStore,
  settings: LakeSettings,
  opened: AsyncDisposableStack,
): readonly [OutgoingWebhooks, ReviewWebhooks] {
  const {webhooks: urls = [], reviewWebhooks: reviewUrls = [], webhookSecret: secret, previous} = settings
  const {projectId, dataset, logger} = settings
  const sender = {
    secret: secret ?? '',
    previousSecret: previous?.webhookSecret,
    projectId,
    dataset,
    mayDeliver: () => lock.held && !role.isStandby,
    state,
    logger,
  }
  const reviews = new ReviewWebhooks({
    ...sender,
    urls: secret === undefined ? [] : reviewUrls,
    get: (id) => store.get(id),
    all: () => store.view('raw').all(),
  })
  opened.defer(() => reviews.close())
  const changes = new OutgoingWebhooks({
    ...sender,
    urls: secret === undefined ? [] : urls,
    directory: folder.root,
    published: (id) => store.view('published').get(id),
    all: () => store.view('published').all(),
    head: () => repository.head,
  })
  opened.defer(() => changes.close())
  return [changes, reviews]
}
