import {hash} from 'node:crypto'
import type {JsonObject} from '../../../../common/json.ts'
import {type Document, labelOf} from '../../../../content/document.ts'
import {draftId, isSystemId, publishedId, releaseId} from '../../../../content/ids.ts'
import {unpublishes} from '../../../../content/store.ts'
import {refuse} from '../../errors.ts'
import {type Attempt, applyMutation} from '../apply.ts'
import {draftOf} from '../entry.ts'
import type {Mutation} from '../mutation.ts'
import {checkSeen, outdatedBase, publishedAs, publishesSame, publishing} from '../publishing.ts'
import type {Effect, Workspace} from '../workspace.ts'
import {buildOn, ownChangeOf, versionOf} from './building.ts'
import {
  ARCHIVED_PREFIX,
  archivedDraft,
  archivedIn,
  parseMetadata,
  RELEASE_STATES,
  RELEASE_TYPE,
  type Release,
  type ReleaseState,
  releaseContent,
  releaseIn,
  titleOf,
  versionsIn,
} from './release.ts'
import type {ReleaseAction} from './releaseAction.ts'

type PublishAction = ReleaseAction & {readonly kind: 'release.publish'}

const ARCHIVED_TYPE = 'system.archivedVersion'

/** The states in which a release can be what an action makes of it. */
const FROM: Readonly<Record<string, readonly ReleaseState[]>> = {
  'release.edit': ['active'],
  'release.publish': ['active'],
  'release.schedule': ['active'],
  'release.unschedule': ['scheduled'],
  'release.fail': ['scheduled'],
  'release.archive': ['active'],
  'release.unarchive': ['archived'],
  'release.delete': ['archived', 'published'],
  'version.unpublish': ['active'],
  'version.takeOut': ['active'],
}

/**
 * Applies an action on a release. Who may do it is decided afterwards, with the rights on its documents.
 * @throws RefusedError
 */
export async function actOnRelease(action: ReleaseAction, attempt: Attempt): Promise<Effect[]> {
  const {workspace} = attempt
  const effects: Effect[] = []
  const known = releaseIn(workspace.get(releaseId(action.release)))
  const mutations = mutationsOf(action, known, attempt)
  const ids =
    action.kind === 'release.publish'
      ? versionsIn(action.release, workspace).map(({_id}) => publishedId(_id))
      : []
  const before = new Map(ids.map((id) => [id, workspace.get(id)]))
  for (const mutation of mutations) effects.push(...(await applyMutation(mutation, attempt)))
  buildOn(new Map(ids.map((id) => [id, {before: before.get(id), after: workspace.get(id)}])), workspace)
  for (const {id} of effects)
    if (isSystemId(id) || action.kind === 'version.takeOut') workspace.own.set(id, workspace.get(id))
  if (action.kind === 'release.edit') checkEdited(known, workspace.get(releaseId(action.release)))
  return effects
}

function mutationsOf(action: ReleaseAction, known: Release | undefined, attempt: Attempt): Mutation[] {
  const {workspace, by, now, isDryRun} = attempt
  const {kind, release: name} = action
  const id = releaseId(name)
  if (kind === 'release.create') return create(action, known)
  if (known === undefined) throw refuse.notFound(id)
  const from = fromStates(action, isDryRun)
  const isDue = kind === 'release.publish' || kind === 'release.fail'
  const isOther = isDue && action.publishAt !== undefined && action.publishAt !== known.publishAt
  if (!from.includes(known.state) || isOther) throw refuse.releaseState(id, titleOf(known), known.state)
  const isPublished = kind === 'release.publish' || kind === 'release.schedule'
  if (isPublished && !isDryRun && versionsIn(name, workspace).length === 0)
    throw refuse.malformed(`The release “${titleOf(known)}” has no documents: add one first`)
  switch (kind) {
    case 'release.edit':
      return [{kind: 'patch', select: {id}, patch: action.patch}]
    case 'release.schedule': {
      if (action.publishAt <= now && !isDryRun)
        throw refuse.malformed(
          `"publishAt" is over: ${action.publishAt}. Choose a later time, or publish now`,
        )
      const {id, name, email, isProgram, credential} = by
      const scheduledBy = {id, name, email, ...(isProgram && {isProgram}), ...(credential && {credential})}
      return [become(known, {state: 'scheduled', publishAt: action.publishAt, scheduledBy})]
    }
    case 'release.unschedule':
      return [become(known, {state: 'active'})]
    case 'release.fail':
      return [become(known, {state: 'active', error: {message: action.reason}})]
    case 'release.publish':
      checkSeen(id, action.ifReviewed, releaseContent(name, workspace))
      return publish(known, action, attempt)
    case 'release.archive': {
      const versions = versionsIn(name, workspace)
      return [
        ...versions.flatMap(({_id}) => archive(name, _id, attempt)),
        become(known, {state: 'archived', finalDocumentStates: statesOf(versions)}),
      ]
    }
    case 'release.unarchive':
      return [
        become(known, {state: 'active'}),
        ...archivedIn(name, workspace).flatMap((archived) => unarchive(archived, workspace)),
      ]
    case 'release.delete':
      return [id, ...archivedIn(name, workspace).map(({_id}) => _id)].map(remove)
    case 'version.unpublish': {
      if (workspace.get(action.versionId) !== undefined)
        return [{kind: 'patch', select: {id: action.versionId}, patch: {set: {_system: {delete: true}}}}]
      // What another release publishes first can be taken away by this one.
      const document = workspace.get(action.publishedId) ?? versionOf(action.publishedId, workspace)
      if (document === undefined) throw refuse.notFound(action.publishedId)
      return [{kind: 'create', document: {...document, _id: action.versionId, _system: {delete: true}}}]
    }
    case 'version.takeOut':
      return takeOut(action.versionId, workspace)
  }
}

/**
 * The states in which an action is possible. Studio asks by dry runs whether a person may do it at all, in any state.
 */
function fromStates(action: ReleaseAction, isDryRun: boolean): readonly ReleaseState[] {
  if (action.kind === 'release.publish' && action.from !== undefined) return action.from
  return isDryRun ? RELEASE_STATES : (FROM[action.kind] ?? [])
}

function create(
  {release: name, metadata, ifExists}: ReleaseAction & {readonly kind: 'release.create'},
  known: Release | undefined,
): Mutation[] {
  if (known !== undefined && ifExists === 'fail') throw refuse.alreadyExists(known._id)
  if (known !== undefined && ifExists === 'ignore') return []
  if (known !== undefined && known.state !== 'active')
    throw refuse.releaseState(known._id, titleOf(known), known.state)
  return [replace({_id: releaseId(name), _type: RELEASE_TYPE, name, state: 'active', metadata})]
}

/**
 * Publishes all versions. What is published like that already is done: a release can be published twice if the database is
 * restored from a backup, and Git has its commit. At its time, when no person is there to decide, a version that others have
 * overtaken publishes its own change.
 */
function publish(release: Release, {publishAt, from}: PublishAction, {workspace, now}: Attempt): Mutation[] {
  const versions = versionsIn(release.name, workspace)
  const contents = new Map<string, JsonObject | undefined>()
  for (const version of versions) {
    const isOutdated = outdatedBase(version, workspace) !== undefined
    const own = publishAt === undefined ? undefined : ownChangeOf(version, workspace)
    contents.set(version._id, isOutdated ? own : publishedAs(version))
  }
  // What is unpublished stays as a draft, so that nothing is undone.
  const outdated = versions.filter((version) => !unpublishes(version) && !contents.get(version._id))
  if (outdated.length > 0)
    throw refuse.outdatedRelease(
      release._id,
      titleOf(release),
      outdated.map((version) => `${version._type} “${labelOf(version)}”`),
    )
  return [
    ...versions.flatMap((version) => {
      if (unpublishes(version))
        return unpublish(version, workspace, from !== undefined && publishAt === undefined)
      const draft = workspace.get(draftId(publishedId(version._id)))
      // A scheduled draft is a copy of a draft that stays until then.
      const isPublished = draft !== undefined && publishesSame(draft, version)
      return [...publishing(version, contents.get(version._id)), ...(isPublished ? [remove(draft._id)] : [])]
    }),
    become(release, {state: 'published', publishedAt: now, finalDocumentStates: statesOf(versions)}),
  ]
}

/**
 * As the action "unpublish": what was published stays as a draft. What others deleted stays deleted.
 * @param isMerged whether a merge at the Git host has removed it, which the version knows
 */
function unpublish(version: Document, workspace: Workspace, isMerged: boolean): Mutation[] {
  const id = publishedId(version._id)
  const published = workspace.get(id) ?? (isMerged ? version : undefined)
  if (published === undefined) return [remove(version._id)]
  workspace.bases.set(draftId(id), null)
  const {_system, _updatedAt, ...content} = published
  return [
    {kind: 'createIfNotExists', document: {...content, _id: draftId(id)}},
    remove(id),
    remove(version._id),
  ]
}

/** Makes a version the draft of its author. A mark that the release unpublishes a document has nothing of an author. */
function takeOut(id: string, workspace: Workspace): Mutation[] {
  const version = workspace.get(id)
  const kept = workspace.kept(id)
  if (version === undefined || kept === undefined) throw refuse.notFound(id)
  if (version !== workspace.before(id))
    throw refuse.malformed(`This changes “${labelOf(version)}” before it discards it: discard it on its own`)
  const target = draftId(publishedId(id))
  const draft = workspace.get(target)
  const isSame = draft !== undefined && publishesSame(draft, version)
  if (unpublishes(version) || isSame) return [remove(id)]
  if (draft !== undefined) throw refuse.draftInTheWay(target, `${version._type} “${labelOf(version)}”`)
  workspace.restored.set(target, {...kept, document: version})
  return [{kind: 'create', document: {...version, _id: target}}, remove(id)]
}

function archive(release: string, id: string, {workspace, by}: Attempt): Mutation[] {
  const draft = draftOf(id, workspace, by)
  const archived = `${ARCHIVED_PREFIX}${release}.${hash('sha256', id, 'hex').slice(0, 32)}`
  const content = JSON.stringify(draft)
  return [replace({_id: archived, _type: ARCHIVED_TYPE, content}), remove(id)]
}

function unarchive(archived: Document, workspace: Workspace): Mutation[] {
  const draft = archivedDraft(archived)
  workspace.restored.set(draft.document._id, draft)
  return [remove(archived._id), {kind: 'create', document: draft.document}]
}

/** Checks a release after its edit: people change what they say about it, nothing else. @throws RefusedError 400 */
function checkEdited(before: Release | undefined, after: Document | undefined): void {
  if (after === undefined || before === undefined) return
  const {metadata, _rev, _updatedAt, ...others} = after
  parseMetadata(metadata)
  const isSame = Object.entries(others).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(before?.[name]),
  )
  if (!isSame || Object.keys(before).some((name) => !(name in after)))
    throw refuse.malformed('Only the "metadata" of a release can be edited')
}

/** Sanity's list of what was in a release. */
function statesOf(versions: readonly Document[]) {
  return versions.map(({_id}) => ({_key: hash('sha256', _id, 'hex').slice(0, 12), id: _id}))
}

/** A release in another state. What belongs to the state before goes. */
function become(release: Release, members: JsonObject): Mutation {
  const {error, publishAt, scheduledBy, publishedAt, finalDocumentStates, ...others} = release
  return replace({...others, ...members})
}

const replace = (document: JsonObject): Mutation => ({kind: 'createOrReplace', document})

const remove = (id: string): Mutation => ({kind: 'delete', select: {id}})
