import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {draftId, isDraftId, isPublishedId, isValidId, publishedId, versionedId} from '../../../content/ids.ts'
import {refuse} from '../errors.ts'
import type {Patch} from '../patch/patch.ts'
import {optionalText, parsePatch} from './mutation.ts'
import {parseReleaseAction, type ReleaseAction} from './releases/releaseAction.ts'
import {parseReviewAction, type ReviewAction} from './review/reviewAction.ts'

/** An action of an editor on a document. https://www.sanity.io/docs/http-reference/actions */
export type Action =
  | ReleaseAction
  | ReviewAction
  | {
      readonly kind: 'create'
      readonly draftId: string
      readonly attributes: JsonObject
      readonly ignore: boolean
    }
  | {
      readonly kind: 'createFrom'
      readonly draftId: string
      readonly baseId: string
      readonly ifBaseRevisionId: string | undefined
    }
  | {readonly kind: 'edit'; readonly draftId: string; readonly publishedId: string; readonly patch: Patch}
  | {
      readonly kind: 'publish'
      readonly draftId: string
      readonly publishedId: string
      readonly ifDraftRevisionId: string | undefined
      readonly ifPublishedRevisionId: string | undefined
      /** The content that a reviewer saw: `after` of the request. */
      readonly ifReviewed: string | undefined
    }
  | {readonly kind: 'unpublish'; readonly draftId: string; readonly publishedId: string}
  | {readonly kind: 'discard'; readonly draftId: string}
  | {readonly kind: 'replaceDraft'; readonly attributes: JsonObject; readonly draftId: string}
  | {readonly kind: 'delete'; readonly publishedId: string; readonly draftIds: readonly string[]}

const PREFIX = 'sanity.action.document.'

/**
 * Parses one action of a request.
 * @throws RefusedError 400
 */
export function parseAction(value: unknown): Action {
  if (!isJsonObject(value) || typeof value.actionType !== 'string')
    throw refuse.malformed('An action must be an object with an "actionType"')
  const special = parseReviewAction(value) ?? parseReleaseAction(value)
  if (special !== undefined) return special
  const kind = value.actionType.startsWith(PREFIX) ? value.actionType.slice(PREFIX.length) : ''
  switch (kind) {
    case 'create': {
      const attributes = attributesOf(value)
      const id = attributes._id ?? draftId(publishedIn(value, 'publishedId'))
      if (typeof id !== 'string' || !isDraftId(id))
        throw refuse.malformed('"create" creates drafts: "_id" must be the id of a draft')
      return {kind, draftId: id, attributes, ignore: value.ifExists === 'ignore'}
    }
    case 'edit':
      return {kind, ...pair(value), patch: parsePatch(value.patch)}
    case 'publish':
      return {
        kind,
        ...pair(value),
        ifDraftRevisionId: optionalText(value, 'ifDraftRevisionId'),
        ifPublishedRevisionId: optionalText(value, 'ifPublishedRevisionId'),
        ifReviewed: optionalText(value, 'ifReviewed'),
      }
    case 'unpublish':
      return {kind, ...pair(value)}
    case 'discard':
      return {kind, draftId: draft(value, 'draftId')}
    case 'version.create':
      return createVersion(value)
    case 'version.replace': {
      const attributes = attributesOf(value, 'document')
      return {kind: 'replaceDraft', attributes, draftId: draft(attributes, '_id')}
    }
    case 'version.discard':
      // Studio uses this action to discard drafts, too.
      return {kind: 'discard', draftId: draft(value, 'versionId')}
    case 'replaceDraft': {
      const attributes = attributesOf(value)
      return {kind, attributes, draftId: draft(attributes, '_id')}
    }
    case 'delete': {
      const id = publishedIn(value, 'publishedId')
      const {includeDrafts = []} = value
      if (!Array.isArray(includeDrafts)) throw refuse.malformed('"includeDrafts" must be a list of ids')
      const draftIds = includeDrafts.map((id) => draft({id}, 'id'))
      return {kind, publishedId: id, draftIds}
    }
    default:
      throw refuse.malformed(`"${value.actionType}" is not an action that this lake supports`)
  }
}

/** A version in a release, or a draft: Studio calls both a version. */
function createVersion(value: JsonObject): Action {
  const published = publishedIn(value, 'publishedId')
  // Sanity's client names it "document", its App SDK "attributes".
  const name = ['document', 'attributes'].find((name) => value[name] !== undefined)
  const attributes = name === undefined ? value : attributesOf(value, name)
  const id = draft(attributes, name === undefined ? 'versionId' : '_id')
  if (publishedId(id) !== published)
    throw refuse.malformed(`"${id}" is not a version of "publishedId", which is "${published}"`)
  if (name !== undefined) return {kind: 'create', draftId: id, attributes, ignore: false}
  const baseId = optionalText(value, 'baseId')
  if (baseId === undefined)
    throw refuse.malformed('"version.create" needs a "document", or a "baseId" and a "versionId"')
  return {kind: 'createFrom', draftId: id, baseId, ifBaseRevisionId: optionalText(value, 'ifBaseRevisionId')}
}

function pair(value: JsonObject): {readonly draftId: string; readonly publishedId: string} {
  return {draftId: draft(value, 'draftId'), publishedId: publishedIn(value, 'publishedId')}
}

function draft(value: JsonObject, name: string): string {
  const id = value[name]
  if (typeof id === 'string' && isValidId(id) && versionedId(id) !== undefined) return id
  throw refuse.malformed(`"${name}" must be the id of a draft or of a version in a release`)
}

function publishedIn(value: JsonObject, name: string): string {
  const id = value[name]
  if (typeof id === 'string' && isValidId(id) && isPublishedId(id)) return id
  throw refuse.malformed(`"${name}" must be the id of a published document`)
}

function attributesOf(value: JsonObject, name = 'attributes'): JsonObject {
  const attributes = value[name]
  if (isJsonObject(attributes) && typeof attributes._type === 'string') return attributes
  throw refuse.malformed(`"${name}" must be a document with a "_type"`)
}
