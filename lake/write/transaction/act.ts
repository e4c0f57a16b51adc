import type {Document} from '../../../content/document.ts'
import {isPublishedId, publishedId} from '../../../content/ids.ts'
import {refuse} from '../errors.ts'
import type {Action} from './action.ts'
import {type Attempt, applyMutation} from './apply.ts'
import type {Mutation} from './mutation.ts'
import {checkSeen, outdatedBase, publishedRevision, publishing} from './publishing.ts'
import {actOnRelease} from './releases/actOnRelease.ts'
import {isReleaseAction, type ReleaseAction} from './releases/releaseAction.ts'
import {actOnReview} from './review/actOnReview.ts'
import {isReviewAction, type ReviewAction} from './review/reviewAction.ts'
import type {Effect, Workspace} from './workspace.ts'

/**
 * Applies one action as the equivalent mutations.
 * @throws RefusedError
 */
export async function act(action: Action, attempt: Attempt): Promise<Effect[]> {
  if (isReviewAction(action)) return actOnReview(action, attempt)
  if (isReleaseAction(action)) return actOnRelease(action, attempt)
  const {workspace} = attempt
  const effects: Effect[] = []
  for (const mutation of mutationsOf(action, workspace)) {
    effects.push(...(await applyMutation(withoutDates(mutation), attempt)))
  }
  // The published document is gone, so the draft no longer has a base.
  if (action.kind === 'unpublish') workspace.bases.set(action.draftId, null)
  return effects
}

/**
 * Actions copy documents with their dates. A copy is as old as its transaction; only drafts keep `_createdAt`,
 * because the date of a publication is that of its commit.
 */
function withoutDates(mutation: Mutation): Mutation {
  if (!('document' in mutation)) return mutation
  const {_createdAt, _updatedAt, ...document} = mutation.document
  const isPublished = isPublishedId(String(document._id))
  return {...mutation, document: isPublished ? document : {...document, _createdAt}}
}

function mutationsOf(
  action: Exclude<Action, ReviewAction | ReleaseAction>,
  workspace: Workspace,
): Mutation[] {
  switch (action.kind) {
    case 'create': {
      const document = {...action.attributes, _id: action.draftId}
      return [{kind: action.ignore ? 'createIfNotExists' : 'create', document}]
    }
    case 'createFrom': {
      const {draftId, baseId, ifBaseRevisionId: expected} = action
      const base = existing(workspace, baseId)
      if (expected !== undefined && expected !== base._rev)
        throw refuse.otherRevision(baseId, expected, base._rev)
      const {_system, ...content} = base
      const source = workspace.kept(baseId)
      // Who wrote the draft also wrote its copy: they may not review it.
      if (source !== undefined) {
        workspace.copied.set(draftId, source)
        const revision = publishedRevision(base)
        if (revision !== null) workspace.noteCopy(baseId, draftId, revision)
      }
      return [{kind: 'create', document: {...content, _id: draftId}}]
    }
    case 'edit':
      return edit(action, workspace)
    case 'publish':
      return publish(action, workspace)
    case 'unpublish': {
      const published = existing(workspace, action.publishedId)
      return [
        {kind: 'createIfNotExists', document: {...published, _id: action.draftId}},
        {kind: 'delete', select: {id: action.publishedId}},
      ]
    }
    case 'discard':
      existing(workspace, action.draftId)
      return [{kind: 'delete', select: {id: action.draftId}}]
    case 'replaceDraft':
      if (workspace.get(action.draftId) === undefined) existing(workspace, publishedId(action.draftId))
      return [{kind: 'createOrReplace', document: action.attributes}]
    case 'delete': {
      const ids = [action.publishedId, ...action.draftIds]
      if (ids.every((id) => workspace.get(id) === undefined)) throw refuse.notFound(action.publishedId)
      return ids.map((id) => ({kind: 'delete', select: {id}}))
    }
  }
}

/** "Modifies an existing draft document": the first edit of a published document makes its draft. */
function edit(
  {draftId, publishedId, patch}: Action & {readonly kind: 'edit'},
  workspace: Workspace,
): Mutation[] {
  const change: Mutation = {kind: 'patch', select: {id: draftId}, patch}
  if (workspace.get(draftId) !== undefined) return [change]
  const published = existing(workspace, publishedId)
  return [{kind: 'create', document: {...published, _id: draftId}}, change]
}

/** Replaces the published document with the draft. Refused if it is no longer the one that the draft began from. */
function publish(action: Action & {readonly kind: 'publish'}, workspace: Workspace): Mutation[] {
  const {draftId, publishedId, ifDraftRevisionId, ifPublishedRevisionId, ifReviewed} = action
  const draft = existing(workspace, draftId)
  if (ifDraftRevisionId !== undefined && ifDraftRevisionId !== draft._rev)
    throw refuse.otherRevision(draftId, ifDraftRevisionId, draft._rev)
  checkSeen(publishedId, ifReviewed, publishedRevision(draft))
  const current = workspace.get(publishedId)?._rev ?? null
  if (ifPublishedRevisionId !== undefined && ifPublishedRevisionId !== current)
    throw refuse.otherRevision(publishedId, ifPublishedRevisionId, current)
  const base = outdatedBase(draft, workspace)
  if (base !== undefined) throw refuse.outdatedDraft(publishedId, base, current)
  return publishing(draft)
}

function existing(workspace: Workspace, id: string): Document {
  const document = workspace.get(id)
  if (document === undefined) throw refuse.notFound(id)
  return document
}
