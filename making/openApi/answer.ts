import {type Fields, isRecord, recordsIn} from '../../schemas/record.ts'
import {accept, type Parsed, refuse} from '../../schemas/rules/parsed.ts'
import {type Asked, proposeResult} from '../proposeResult.ts'
import type {ProposedResult} from '../tree.ts'
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
export function answerOf(asked: Asked, {responses}: Fields, references: References): Parsed<Answer> {
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
      asked.method === 'GET' || found === undefined ? TEXT : {result: proposeResult(undefined), notes: []},
    )
  if (UNREADABLE.test(media.type))
    return refuse(`The operation sends back ${media.type}, which agents cannot read.`)
  if (![JSON_TYPE, JSON_LIKE, ANY_TYPE].some((type) => type.test(media.type))) return accept(TEXT)
  const result = proposeResult(sampleOf(references.answerOf(media.schema)), asked)
  return accept({result, notes: result.kind === 'text' ? [] : noteOfType(media)})
}

/** An answer that has such a schema. */
function sampleOf({type, properties, required, items, oneOf, anyOf}: Schema): unknown {
  const kinds = [type].flat()
  if (kinds.includes('array') || isRecord(items)) {
    const entry: Schema = isRecord(items) ? items : {}
    // Entries of which nothing is said can be anything, and are returned whole.
    const isUnknown =
      Object.keys(entry).every((keyword) => ['title', 'description'].includes(keyword)) ||
      (isRecord(entry.properties) && Object.keys(entry.properties).every((name) => name.startsWith('_')))
    // Of rows without names, it is not known how long they are.
    if (isRecord(entry.items) && !isRecord(entry.items.properties) && !isRecord(entry.items.items))
      return [[]]
    return [isUnknown || (entry.type === 'object' && !isRecord(entry.properties)) ? {} : sampleOf(entry)]
  }
  const [choice] = [oneOf, anyOf].flatMap(recordsIn)
  if (isRecord(properties)) {
    const isCertain = ([name]: [string, unknown]) => Array.isArray(required) && required.includes(name)
    const members = Object.entries(properties)
    // What may be missing is not preferred to what is always there.
    const own = Object.fromEntries(
      [...members.filter(isCertain), ...members.filter((member) => !isCertain(member))].map(
        ([name, member]) => [name, sampleOf(isRecord(member) ? member : {})],
      ),
    )
    return choice === undefined ? own : Object.assign(own, Object(sampleOf(choice)), own)
  }
  return choice === undefined ? 'text' : sampleOf(choice)
}
