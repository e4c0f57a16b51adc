import type {Document} from '../../content/document.ts'
import {
  isReleaseId,
  isReviewId,
  isSystemId,
  publishedId,
  releaseId,
  releaseNameIn,
  releaseNameOf,
} from '../../content/ids.ts'
import type {DocumentStore} from '../../content/store.ts'
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

/** The changes that rights decide about. Those about reviews and of archived versions follow from others. */
export function changesForRights(changed: Changed, request: Request): Changed {
  // A release that is not published says why, also if the one who scheduled it has no rights any more. The Git host decides
  // who may merge.
  if (request.isMerged || actionsOf(request).some(({kind}) => kind === 'release.fail')) return new Map()
  return new Map([...changed].filter(([id]) => !isReviewId(id) && (!isSystemId(id) || isReleaseId(id))))
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
