import {MAX_TEXT} from './bounds.ts'
import {cut, exact, pick, valueAt} from './json.ts'
import {checkPage, isOf, NO_LIST, NOT_JSON, nothingFor, REFUSED, textIn} from './outcome.ts'
import type {Call, RequestFeatures} from './request.ts'
import {asSentence, stop} from './said.ts'

type Result = RequestFeatures['result']
type Refuse = NonNullable<RequestFeatures['refuse']>

/** A text of the editor. The answer matters only if it may be a sign-in page, or says no. */
export const message: Result = async (response, {message = '', column, fail, refuse, say}) => {
  const text = isOf(response, 'html|json') ? await textIn(response).catch(fail) : ''
  checkPage(response, column, text)
  const led = column.ledTo?.(response)
  refuse?.(await new Response(text).json().catch(() => {}), undefined, say)
  return led ? `${asSentence(message)} ${led}` : message
}

/** The answer as a text. */
export const text: Result = async (response, call) => {
  const whole = await textOf(response, call)
  checkPage(response, call.column, whole)
  const rest = `… (the first ${MAX_TEXT} of ${whole.length} characters)`
  if (whole === '') return none(call)
  return whole.length > MAX_TEXT ? whole.slice(0, MAX_TEXT) + rest : whole
}

/** One thing of JSON. */
export const object: Result = async (response, call) => {
  const {valueIn = valueAt} = call
  const [json, found] = await answerIn(response, call)
  const isNone = Array.isArray(found)
    ? call.column.done && found.length === 0
    : (found ?? undefined) === undefined
  return isNone ? none(call, call.say(json)) : pick(found, call.members, valueIn)
}

/** A list of JSON. One that is absent is empty. */
export const list: Result = async (response, call) => {
  const {members, limit = 0, valueIn = valueAt, column, say} = call
  const [json, found] = await answerIn(response, call, true)
  if (Array.isArray(found))
    return found.length > 0
      ? cut(
          found.map((one, at) => (at < limit ? pick(one, members, valueIn) : one)),
          limit,
        )
      : none(call)
  return found === undefined || found === null || column.done
    ? none(call, say(json))
    : stop(say(json) + NO_LIST)
}

function none(call: Call, said = '') {
  return call.column.done ?? nothingFor(call, said)
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
  const {path = [], valueIn = valueAt, column, say, refuse} = call
  const text = await textOf(response, call)
  if (!text) return []
  let json: unknown
  try {
    json = JSON.parse(exact(text))
  } catch {
    stop(NOT_JSON + column.unsure)
  }
  const found = valueIn(json, path, isOneList)
  refuse?.(json, found, say)
  return [json, found]
}

/** Whether GraphQL says no with status 200 (https://spec.graphql.org/October2021/#sec-Errors). */
export const refusesGraphql: Refuse = (answer, found, say) => {
  if (Object(answer).errors && !found) stop(say(answer) + REFUSED)
}

/** Whether an answer to a change says no with status 200. */
export const refusesChange: Refuse = (answer, _, say) => {
  const {error, errors, success, ok} = Object(answer)
  if (error || Object.keys(errors ?? '')[0] || success === false || ok === false) stop(say(answer) + REFUSED)
}
