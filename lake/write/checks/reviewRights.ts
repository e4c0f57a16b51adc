import type {Change, Document} from '../../../content/document.ts'
import {draftId, publishedId, releaseNameOf} from '../../../content/ids.ts'
import type {DocumentRights} from '../../access/documentRights.ts'
import {refuse} from '../errors.ts'
import type {Request} from '../request.ts'
import type {TimeSlices} from '../timeSlices.ts'
import {versionsIn} from '../transaction/releases/release.ts'
import type {ReviewAction} from '../transaction/review/reviewAction.ts'
import type {Workspace} from '../transaction/workspace.ts'
import {nameOf} from './reviewOfChange.ts'

type Checked = {
  readonly request: Request
  readonly workspace: Workspace
  readonly rights: DocumentRights
  readonly slices: TimeSlices
}

/** Requests and comments need the right to change the draft. Sending back needs the right to publish. */
export async function checkRightsOnReviews(
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
export async function checkSkip(
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
