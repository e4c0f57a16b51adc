import {isJsonObject, type JsonObject} from '../../../../common/json.ts'
import {isPublishedId, isValidId, isVersionId, publishedId} from '../../../../content/ids.ts'
import {refuse} from '../../errors.ts'
import type {Patch} from '../../patch/patch.ts'
import {optionalText, parsePatch} from '../mutation.ts'
import {parseMetadata, parseTime, type ReleaseState} from './release.ts'

/** An action on a release, or on what it does to a document. https://www.sanity.io/docs/http-reference/actions */
export type ReleaseAction = {readonly release: string} & (
  | {
      readonly kind: 'release.create'
      readonly metadata: JsonObject
      readonly ifExists: 'fail' | 'ignore' | 'replace'
    }
  | {readonly kind: 'release.edit'; readonly patch: Patch}
  | {
      readonly kind: 'release.publish'
      /** The states in which the lake itself publishes it: at its time, or after a merge. */
      readonly from?: readonly ReleaseState[]
      /** For when it was scheduled: a person may have chosen another time meanwhile. */
      readonly publishAt?: string
      /** What a reviewer saw in it: `after` of the request. */
      readonly ifReviewed?: string | undefined
    }
  | {
      readonly kind: 'release.schedule'
      readonly publishAt: string
      readonly ifReviewed: string | undefined
    }
  | {readonly kind: 'release.unschedule' | 'release.archive' | 'release.unarchive' | 'release.delete'}
  /** Only the lake does this: it tells why a release was not published. */
  | {readonly kind: 'release.fail'; readonly reason: string; readonly publishAt: string}
  | {readonly kind: 'version.unpublish'; readonly versionId: string; readonly publishedId: string}
  /** Only the lake does this, for a person who may publish the rest of the release. */
  | {readonly kind: 'version.takeOut'; readonly versionId: string}
)

const PREFIX = 'sanity.action.release.'

/** Names of perspectives. */
const RESERVED = ['raw', 'published', 'drafts', 'previewDrafts']

/** Whether an action is one on a release. */
export function isReleaseAction<T extends {readonly kind: string}>(
  action: T | ReleaseAction,
): action is ReleaseAction {
  return action.kind.startsWith('release.') || action.kind.startsWith('version.')
}

/**
 * Parses an action on a release; undefined for another action.
 * @throws RefusedError 400
 */
export function parseReleaseAction(value: JsonObject): ReleaseAction | undefined {
  const {actionType} = value
  if (actionType === 'sanity.action.document.version.unpublish') return parseUnpublish(value)
  if (typeof actionType !== 'string' || !actionType.startsWith(PREFIX)) return undefined
  const release = parseName(value.releaseId)
  const verb = actionType.slice(PREFIX.length)
  const ifReviewed = optionalText(value, 'ifReviewed')
  switch (verb) {
    case 'create':
      return {
        kind: 'release.create',
        release,
        metadata: parseMetadata(value.metadata ?? {}),
        ifExists: 'fail',
      }
    case 'import':
      return {kind: 'release.create', release, ...parseImport(value)}
    case 'edit':
      return {kind: 'release.edit', release, patch: parsePatch(value.patch)}
    case 'schedule':
      return {kind: 'release.schedule', release, publishAt: parseTime(value.publishAt), ifReviewed}
    case 'publish':
      return {kind: 'release.publish', release, ifReviewed}
    case 'unschedule':
    case 'archive':
    case 'unarchive':
    case 'delete':
      return {kind: `release.${verb}`, release}
    default:
      throw refuse.malformed(`"${actionType}" is not an action that this lake supports`)
  }
}

/** What an export has of a release: its versions follow as documents, so it is active again. */
function parseImport({attributes, document = attributes, ifExists = 'fail'}: JsonObject) {
  if (!isJsonObject(document)) throw refuse.malformed('"document" must be the document of a release')
  if (ifExists !== 'fail' && ifExists !== 'ignore' && ifExists !== 'replace')
    throw refuse.malformed('"ifExists" must be "fail", "ignore" or "replace"')
  return {metadata: parseMetadata(document.metadata ?? {}), ifExists} as const
}

function parseUnpublish({versionId, publishedId: published}: JsonObject): ReleaseAction {
  if (typeof versionId !== 'string' || !isValidId(versionId) || !isVersionId(versionId))
    throw refuse.malformed('"versionId" must be the id of a version in a release')
  if (typeof published !== 'string' || !isPublishedId(published) || publishedId(versionId) !== published)
    throw refuse.malformed(`"${versionId}" is not a version of "publishedId", which is "${published}"`)
  const release = parseName(versionId.split('.')[1])
  return {kind: 'version.unpublish', release, versionId, publishedId: published}
}

function parseName(value: unknown): string {
  if (typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value) && !RESERVED.includes(value))
    return value
  throw refuse.malformed(
    '"releaseId" must be a name of at most 64 letters, digits, "_" and "-", and not that of a perspective',
  )
}
