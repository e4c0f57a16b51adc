import type {Document} from '../../content/document.ts'
import {
  draftId,
  isReleaseId,
  isReviewId,
  isSystemId,
  publishedId,
  releaseId,
  releaseNameIn,
  releaseNameOf,
} from '../../content/ids.ts'
import type {DocumentStore} from '../../content/store.ts'
import type {DocumentRights} from '../access/documentRights.ts'
import {type AuditEvent, actorOf} from '../audit/events.ts'
import {actionsOf, publishedReleases, type Request} from './request.ts'
import type {Action} from './transaction/action.ts'
import {
  archivedDraft,
  archivedIn,
  type Release,
  releaseIn,
  titleOf,
  versionsIn,
} from './transaction/releases/release.ts'
import type {Workspace} from './transaction/workspace.ts'

const RELEASE_EVENTS = [
  ['release.create', 'release.created'],
  ['release.schedule', 'release.scheduled'],
  ['release.unschedule', 'release.unscheduled'],
  ['release.publish', 'release.published'],
  ['release.archive', 'release.archived'],
  ['release.unarchive', 'release.unarchived'],
  ['release.delete', 'release.deleted'],
] as const

type Changed = ReadonlyMap<string, Document | undefined>

/**
 * What publishes the releases that a request schedules: rights, rules and reviews count when a release is scheduled, and again when
 * it is published.
 */
export function scheduledIn(request: Request): Action[] {
  return actionsOf(request).flatMap((action): Action[] => {
    if (action.kind !== 'release.schedule') return []
    const {release, ifReviewed} = action
    return [{kind: 'release.publish', release, ifReviewed}]
  })
}

/**
 * The changes that rights decide about. Those about reviews, of archived versions, and of what the lake took out of a release and
 * nothing else changed, follow from others.
 */
export function changesForRights(changed: Changed, request: Request, workspace: Workspace): Changed {
  // A release that is not published says why, also if the one who scheduled it has no rights any more. The Git host decides
  // who may merge.
  if (request.isMerged || actionsOf(request).some(({kind}) => kind === 'release.fail')) return new Map()
  const taken = new Set(
    actionsOf(request).flatMap((action) => {
      if (action.kind !== 'version.takeOut') return []
      const ids = [action.versionId, draftId(publishedId(action.versionId))].filter((id) =>
        workspace.own.has(id),
      )
      const isLeft = ids.every((id) => workspace.own.get(id) === workspace.get(id))
      return isLeft ? ids : []
    }),
  )
  return new Map(
    [...changed].filter(([id]) => !isReviewId(id) && (!isSystemId(id) || isReleaseId(id)) && !taken.has(id)),
  )
}

/** A document in a release. */
export type Held = {readonly release: Release; readonly document: Document}

/**
 * What is in the releases that a transaction changes, deletes or adds to, as of before: versions, also archived ones, or what was
 * published.
 */
export function heldIn(changed: Changed, store: DocumentStore): Held[] {
  const names = Array.from(changed.keys(), (id) =>
    store.get(id) === undefined ? (releaseNameIn(id) ?? releaseNameOf(id)) : releaseNameOf(id),
  )
  return [...new Set(names)].flatMap((name): Held[] => {
    const release = name === undefined ? undefined : releaseIn(store.get(releaseId(name)))
    if (name === undefined || release === undefined) return []
    const ids = release.state === 'published' ? (release.finalDocumentStates ?? []) : []
    const published = ids.flatMap(({id}) => {
      const document = store.get(publishedId(id))
      return document === undefined ? [] : [{...document, _id: id}]
    })
    const archived = archivedIn(name, store).map((one) => archivedDraft(one).document)
    return [...versionsIn(name, store), ...archived, ...published].map((document) => ({release, document}))
  })
}

/**
 * The same request, in which those who may publish the rest of a release take out the versions that they may not change, in place
 * of discarding them.
 */
export function takingOut(
  request: Request,
  {store, rights}: {readonly store: DocumentStore; readonly rights: DocumentRights},
): Request {
  const actions = actionsOf(request)
  const discarded = new Set(actions.flatMap((action) => (action.kind === 'discard' ? [action.draftId] : [])))
  const releases = new Set(Array.from(discarded, releaseNameIn))
  if (releases.size === 0) return request
  const own = rights.rightsOf(rights.current(request.principal))
  const taken = new Map<string, string>()
  for (const release of releases) {
    const versions = release === undefined ? [] : versionsIn(release, store)
    const others = versions.filter((one) => !own.may('update', {...one, _id: publishedId(one._id)}))
    const mayPublishRest = others.length < versions.length && others.every(({_id}) => discarded.has(_id))
    if (release === undefined || !mayPublishRest) continue
    for (const one of others) if (!own.may('update', one)) taken.set(one._id, release)
  }
  if (taken.size === 0) return request
  return {
    ...request,
    actions: actions.map((action): Action => {
      const release = action.kind === 'discard' ? taken.get(action.draftId) : undefined
      if (action.kind !== 'discard' || release === undefined) return action
      return {kind: 'version.takeOut', release, versionId: action.draftId}
    }),
  }
}

/** What releases would have published if a transaction had not unscheduled them: who may publish may do that, too. */
export function unscheduledIn(request: Request, workspace: Workspace): Changed {
  const names = actionsOf(request).flatMap((action) =>
    action.kind === 'release.unschedule' ? [action.release] : [],
  )
  return new Map(
    names
      .flatMap((name) => versionsIn(name, workspace))
      .map((version) => [publishedId(version._id), {...version, _id: publishedId(version._id)}]),
  )
}

/** What a request does to releases, as one event for each kind of action. Of what was merged, Git has the history. */
export function releaseEvents(request: Request, workspace: Workspace): AuditEvent[] {
  const actions = request.isMerged ? [] : actionsOf(request)
  return RELEASE_EVENTS.flatMap(([kind, type]): AuditEvent[] => {
    const done = actions.flatMap((action) => (action.kind === kind ? [action] : []))
    const documents = [...new Set(done.map(({release}) => releaseId(release)))].flatMap((id) => {
      const before = releaseIn(workspace.before(id))
      const release = releaseIn(workspace.get(id)) ?? before
      return release === undefined || (kind === 'release.create' && before !== undefined)
        ? []
        : [{id, name: titleOf(release)}]
    })
    const [first] = done
    const time = first?.kind === 'release.schedule' && {publishAt: first.publishAt}
    return documents.length === 0 ? [] : [{type, by: actorOf(request.principal), documents, ...time}]
  })
}

/** The release that a transaction publishes. */
export function releaseOf(request: Request, workspace: Workspace): Release | undefined {
  const [name] = publishedReleases(request)
  return name === undefined ? undefined : releaseIn(workspace.get(releaseId(name)))
}
