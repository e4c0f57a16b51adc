import {type Fields, isRecord, recordsIn} from '../../schemas/record.ts'
import {accept, type Parsed, refuse} from '../../schemas/rules/parsed.ts'
import {type ProposedResult, proposeResult} from '../tree.ts'
import {ANY_TYPE, JSON_LIKE, JSON_TYPE, mediaOf, noteOfType} from './media.ts'
import type {Schema} from './nullable.ts'
import type {References} from './references.ts'

type Answer = {readonly result: ProposedResult; readonly notes: readonly string[]}

const UNREADABLE =
  /^(?:image|audio|video|font)\/|^application\/(?:octet-stream|pdf|zip|vnd\.ms-|vnd\.openxml)/i

const TEXT: Answer = {result: {kind: 'text'}, notes: []}

/**
 * What a tool returns of what comes back if all is well.
 * @throws TooLargeError
 */
export function answerOf(method: string, {responses}: Fields, references: References): Parsed<Answer> {
  const all = Object.entries(isRecord(responses) ? responses : {})
  const good = all
    .filter(([status]) => /^2(?:\d\d|XX)$/i.test(status))
    .map(([, one]) => references.resolve(one))
  const found = good.find((one) => isRecord(one?.content)) ?? good[0]
  const usual = isRecord(responses) ? references.resolve(responses.default) : undefined
  const {content} = found ?? usual ?? {}
  const media = mediaOf(content, [JSON_TYPE, JSON_LIKE, ANY_TYPE, /^text\//i, /^/])
  if (media === undefined)
    return accept(
      method === 'GET' || found === undefined ? TEXT : {result: proposeResult(undefined), notes: []},
    )
  if (UNREADABLE.test(media.type))
    return refuse(`The operation sends back ${media.type}, which agents cannot read.`)
  if (![JSON_TYPE, JSON_LIKE, ANY_TYPE].some((type) => type.test(media.type))) return accept(TEXT)
  const result = proposeResult(sampleOf(references.schemaOf(media.schema, 'returned')))
  return accept({result, notes: result.kind === 'text' ? [] : noteOfType(media)})
}

/** An answer that has such a schema. */
function sampleOf({type, properties, items, oneOf, anyOf}: Schema): unknown {
  const kinds = [type].flat()
  if (kinds.includes('array') || isRecord(items)) return [sampleOf(isRecord(items) ? items : {})]
  if (isRecord(properties))
    return Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, sampleOf(isRecord(member) ? member : {})]),
    )
  const [choice] = [oneOf, anyOf].flatMap(recordsIn)
  return choice === undefined ? 'text' : sampleOf(choice)
}
