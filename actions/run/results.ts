import {MAX_TEXT} from './bounds.ts'
import {cut, exact, pick} from './json.ts'
import {type Column, checkPage, isOf, REFUSED, refuses, textIn, UNREAD} from './outcome.ts'
import type {Call, RequestFeatures} from './request.ts'
import {endOf, stop} from './said.ts'

type Result = RequestFeatures['result']

/** A text of the editor. The answer matters only if it may be a sign-in page, or says no. */
export const message: Result = async (response, call) => {
  const {message = '', column, fail} = call
  // JSON often has another type, or none. A stream of events would never end.
  const text = isOf(response, 'html|json|plain|script|^$') ? await textIn(response).catch(fail) : ''
  checkPage(response, column, text)
  const led = column.ledTo?.(response)
  checkRefusal(await new Response(text).json().catch(() => {}), call, column.refuses ?? refuses)
  return led ? `${message}${endOf(message)} ${led}` : message
}

/** The answer as a text. */
export const text: Result = async (response, call) => {
  const whole = await textOf(response, call)
  checkPage(response, call.column, whole, true)
  checkRefusal(await new Response(whole).json().catch(() => {}), call, call.column.refuses, true)
  const rest = `… (the first ${MAX_TEXT} of ${whole.length} characters)`
  if (whole === '') return call.column.none(call)
  return whole.length > MAX_TEXT ? whole.slice(0, MAX_TEXT) + rest : whole
}

/** One thing of JSON. */
export const object: Result = (response, call) => {
  const {members, valueIn, column} = call
  return jsonIn(response, call, (found) => {
    const picked = pick(found, members, valueIn)
    const isPicked = members || column.unsure
    const first = [typeof picked === 'object' && isPicked ? Object.values(picked ?? [undefined]) : picked]
      .flat(2)
      .reduce((one, other) => one ?? other, null)
    return first == null ? first : picked
  })
}

/** A list of JSON. One that is absent is empty. */
export const list: Result = (response, call) => {
  const {members, limit = 0, valueIn} = call
  return jsonIn(
    response,
    call,
    (found) =>
      Array.isArray(found)
        ? found.length > 0
          ? cut(
              found.map((one, at) => (at < limit ? pick(one, members, valueIn) : one)),
              limit,
            )
          : null
        : undefined,
    true,
  )
}

/** Columns of JSON as rows: `{hour: [7, 8], rain: [0, 2]}` has two. */
export async function columns(response: Response, call: Call) {
  const found = await object(response, call)
  const rows: Record<string, unknown>[] = []
  for (const [name, column] of Object.entries(Object(found)))
    if (Array.isArray(column))
      for (const [at, value] of column.entries()) rows[at] = {...rows[at], [name]: value}
  return rows[0] ? cut(rows, call.limit ?? 0) : found
}

/** Whether the place of errors has one. Some always send a list or a group, also `{code: 0, message: 'OK'}`. */
function isError(error: unknown): unknown {
  return typeof error === 'object' ? Object.values(error ?? '')[0] : error
}

/**
 * @param isRead whether the answer has what the tool reads, which GraphQL sends next to errors
 * @throws Error if an answer with status 200 says no to a change, or has errors and nothing that the tool reads
 */
function checkRefusal(json: unknown, call: Call, refuses: Column['refuses'], isRead = false): void {
  const {error, errors, data} = Object(json)
  if (
    (call.column.unsure || !isRead) &&
    (isError(error) || (isError(errors) && !(isRead && data)) || refuses?.(json, call))
  )
    stop(call.said(json, call) + REFUSED)
}

async function textOf(response: Response, {column, fail}: Call): Promise<string> {
  const text = (await textIn(response).catch(fail)).trim()
  const led = column.ledTo?.(response)
  return led ? stop(led + column.unsure) : text
}

/**
 * What a tool returns of JSON.
 * @param read returns what it reads of what stands at its place; null: it is empty; undefined: it is not there
 */
async function jsonIn(response: Response, call: Call, read: (found: unknown) => unknown, isList = false) {
  const {path = [], valueIn, column, said} = call
  const text = await textOf(response, call)
  let json: unknown
  if (text)
    try {
      json = JSON.parse(exact(text))
    } catch {
      stop(UNREAD + column.unsure)
    }
  const found = valueIn(json, path, isList)
  const value = read(found)
  checkRefusal(json, call, column.refuses, value != null)
  if (value != null) return value
  const words = value !== undefined && isList ? '' : said(json, call)
  // `{}`, `[]`, `true` and `null` say nothing but that a change was made.
  if (value === undefined && ((isList && found) || (column.unsure && (isList ? words : text[4]))))
    stop(words + UNREAD + column.unsure)
  return column.none(call, words)
}
