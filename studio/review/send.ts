import type {SanityClient} from '@sanity/client'
import type {Review, ReviewedAction} from './review.ts'

const SANITY = 'sanity.action.document.'
const REVIEW = 'handrail.action.review.'

/** Maximum characters of a comment or a reason: the lake refuses longer ones. */
export const MAX_LENGTH = 2_000

/** A change for which somebody else is asked. */
export type Wish = {
  /** The id of the published document. */
  readonly id: string
  readonly action: ReviewedAction
  /** The revision of the draft to publish. */
  readonly draftRevision: string | undefined
}

/** Requests a review. */
export function requestReview(client: SanityClient, wish: Wish, text: string): Promise<void> {
  const {id, action, draftRevision} = wish
  const revision = draftRevision !== undefined && {ifDraftRevisionId: draftRevision}
  return send(client, {actionType: `${REVIEW}request`, publishedId: id, action, text, ...revision})
}

/** Publishes without the review that it needs. Only administrators may. */
export function doWithoutReview(client: SanityClient, wish: Wish, reason: string): Promise<void> {
  return send(client, {actionType: `${REVIEW}skip`, reason}, actionOf(wish))
}

/** Does what a review was requested for, exactly as it was requested. */
export function approve(client: SanityClient, review: Review): Promise<void> {
  const {document: id, action, draftRevision, before, release, after} = review
  if (release !== undefined)
    return send(client, {
      actionType: 'sanity.action.release.publish',
      releaseId: release,
      ifReviewed: after,
    })
  return send(client, {
    ...actionOf({id, action, draftRevision}),
    ...(action === 'publish' && {ifReviewed: after}),
    ...(before && {ifPublishedRevisionId: before}),
  })
}

/** Comments a request, or sends it back with a comment, or withdraws it. */
export function answerReview(
  client: SanityClient,
  kind: 'comment' | 'sendBack' | 'withdraw',
  publishedId: string,
  text: string,
): Promise<void> {
  return send(client, {actionType: `${REVIEW}${kind}`, publishedId, text})
}

function actionOf({id, action, draftRevision}: Wish) {
  const pair = {draftId: `drafts.${id}`, publishedId: id}
  switch (action) {
    case 'publish':
      return {actionType: `${SANITY}publish`, ...pair, ifDraftRevisionId: draftRevision}
    case 'unpublish':
      return {actionType: `${SANITY}unpublish`, ...pair}
    case 'delete':
      return {actionType: `${SANITY}delete`, publishedId: id, includeDrafts: [pair.draftId]}
  }
}

/** Sanity's client has no types for actions of the lake. */
async function send(client: SanityClient, ...actions: readonly object[]): Promise<void> {
  const {dataset} = client.config()
  await client.request({
    method: 'POST',
    url: `/data/actions/${dataset}`,
    body: {actions},
    tag: 'handrail.review',
  })
}
