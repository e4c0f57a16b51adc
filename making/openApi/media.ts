import {isRecord} from '../../schemas/record.ts'

/** What is sent or comes back, by its media type, such as `application/json`. */
export type Media = {readonly type: string; readonly schema: unknown}

export const JSON_TYPE = /^(?:application|text)\/json\b/i
export const JSON_LIKE = /^[\w.-]+\/[\w.-]*\+json\b/i
export const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i
export const MULTIPART_TYPE = /^multipart\/form-data\b/i
export const ANY_TYPE = /^(?:\*|application)\/\*/i

/** The first of several types that an operation offers, in the order of what a tool prefers. */
export function mediaOf(content: unknown, order: readonly RegExp[]): Media | undefined {
  const offered = isRecord(content) ? Object.entries(content) : []
  const [found] = order.flatMap((wanted) => offered.filter(([type]) => wanted.test(type)))
  if (found === undefined) return undefined
  const [type, media] = found
  return {type, schema: isRecord(media) ? media.schema : undefined}
}

/** Tools send and ask for `application/json`, which most servers take for types that are JSON, too. */
export function noteOfType({type}: Media): string[] {
  return JSON_LIKE.test(type)
    ? [`The file says “${type}”, the tool “application/json”: try the tool before you publish it.`]
    : []
}
