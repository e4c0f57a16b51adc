import type {Change, Document} from '../../../content/document.ts'
import type {DraftEditor} from '../../../content/drafts/draftEditors.ts'
import type {Draft} from '../../../content/drafts/journal.ts'
import {
  draftId,
  isPublishedId,
  isReleaseId,
  isReviewId,
  isSystemId,
  publishedId,
  releaseId,
  releaseNameOf,
  versionId,
} from '../../../content/ids.ts'
import {labelOf} from '../../../content/label.ts'
import type {DocumentStore} from '../../../content/store.ts'
import {plainLine} from '../../../git/objects/commitObject.ts'
import type {DocumentRights} from '../../access/documentRights.ts'
import type {Principal} from '../../access/principal.ts'
import type {AuditEvent} from '../../audit/events.ts'
import {actorOf} from '../../audit/events.ts'
import type {ReviewedTests, TestReports} from '../../reports/testReports.ts'
import {refuse} from '../errors.ts'
import {authorTrailers, REVIEWER_TRAILER, SKIPPED_TRAILER, signature} from '../message.ts'
import {actionsOf, publishedReleases, type Request} from '../request.ts'
import {releaseContent, versionsIn} from '../transaction/releases/versions.ts'
import {isReviewAction, type ReviewAction} from '../transaction/review/reviewAction.ts'
import {type ReviewRequest, reviewIdOf, reviewIn} from '../transaction/review/reviewRequest.ts'
import type {ReviewRules} from '../transaction/review/reviewRules.ts'
import type {Workspace} from '../transaction/workspace.ts'

/** A transaction, and what decides about its reviews. */
type Checked = {
  readonly request: Request
  readonly workspace: Workspace
  readonly rules: ReviewRules
  readonly reports: Pick<TestReports, 'findReviewed'>
  readonly rights: DocumentRights
  /** The documents and drafts as of before the transaction. */
  readonly store: DocumentStore
  readonly drafts: ReadonlyMap<string, Draft>
}

/** A published change, the name of the release that it is part of, and the request for the review of either. */
type CheckedChange = Change & {
  readonly release: string | undefined
  readonly review: ReviewRequest | undefined
}

/** What a transaction does to reviews. */
type Reviewed = {
  /** For the message of the commit. */
  readonly trailers: readonly string[]
  readonly events: readonly AuditEvent[]
}

/**
 * Checks that every change that needs a review has had one: another person requested it, and neither the draft
 * nor the published document changed since. The one who publishes is the reviewer, and may not have edited the
 * draft.
 * @throws RefusedError 403 or 409
 */
export async function checkReviews(checked: Checked): Promise<Reviewed> {
  const {request, workspace, rules, store} = checked
  const {principal} = request
  const actions = actionsOf(request).filter(isReviewAction)
  await checkRightsOnReviews(actions, checked)
  const publishedBefore = (id: string) => (isPublishedId(id) ? store.get(id) : undefined)
  const published = [...workspace.changed()]
    .filter(([id]) => isPublishedId(id))
    .map(([id, after]): CheckedChange => {
      // A release is reviewed as one.
      const release = publishedReleases(request).find((name) => store.get(versionId(name, id)) !== undefined)
      const review = reviewIn(store.get(reviewIdOf(release === undefined ? id : releaseId(release))))
      return {id, before: store.get(id), after, release, review}
    })
  const switchedOff = published.filter((change) => rules.switchesOff(change)).map(auditedDocument)
  const events: AuditEvent[] = actions.flatMap((action) => eventOf(action, checked))
  if (switchedOff.length > 0)
    events.push({type: 'publish.switchedOff', by: actorOf(principal), documents: switchedOff})
  const needed = published.filter((change) => rules.needsReview(change, publishedBefore))
  if (needed.length === 0) return doneOnRequest(published, events, checked)
  const skip = actions.find(({kind}) => kind === 'review.skip')
  if (skip?.kind === 'review.skip') {
    await checkSkip(needed, checked)
    const reason = plainLine(skip.reason)
    const documents = needed.map(auditedDocument)
    const event = {type: 'publish.emergency', by: actorOf(principal), documents, reason} as const
    return {trailers: [`${SKIPPED_TRAILER}: ${reason}`], events: [...events, event]}
  }
  const authors = needed.flatMap((change) => checkReview(change, checked))
  for (const change of needed) if (rules.needsTests(change, publishedBefore)) checkTests(change, checked)
  return approved(needed, authors, principal, events)
}

function approved(
  changes: readonly Change[],
  authors: readonly DraftEditor[],
  reviewer: Principal,
  events: readonly AuditEvent[],
): Reviewed {
  const documents = changes.map(auditedDocument)
  const event = {type: 'review.approved', by: actorOf(reviewer), documents} as const
  const trailers = [...authorTrailers(authors), `${REVIEWER_TRAILER}: ${signature(reviewer)}`]
  return {trailers, events: [...events, event]}
}

/**
 * People who may not publish ask for it also where no review is needed. What was published as they asked has their
 * names.
 */
function doneOnRequest(
  published: readonly CheckedChange[],
  events: Reviewed['events'],
  checked: Checked,
): Reviewed {
  const {principal} = checked.request
  const asked = published.flatMap((change) => {
    const {review} = change
    const isAsked = review !== undefined && mismatchOf(change, review, checked) === undefined
    const authors = isAsked ? authorsOf(change, review, checked) : undefined
    return authors === undefined || isBy(principal, authors) ? [] : [{change, authors}]
  })
  if (asked.length === 0 || principal.isProgram === true) return {trailers: releaseAuthors(checked), events}
  const changes = asked.map(({change}) => change)
  const authors = asked.flatMap((one) => one.authors)
  return approved(changes, authors, principal, events)
}

/**
 * Only the lake changes the documents of reviews and releases, so that a person cannot do it in the name of another.
 * @throws RefusedError 403
 */
export function checkOwnDocuments(
  changed: ReadonlyMap<string, Document | undefined>,
  {own}: Workspace,
): void {
  for (const [id, after] of changed) {
    if (!(isReviewId(id) || isSystemId(id)) || (own.has(id) && own.get(id) === after)) continue
    throw refuse.notAllowed(id, 'update', `${ownName(id)} can only be changed with its own actions`)
  }
}

function ownName(id: string): string {
  if (isReviewId(id)) return 'A review'
  return isReleaseId(id) ? 'A release' : 'A document of the lake, whose ID begins with "_.",'
}

/** Requests and comments need the right to change the draft. Sending back needs the right to publish. */
async function checkRightsOnReviews(actions: readonly ReviewAction[], checked: Checked): Promise<void> {
  const {request, workspace, rights} = checked
  for (const action of actions) {
    if (action.kind === 'review.skip') continue
    for (const subject of subjectsOf(action.publishedId, workspace)) {
      const id = publishedId(subject._id)
      const principal = await rights.current(request.principal)
      const state = {...subject, _id: action.kind === 'review.sendBack' ? id : draftId(id)}
      if (rights.rightsOf(principal).may('update', state)) continue
      const verb = action.kind === 'review.sendBack' ? 'send back' : 'request or comment'
      const advice = await rights.advice(principal, subject)
      throw refuse.notAllowed(id, 'update', `You may not ${verb} the review of ${nameOf(subject)}. ${advice}`)
    }
  }
}

/** What a review is about: a draft, the published document, or all versions in a release. */
function subjectsOf(id: string, workspace: Workspace): readonly Document[] {
  const release = releaseNameOf(id)
  if (release !== undefined) return versionsIn(release, workspace)
  return [workspace.get(draftId(id)) ?? workspace.get(id) ?? []].flat()
}

/** Only administrators of a site may do without its reviews. */
async function checkSkip(needed: readonly Change[], {request, rights}: Checked): Promise<void> {
  const principal = await rights.current(request.principal)
  for (const {id, before, after} of needed) {
    for (const state of [before, after]) {
      if (state === undefined || rights.administers(principal, state)) continue
      const advice = await rights.advice(principal, state)
      throw refuse.needsReview(id, `Only an administrator may publish without a review. ${advice}`)
    }
  }
}

/**
 * Checks the review of one change.
 * @returns who wrote the change and who asked for its review
 */
function checkReview(change: CheckedChange, checked: Checked): readonly DraftEditor[] {
  const {id, before, after, release, review} = change
  const {principal} = checked.request
  const name = nameOf(after ?? before)
  if (review === undefined)
    throw refuse.needsReview(
      id,
      `The site asks for a review of this change of ${name}: choose “Request review”${release === undefined ? '' : ' in the menu of the release'}. Somebody else then publishes it`,
    )
  const mismatch = mismatchOf(change, review, checked)
  if (mismatch === 'sentBack')
    throw refuse.needsReview(id, `${name} was sent back: change it, and request a review again`)
  if (mismatch === 'outdated')
    throw refuse.reviewOutdated(
      id,
      `${name} is not what the review was requested for, or changed since: look at it again, and request a new review`,
    )
  if (principal.isProgram === true)
    throw refuse.needsReview(
      id,
      `${name} needs a review, which a program cannot do: a person has to publish it`,
    )
  const authors = authorsOf(change, review, checked)
  if (authors === undefined)
    throw refuse.needsReview(
      id,
      `Who wrote this draft of ${name} is not known, because it was imported: discard it and write it again, or ask an administrator to publish it without a review`,
    )
  if (isBy(principal, authors))
    throw refuse.needsReview(
      id,
      `You wrote this change of ${name} or requested its review: somebody else has to publish it`,
    )
  return authors
}

/** Checks that the tests of a document passed as it is to be published. The review is for this revision. */
function checkTests({id, after, review}: CheckedChange, {reports}: Checked): void {
  if (after === undefined) return
  const problem = testProblem(reports.findReviewed(id, after._rev), review)
  if (problem !== undefined)
    throw refuse.needsTests(
      id,
      `The site asks that tests passed before ${nameOf(after)} is published: ${problem}`,
    )
}

function testProblem(
  tests: ReviewedTests | undefined,
  review: ReviewRequest | undefined,
): string | undefined {
  const where =
    review?.branch === undefined
      ? 'For CI to test it, an operator has to set GIT_REMOTE and LAKE_REVIEW_BRANCHES'
      : `Run “content test” with --report-to on the branch ${review.branch}`
  if (tests === undefined) return `they have not run on this revision. ${where}`
  const {passed, failed, problem} = tests
  if (failed === 0) return undefined
  return `${failed} of ${passed + failed} failed: ${problem} Correct the website and run them again, or change the draft and request a new review`
}

/** Why a request is not for a change as it is published; undefined if it is. */
function mismatchOf(
  {id, before, after, release}: CheckedChange,
  review: ReviewRequest,
  {request, store}: Checked,
): 'sentBack' | 'outdated' | undefined {
  if (review.state === 'sentBack') return 'sentBack'
  if (release !== undefined) return review.after === releaseContent(release, store) ? undefined : 'outdated'
  const isSame = review.before === (before?._rev ?? null) && review.after === (after?._rev ?? null)
  return isSame && isNamed(id, review, request) ? undefined : 'outdated'
}

/** Who wrote a change and who asked for its review; undefined if that is not known. */
function authorsOf(
  {id, release}: CheckedChange,
  review: ReviewRequest,
  {drafts, store}: Checked,
): readonly DraftEditor[] | undefined {
  if (release !== undefined) {
    const editors = versionsIn(release, store).map((version) => drafts.get(version._id)?.editors)
    return editors.includes(undefined) ? undefined : [...editors.flatMap((some) => some ?? []), review.by]
  }
  const editors = review.action === 'publish' ? drafts.get(draftId(id))?.editors : []
  return editors && [...editors, review.by]
}

/** Names those who wrote what a release publishes, besides the one who publishes it. */
function releaseAuthors({request, store, drafts}: Checked): string[] {
  const editors = publishedReleases(request)
    .flatMap((release) => versionsIn(release, store))
    .flatMap(({_id}) => drafts.get(_id)?.editors ?? [])
    .filter(({id}) => id !== request.principal.id)
  return authorTrailers(editors)
}

function isBy({id}: Principal, authors: readonly DraftEditor[]): boolean {
  return authors.some((author) => author.id === id)
}

/** A draft is published by the action that names the revision that the reviewer saw. */
function isNamed(id: string, {action: requested, draftRevision}: ReviewRequest, request: Request): boolean {
  if (requested !== 'publish') return true
  return actionsOf(request).some(
    (action) =>
      action.kind === 'publish' && action.publishedId === id && action.ifDraftRevisionId === draftRevision,
  )
}

function eventOf(action: ReviewAction, {request, workspace}: Checked): AuditEvent[] {
  if (action.kind !== 'review.request' && action.kind !== 'review.sendBack') return []
  const {publishedId: id, text} = action
  const document = workspace.get(draftId(id)) ?? workspace.get(id)
  const documents = document === undefined ? [] : [{id, name: labelOf(document), revision: document._rev}]
  const type = action.kind === 'review.request' ? 'review.requested' : 'review.sentBack'
  return [{type, by: actorOf(request.principal), documents, ...(text !== '' && {reason: text})}]
}

function auditedDocument({id, before, after}: Change) {
  const document = after ?? before
  return {id, ...(document && {name: labelOf(document)}), ...(after && {revision: after._rev})}
}

function nameOf(document: Document | undefined): string {
  return document === undefined ? 'this document' : `${document._type} “${labelOf(document)}”`
}
