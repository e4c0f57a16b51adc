import type {JsonObject} from '../../../../common/json.ts'
import {isPublishedId, isReleaseId, isValidId} from '../../../../content/ids.ts'
import {refuse} from '../../errors.ts'
import {REVIEWED_ACTIONS, type ReviewedAction} from './reviewRequest.ts'

/** An action on the request for a review of a document. Sanity's API has no such actions. */
export type ReviewAction =
  | {
      readonly kind: 'review.request'
      readonly publishedId: string
      readonly action: ReviewedAction
      readonly ifDraftRevisionId: string | undefined
      readonly text: string
    }
  | {
      readonly kind: 'review.comment' | 'review.sendBack' | 'review.withdraw'
      readonly publishedId: string
      readonly text: string
    }
  /** Only the lake: the Git host does not have the branch of the request. */
  | {readonly kind: 'review.dropBranch'; readonly publishedId: string; readonly text: string}
  /** Lets an administrator publish without the reviews that this transaction needs. */
  | {readonly kind: 'review.skip'; readonly reason: string}

const PREFIX = 'handrail.action.'

/** Maximum characters of a comment or a reason. */
const MAX_TEXT = 2_000

/** Whether an action is one on a review. */
export function isReviewAction<T extends {readonly kind: string}>(
  action: T | ReviewAction,
): action is ReviewAction {
  return action.kind.startsWith('review.')
}

/**
 * Parses an action on a review; undefined for another action.
 * @throws RefusedError 400
 */
export function parseReviewAction(value: JsonObject): ReviewAction | undefined {
  const {actionType} = value
  if (typeof actionType !== 'string' || !actionType.startsWith(PREFIX)) return undefined
  const kind = actionType.slice(PREFIX.length)
  switch (kind) {
    case 'review.request': {
      const action = REVIEWED_ACTIONS.find((known) => known === (value.action ?? 'publish'))
      if (action === undefined)
        throw refuse.malformed(`"action" must be one of ${REVIEWED_ACTIONS.join(', ')}`)
      const revision = value.ifDraftRevisionId
      if (action === 'publish' && typeof revision !== 'string' && !isReleaseId(idOf(value)))
        throw refuse.malformed('A request to publish needs "ifDraftRevisionId", the revision of the draft')
      const ifDraftRevisionId = typeof revision === 'string' ? revision : undefined
      return {kind, publishedId: idOf(value), action, ifDraftRevisionId, text: textOf(value, 'text')}
    }
    case 'review.comment':
    case 'review.sendBack':
    case 'review.withdraw': {
      const text = textOf(value, 'text')
      if (text === '' && kind !== 'review.withdraw')
        throw refuse.malformed('Write what you think: "text" is empty')
      return {kind, publishedId: idOf(value), text}
    }
    case 'review.skip': {
      const reason = textOf(value, 'reason')
      if (reason === '') throw refuse.malformed('Say why there is no time for a review: "reason" is empty')
      return {kind, reason}
    }
    default:
      throw refuse.malformed(`"${actionType}" is not an action that this lake supports`)
  }
}

function idOf({publishedId: id}: JsonObject): string {
  if (typeof id === 'string' && isValidId(id) && (isPublishedId(id) || isReleaseId(id))) return id
  throw refuse.malformed('"publishedId" must be the id of a published document or of a release')
}

function textOf(value: JsonObject, name: string): string {
  const text = value[name] ?? ''
  if (typeof text !== 'string' || text.length > MAX_TEXT)
    throw refuse.malformed(`"${name}" must be a text of at most ${MAX_TEXT} characters`)
  return text.trim()
}
