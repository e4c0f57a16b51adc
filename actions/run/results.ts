import {MAX_TEXT} from './bounds.ts'
import {cut, exact, pick, valueAt} from './json.ts'
import {checkPage, isOf, NO_LIST, NOT_JSON, nothingFor, REFUSED, textIn, UNREAD} from './outcome.ts'
import type {Call, RequestFeatures} from './request.ts'
import {asSentence, stop} from './said.ts'

type Result = RequestFeatures['result']

/** A text of the editor. The answer matters only if it may be a sign-in page, or says no. */
export const message: Result = async (response, call) => {
  const {message = '', column, fail} = call
  // JSON often has another type, or none. A stream of events would never end.
  const text = isOf(response, 'html|json|plain|script|^$') ? await textIn(response).catch(fail) : ''
  checkPage(response, column, text)
  const led = column.ledTo?.(response)
  checkRefusal(await new Response(text).json().catch(() => {}), call)
  return led ? `${asSentence(message)} ${led}` : message
}

/** The answer as a text. */
export const text: Result = async (response, call) => {
  const whole = await textOf(response, call)
  checkPage(response, call.column, whole, true)
  const rest = `… (the first ${MAX_TEXT} of ${whole.length} characters)`
  if (whole === '') return none(call)
  return whole.length > MAX_TEXT ? whole.slice(0, MAX_TEXT) + rest : whole
}

/** One thing of JSON. */
export const object: Result = async (response, call) => {
  const {members, valueIn = valueAt, column} = call
  const [json, found] = await answerIn(response, call)
  const picked = pick(found, members, valueIn)
  const isPicked = members || column.done
  const isRead = [typeof picked === 'object' && isPicked ? Object.values(picked ?? []) : picked]
    .flat(2)
    .some(isValue)
  checkRefusal(json, call, isRead)
  return isRead ? picked : none(call, json)
}

/** A list of JSON. One that is absent is empty. */
export const list: Result = async (response, call) => {
  const {members, limit = 0, valueIn = valueAt, column, say} = call
  const [json, found] = await answerIn(response, call, true)
  const isList = Array.isArray(found)
  const isRead = isList && found.length > 0
  checkRefusal(json, call, isRead)
  if (isRead)
    return cut(
      found.map((one, at) => (at < limit ? pick(one, members, valueIn) : one)),
      limit,
    )
  if (isList) return none(call)
  return isValue(found) ? stop(say(json) + NO_LIST + column.unsure) : none(call, json)
}

function isValue(value: unknown): boolean {
  return (value ?? undefined) !== undefined
}

/**
 * @param isRead whether the answer has what the tool reads, which GraphQL sends next to errors
 * @throws Error if an answer with status 200 says no to a change, or says no and has nothing that the tool reads
 */
function checkRefusal(json: unknown, {column, say}: Call, isRead?: boolean): void {
  const answer = Object(json)
  if (
    (column.done || !isRead) &&
    (answer.error ||
      (Object.keys(answer.errors ?? '')[0] && !(isRead && answer.data)) ||
      'success Success isSuccess ok status result'.split(' ').some((name) =>
        // False, or a word such as “validation_failed”, and not “no_error”.
        /(?:ss|ok)=(?:false|0)$|=(?:\w\w\w+_)?(?:error|fail\w*)$/i.test(`${name}=${answer[name]}`),
      ))
  )
    stop(say(json) + REFUSED)
}

/** @param json that came, and has nothing that the tool reads */
function none(call: Call, json?: unknown) {
  const {done, unsure} = call.column
  if (!done) return nothingFor(call, call.say(json))
  return isValue(json) ? stop(call.say(json) + UNREAD + unsure) : done
}

async function textOf(response: Response, {column, fail}: Call): Promise<string> {
  const text = (await textIn(response).catch(fail)).trim()
  const led = column.ledTo?.(response)
  return led ? stop(led + column.unsure) : text
}

/** The JSON that came, and what the tool returns of it; neither: the answer has nothing. */
async function answerIn(
  response: Response,
  call: Call,
  isOneList = false,
): Promise<[json?: unknown, found?: unknown]> {
  const {path = [], valueIn = valueAt, column} = call
  const text = await textOf(response, call)
  if (!text) return []
  let json: unknown
  try {
    json = JSON.parse(exact(text))
  } catch {
    stop(NOT_JSON + column.unsure)
  }
  return [json, valueIn(json, path, isOneList)]
}
