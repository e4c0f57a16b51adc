import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {draftId, isDraftId, isPublishedId, isValidId, publishedId, versionedId} from '../../../content/ids.ts'
import {refuse} from '../errors.ts'
import {optionalText, parsePatch} from './mutation.ts'
import {parseReleaseAction, type ReleaseAction} from './releases/releaseAction.ts'
import {parseReviewAction, type ReviewAction} from './review/reviewAction.ts'

/** An action of an editor on a document. https://www.sanity.io/docs/http-reference/actions */
export type Action = ReleaseAction | ReviewAction | ReturnType<typeof parseDocumentAction>

const PREFIX = 'sanity.action.document.'

/**
 * Parses one action of a request.
 * @throws RefusedError 400
 */
export function parseAction(value: unknown): Action {
  if (!isJsonObject(value) || typeof value.actionType !== 'string')
    throw refuse.malformed('An action must be an object with an "actionType"')
  return parseReviewAction(value) ?? parseReleaseAction(value) ?? parseDocumentAction(value.actionType, value)
}

function parseDocumentAction(type: string, value: JsonObject) {
  const kind = type.startsWith(PREFIX) ? type.slice(PREFIX.length) : ''
  switch (kind) {
    case 'create': {
      const attributes = attributesOf(value)
      const id = attributes._id ?? draftId(publishedIn(value, 'publishedId'))
      if (typeof id !== 'string' || !isDraftId(id))
        throw refuse.malformed('"create" creates drafts: "_id" must be the id of a draft')
      return {kind, draftId: id, attributes, ignore: value.ifExists === 'ignore'} as const
    }
    case 'edit':
      return {kind, ...pair(value), patch: parsePatch(value.patch)} as const
    case 'publish':
      return {
        kind,
        ...pair(value),
        ifDraftRevisionId: optionalText(value, 'ifDraftRevisionId'),
        ifPublishedRevisionId: optionalText(value, 'ifPublishedRevisionId'),
        // The content that a reviewer saw: `after` of the request.
        ifReviewed: optionalText(value, 'ifReviewed'),
      } as const
    case 'unpublish':
      return {kind, ...pair(value)} as const
    case 'discard':
      return {kind, draftId: draft(value, 'draftId')} as const
    case 'version.create':
      return createVersion(value)
    case 'version.replace': {
      const attributes = attributesOf(value, 'document')
      return {kind: 'replaceDraft', attributes, draftId: draft(attributes, '_id')} as const
    }
    case 'version.discard':
      // Studio uses this action to discard drafts, too.
      return {kind: 'discard', draftId: draft(value, 'versionId')} as const
    case 'replaceDraft': {
      const attributes = attributesOf(value)
      return {kind, attributes, draftId: draft(attributes, '_id')} as const
    }
    case 'delete': {
      const id = publishedIn(value, 'publishedId')
      const {includeDrafts = []} = value
      if (!Array.isArray(includeDrafts)) throw refuse.malformed('"includeDrafts" must be a list of ids')
      const draftIds = includeDrafts.map((id) => draft({id}, 'id'))
      return {kind, publishedId: id, draftIds} as const
    }
    default:
      throw refuse.malformed(`"${type}" is not an action that this lake supports`)
  }
}

/** A version in a release, or a draft: Studio calls both a version. */
function createVersion(value: JsonObject) {
  const published = publishedIn(value, 'publishedId')
  // Sanity's client names it "document", its App SDK "attributes".
  const name = ['document', 'attributes'].find((name) => value[name] !== undefined)
  const attributes = name === undefined ? value : attributesOf(value, name)
  const id = draft(attributes, name === undefined ? 'versionId' : '_id')
  if (publishedId(id) !== published)
    throw refuse.malformed(`"${id}" is not a version of "publishedId", which is "${published}"`)
  if (name !== undefined) return {kind: 'create', draftId: id, attributes, ignore: false} as const
  const baseId = optionalText(value, 'baseId')
  if (baseId === undefined)
    throw refuse.malformed('"version.create" needs a "document", or a "baseId" and a "versionId"')
  const ifBaseRevisionId = optionalText(value, 'ifBaseRevisionId')
  return {kind: 'createFrom', draftId: id, baseId, ifBaseRevisionId} as const
}

function pair(value: JsonObject) {
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
