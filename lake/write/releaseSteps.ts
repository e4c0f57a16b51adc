import type {Document} from '../../content/document.ts'
import {isReleaseId, isReviewId, isSystemId, publishedId, releaseId} from '../../content/ids.ts'
import {actionsOf, publishedReleases, type Request} from './request.ts'
import type {Action} from './transaction/action.ts'
import {type Release, releaseIn} from './transaction/releases/release.ts'
import {versionsIn} from './transaction/releases/versions.ts'
import type {Workspace} from './transaction/workspace.ts'

type Changed = ReadonlyMap<string, Document | undefined>

/**
 * The same request with releases published in place of scheduled; undefined if it schedules none. Rights, rules and reviews count
 * when a release is scheduled, and again when it is published.
 */
export function rehearsalOf(request: Request): Request | undefined {
  const actions = actionsOf(request)
  if (!actions.some(({kind}) => kind === 'release.schedule')) return undefined
  const published = actions.map(
    (action): Action =>
      action.kind === 'release.schedule' ? {kind: 'release.publish', release: action.release} : action,
  )
  return {...request, actions: published, dryRun: true}
}

/** The changes that rights decide about. Those about reviews, and of archived versions, follow from others. */
export function changesForRights(changed: Changed, request: Request): Changed {
  // A release that is not published says why, also if the one who scheduled it has no rights any more. The Git host decides
  // who may merge.
  if (request.isMerged || actionsOf(request).some(({kind}) => kind === 'release.fail')) return new Map()
  return new Map([...changed].filter(([id]) => !isReviewId(id) && (!isSystemId(id) || isReleaseId(id))))
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

/** The release that a transaction publishes. */
export function releaseOf(request: Request, workspace: Workspace): Release | undefined {
  const [name] = publishedReleases(request)
  return name === undefined ? undefined : releaseIn(workspace.get(releaseId(name)))
}
