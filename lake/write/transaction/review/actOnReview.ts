import {randomUUID} from 'node:crypto'
import type {Document} from '../../../../content/document.ts'
import {draftId, isReleaseId, isReviewId, publishedId} from '../../../../content/ids.ts'
import {refuse} from '../../errors.ts'
import {type Attempt, applyMutation} from '../apply.ts'
import {publishedRevision} from '../publishing.ts'
import {releaseContent, releaseIn, titleOf, versionsIn} from '../releases/release.ts'
import type {Effect} from '../workspace.ts'
import type {ReviewAction} from './reviewAction.ts'
import {
  type Comment,
  REVIEW_TYPE,
  type ReviewedChange,
  type ReviewRequest,
  reviewIdOf,
  reviewIn,
} from './reviewRequest.ts'

/** Maximum comments of one request. */
const MAX_COMMENTS = 100

/**
 * Applies an action on a review. Who may do it is decided afterwards, with the rights on the documents.
 * @throws RefusedError
 */
export async function actOnReview(action: ReviewAction, attempt: Attempt): Promise<Effect[]> {
  if (action.kind === 'review.skip') return []
  const {workspace, branchOf} = attempt
  const id = reviewIdOf(action.publishedId)
  const earlier = reviewIn(workspace.get(id))
  if (action.kind === 'review.request') {
    const request = await requestOf(action, attempt)
    const comments = commented(earlier?.comments ?? [], action.text, attempt)
    const branch = request.action === 'publish' ? await branchOf(id) : {}
    return save(id, {...request, ...branch, comments}, attempt)
  }
  if (earlier === undefined) throw refuse.noReview(action.publishedId)
  if (action.kind === 'review.dropBranch') {
    const {branch, comparePage, ...rest} = earlier
    const by = {...attempt.by, name: 'Git host'}
    return save(id, {...rest, comments: commented(earlier.comments, action.text, {...attempt, by})}, attempt)
  }
  if (action.kind !== 'review.comment') checkUnlocked(action.publishedId, attempt)
  if (action.kind === 'review.withdraw') return save(id, undefined, attempt)
  const comments = commented(earlier.comments, action.text, attempt)
  const state = action.kind === 'review.sendBack' ? 'sentBack' : earlier.state
  return save(id, {...earlier, state, comments}, attempt)
}

/**
 * Removes the requests that have no purpose after a transaction: the draft was published or discarded, or the
 * published document is gone.
 */
export async function dropDoneReviews(attempt: Attempt): Promise<void> {
  const {workspace} = attempt
  const ids = new Set([...workspace.changed().keys()].filter((id) => !isReviewId(id)).map(publishedId))
  for (const id of ids) {
    const reviewId = reviewIdOf(id)
    const review = reviewIn(workspace.get(reviewId))
    if (review === undefined) continue
    const subject = workspace.get(isReleaseId(id) || review.action !== 'publish' ? id : draftId(id))
    const state = releaseIn(subject)?.state ?? 'active'
    if (subject === undefined || (state !== 'active' && state !== 'scheduled'))
      await save(reviewId, undefined, attempt)
  }
}

/** A scheduled release goes out as it was reviewed, so its review stays. @throws RefusedError 409 */
function checkUnlocked(document: string, {workspace}: Attempt): void {
  const release = releaseIn(workspace.get(document))
  if (release?.state === 'scheduled') throw refuse.releaseState(document, titleOf(release), release.state)
}

async function requestOf(
  {publishedId: document, action, ifDraftRevisionId}: ReviewAction & {readonly kind: 'review.request'},
  attempt: Attempt,
): Promise<Omit<ReviewRequest, 'comments'>> {
  const {workspace, by, now: at} = attempt
  const {id, name, email} = by
  const asked = {state: 'open', by: {id, name, email}, at} as const
  if (isReleaseId(document))
    return {...(await changeOfRelease(document, attempt)), action: 'publish', ...asked}
  const subject = workspace.get(action === 'publish' ? draftId(document) : document)
  if (subject === undefined) throw refuse.notFound(action === 'publish' ? draftId(document) : document)
  if (action === 'publish' && ifDraftRevisionId !== subject._rev)
    throw refuse.otherRevision(subject._id, ifDraftRevisionId ?? null, subject._rev)
  return {...changeOf(subject, attempt), action, ...asked}
}

/** What publishing a draft or a version changes, or removing a published document. */
function changeOf(subject: Document, {workspace, siteOf}: Attempt): ReviewedChange {
  const document = publishedId(subject._id)
  const isRemoved = subject._id === document
  return {
    document,
    site: siteOf(subject) ?? null,
    draftRevision: isRemoved ? null : subject._rev,
    before: workspace.get(document)?._rev ?? null,
    after: isRemoved ? null : publishedRevision(subject),
  }
}

/** A release is reviewed as one: what is added or changed afterwards needs another look. */
async function changeOfRelease(document: string, attempt: Attempt) {
  const {workspace} = attempt
  const release = releaseIn(workspace.get(document))
  if (release === undefined) throw refuse.notFound(document)
  if (release.state !== 'active') throw refuse.releaseState(document, titleOf(release), release.state)
  const changes: ReviewedChange[] = []
  for (const version of versionsIn(release.name, workspace)) {
    changes.push(changeOf(version, attempt))
    await attempt.slices.turn()
  }
  const [first] = changes
  if (first === undefined) throw refuse.malformed('The release has no documents to review')
  const after = releaseContent(release.name, workspace)
  return {document, site: first.site, draftRevision: null, before: null, after, changes}
}

function commented(
  comments: readonly Comment[],
  text: string,
  {by: {id, name}, now}: Attempt,
): readonly Comment[] {
  if (text === '') return comments
  const comment = {_key: randomUUID().slice(0, 12), by: {id, name}, at: now, text}
  return [...comments, comment].slice(-MAX_COMMENTS)
}

async function save(id: string, request: ReviewRequest | undefined, attempt: Attempt): Promise<Effect[]> {
  const {workspace} = attempt
  const effects = await applyMutation(
    request === undefined
      ? {kind: 'delete', select: {id}}
      : {kind: 'createOrReplace', document: {...request, _id: id, _type: REVIEW_TYPE}},
    attempt,
  )
  workspace.own.set(id, workspace.get(id))
  return effects
}
