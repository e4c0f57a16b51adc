import {isNothing} from '../../schemas/calls/counts.ts'
import {jsonIn} from '../../schemas/record.ts'
import {cut, exact, pick, valueAt} from './json.ts'
import {checkSignIn, isHtml, noList, REFUSED} from './outcome.ts'
import type {Call, RequestFeatures} from './request.ts'
import {asSentence} from './said.ts'

type Result = RequestFeatures['result']
type Refuse = NonNullable<RequestFeatures['refuse']>

/** Characters of a text that is returned whole. */
const MAX_TEXT = 5_000

/** A text of the editor. The answer matters only if it may be a sign-in page. */
export const message: Result = async (response, {plan: {message = ''}, features: {column}, fail}) => {
  const page = column.ledTo && isHtml(response) ? await response.text().catch(() => fail(column.unread)) : ''
  const led = column.ledTo?.(response, page)
  return led ? `${asSentence(message)} ${led}` : message
}

/** The answer as a text. */
export const text: Result = async (response, call) => {
  checkSignIn(response)
  const whole = await textOf(response, call)
  const rest = `… (the first ${MAX_TEXT} of ${whole.length} characters)`
  if (whole === '') return call.features.column.without(call.plan, call.args)
  return whole.length > MAX_TEXT ? whole.slice(0, MAX_TEXT) + rest : whole
}

/** One thing of JSON. */
export const object: Result = async (response, call) => {
  const {plan, args, features} = call
  const {at = valueAt, column, said} = features
  const answer = await answerIn(response, call)
  const found = answer?.found ?? undefined
  const picked = found === undefined ? found : pick(found, plan.members ?? [], at)
  // A list that is all of it is what an editor chose.
  const isNone = column.isChange
    ? Array.isArray(found) && found.length === 0
    : !Array.isArray(found) && isNothing(picked)
  return isNone || picked === undefined
    ? column.without(plan, args, answer && said?.(answer.json, plan.error))
    : picked
}

/** A list of JSON. One that is absent is empty. */
export const list: Result = async (response, call) => {
  const {plan, args, features} = call
  const {at = valueAt, column, said} = features
  const answer = await answerIn(response, call, true)
  const found = answer?.found ?? []
  if (!Array.isArray(found) && !column.isChange)
    throw new Error((said?.(answer?.json, plan.error) ?? '') + noList(plan.place ?? ''))
  if (!Array.isArray(found) || found.length === 0)
    return column.without(plan, args, answer?.found ? '' : said?.(answer?.json, plan.error))
  const picked = found.map((one) => pick(one, plan.members ?? [], at))
  return cut(picked, plan.limit ?? picked.length)
}

async function textOf(response: Response, {features: {column}, fail}: Call): Promise<string> {
  const text = (await response.text().catch(() => fail(column.unread))).trim()
  const led = column.ledTo?.(response, text)
  if (led) throw new Error(`${led} ${column.remedy}`)
  return text
}

/** The JSON that came, and what the tool returns of it; undefined: the answer has nothing. */
async function answerIn(response: Response, call: Call, isOneList = false) {
  const {plan, features} = call
  const {at = valueAt, column, said, refuse} = features
  const text = await textOf(response, call)
  if (column.isBlank(response.status, text)) return undefined
  const json = jsonIn(text, exact)
  if (json === undefined) throw new Error(column.notJson)
  const found = at(json, plan.path ?? [], isOneList)
  if (refuse?.(json, found)) throw new Error((said?.(json, plan.error) ?? '') + REFUSED)
  return {json, found}
}

/** Whether GraphQL says no with status 200 (https://spec.graphql.org/October2021/#sec-Errors). */
export const refusesGraphql: Refuse = (answer, found) => Object(answer).errors && !found

/** Whether an answer to a change says no with status 200. */
export const refusesChange: Refuse = (answer) => {
  const {error, errors, success, ok} = Object(answer)
  return error || errors?.length || success === false || ok === false
}
