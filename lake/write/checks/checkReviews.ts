import {type Change, type Document, labelOf} from '../../../content/document.ts'
import type {DraftEditor} from '../../../content/drafts/draftEditors.ts'
import type {Draft} from '../../../content/drafts/journal.ts'
import {draftId, isPublishedId, publishedId, releaseNameOf} from '../../../content/ids.ts'
import type {DocumentStore} from '../../../content/store.ts'
import {plainLine} from '../../../git/plainLine.ts'
import type {DocumentRights} from '../../access/documentRights.ts'
import type {Principal} from '../../access/principal.ts'
import {type AuditEvent, actorOf} from '../../audit/events.ts'
import type {ReviewedTests, TestReports} from '../../reports/testReports.ts'
import {refuse} from '../errors.ts'
import {authorTrailers, REVIEWER_TRAILER, SKIPPED_TRAILER, signature} from '../message.ts'
import {actionsOf, publishedReleases, type Request} from '../request.ts'
import type {TimeSlices} from '../timeSlices.ts'
import {releaseIn, titleOf, versionsIn} from '../transaction/releases/release.ts'
import {isReviewAction, type ReviewAction} from '../transaction/review/reviewAction.ts'
import type {ReviewRequest} from '../transaction/review/reviewRequest.ts'
import type {ReviewRules} from '../transaction/reviewRules.ts'
import type {Workspace} from '../transaction/workspace.ts'
import {type CheckedChange, nameOf, reviewsOf} from './reviewOfChange.ts'

/** A transaction, and what decides about its reviews. */
type Checked = {
  readonly request: Request
  readonly workspace: Workspace
  readonly rules: ReviewRules
  readonly reports: Pick<TestReports, 'findReviewed'>
  readonly rights: DocumentRights
  readonly slices: TimeSlices
  /** The documents and drafts as of before the transaction. */
  readonly store: DocumentStore
  readonly drafts: ReadonlyMap<string, Draft>
}

/** What a transaction does to reviews. */
type Reviewed = {
  /** For the message of the commit. */
  readonly trailers: readonly string[]
  readonly events: readonly AuditEvent[]
}

/**
 * Checks that every change that needs a review has had one. Whatever publishes goes through this: drafts, mutations, releases by
 * hand and at their time. In this order:
 *
 * 1. Who acts on a review may do that with its documents.
 * 2. The rules say which changes need a review. If none does, what was published as others asked has their names.
 * 3. An administrator of the sites may do without.
 * 4. An open review is for the content that is published, which the reviewer has seen.
 * 5. Another person publishes: the one who does is the reviewer, and neither wrote the change nor asked for its review.
 * 6. The tests of what is published have passed, where the site asks for that.
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
    .map(([id, after]): Change => ({id, before: store.get(id), after}))
  const switchedOff = published.filter((change) => rules.switchesOff(change)).map(auditedDocument)
  const events = eventsOf(actions, checked)
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
  const reviewed = reviewsOf(needed, checked, true)
  const authors = reviewed.flatMap((change) => checkReview(change, principal))
  for (const change of reviewed) if (rules.needsTests(change, publishedBefore)) checkTests(change, checked)
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
function doneOnRequest(published: readonly Change[], events: Reviewed['events'], checked: Checked): Reviewed {
  const {principal} = checked.request
  const asked = reviewsOf(published, checked, false).flatMap((change) => {
    const {review, mismatch, authors} = change
    const isAsked = review !== undefined && mismatch === undefined
    return !isAsked || authors === undefined || isBy(principal, authors) ? [] : [{change, authors}]
  })
  if (asked.length === 0 || principal.isProgram === true) return {trailers: releaseAuthors(checked), events}
  const changes = asked.map(({change}) => change)
  const authors = asked.flatMap((one) => one.authors)
  return approved(changes, authors, principal, events)
}

/**
 * Checks the review of one change.
 * @returns who wrote the change and who asked for its review
 */
function checkReview(change: CheckedChange, principal: Principal): readonly DraftEditor[] {
  const {id, before, after, release, review, mismatch, authors} = change
  const name = nameOf(after ?? before)
  if (review === undefined)
    throw refuse.needsReview(
      id,
      `The site asks for a review of this change of ${name}: choose “Request review”${release === undefined ? '' : ' in the menu of the release'}. Somebody else then publishes it`,
    )
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
  if (mismatch === 'unseen')
    throw refuse.reviewOutdated(
      id,
      `Look at the review of ${name} first, under “Reviews” of its site: you publish what it shows`,
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
      ? 'For CI to test it, an operator has to set GIT_REMOTE and LAKE_REVIEW_BRANCHES, and the Git host has to accept its branch'
      : `Run “content test” with --report-to on the branch ${review.branch}`
  if (tests === undefined) return `they have not run on this revision. ${where}`
  const {passed, failed, problem} = tests
  if (failed === 0) return undefined
  return `${failed} of ${passed + failed} failed: ${problem} Correct the website and run them again, or change the draft and request a new review`
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

/** One event for each kind of action, with all its documents: what a person repeats must not push out what others did. */
function eventsOf(actions: readonly ReviewAction[], {request, workspace}: Checked): AuditEvent[] {
  const kinds = [
    ['review.request', 'review.requested'],
    ['review.sendBack', 'review.sentBack'],
  ] as const
  return kinds.flatMap(([kind, type]): AuditEvent[] => {
    const done = actions.flatMap((action) => (action.kind === kind ? [action] : []))
    const documents = [...new Set(done.map(({publishedId}) => publishedId))].flatMap((id) => {
      const document = workspace.get(draftId(id)) ?? workspace.get(id)
      if (document === undefined) return []
      const release = releaseIn(document)
      const name = release === undefined ? labelOf(document) : titleOf(release)
      return [{id, name, revision: document._rev}]
    })
    const reason = [...new Set(done.map(({text}) => text).filter(Boolean))].join('; ')
    const by = actorOf(request.principal)
    return done.length === 0 ? [] : [{type, by, documents, ...(reason !== '' && {reason})}]
  })
}

function auditedDocument({id, before, after}: Change) {
  const document = after ?? before
  return {id, ...(document && {name: labelOf(document)}), ...(after && {revision: after._rev})}
}

/** Requests and comments need the right to change the draft. Sending back needs the right to publish. */
async function checkRightsOnReviews(
  actions: readonly ReviewAction[],
  {request, workspace, rights, slices}: Checked,
): Promise<void> {
  const principal = rights.current(request.principal)
  const own = rights.rightsOf(principal)
  for (const action of actions) {
    if (action.kind === 'review.skip' || action.kind === 'review.dropBranch') continue
    for (const subject of subjectsOf(action.publishedId, workspace)) {
      await slices.turn()
      const id = publishedId(subject._id)
      const state = {...subject, _id: action.kind === 'review.sendBack' ? id : draftId(id)}
      if (own.may('update', state)) continue
      const verb = action.kind === 'review.sendBack' ? 'send back' : 'request or comment'
      const advice = rights.advice(principal, subject)
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

/** Only administrators of a site may do without its reviews: of both, where a change moves a document to another one. */
async function checkSkip(
  needed: readonly Change[],
  {request, rights}: Pick<Checked, 'request' | 'rights'>,
): Promise<void> {
  const principal = rights.current(request.principal)
  for (const {id, before, after} of needed) {
    for (const state of [before, after]) {
      if (state === undefined || rights.administers(principal, state)) continue
      const advice = rights.advice(principal, state)
      throw refuse.needsReview(id, `Only an administrator may publish without a review. ${advice}`)
    }
  }
}
