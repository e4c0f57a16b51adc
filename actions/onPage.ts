import {parseAction} from '../schemas/actions/parseAction.ts'
import {USUAL_PAGE_LIMIT} from '../schemas/actions/parts.ts'
import type {Part} from '../schemas/actions/reading.ts'
import type {Fields} from '../schemas/record.ts'
import {textOf} from '../schemas/rules/text.ts'
import {type Features, type Planned, planOf, planOfReading} from './plan.ts'
import * as functions from './run/all.ts'
import type {ReadingCall} from './run/html/reading.ts'
import type {Arguments} from './run/plan.ts'
import type {RequestCall} from './run/request.ts'

// A tool is tried before it is made. The policy of a page may forbid to run the text of its script (`script-src` without
// 'unsafe-eval'), and the service has no module of a tool that is not saved. So the panel has the functions itself.

/** A request that can run. */
export type PlannedRequest = Extract<Planned, {readonly run: 'runRequest'}>

/** What runs of a request that is made. @throws BrokenRule */
export function plannedOf(tool: Fields): PlannedRequest {
  const action = parseAction(tool, undefined)
  const planned = action && planOf(action, JSON.parse(textOf(tool.inputSchema)))
  if (planned?.run !== 'runRequest') throw new Error('The tool sends no request.')
  return planned
}

/** The call of a reading of this page. Its parts may still lack names, so they are not parsed. */
export function readingOf(proposed: readonly object[]): ReadingCall {
  const parts = proposed.map(
    (part): Part => Object({limit: USUAL_PAGE_LIMIT, columns: [], fields: [], ...part}),
  )
  const {plan, features} = planOfReading({parts, pages: 1, nothing: undefined})
  return {document, signal: NEVER, ...functionsOf(features), ...plan}
}

const NEVER = new AbortController().signal

function functionsOf(names: Features): ReturnType<typeof Object> {
  const found = Object.entries(names).map(([what, name]) => [what, Object(functions)[name]])
  return Object(Object.fromEntries(found))
}

/** A call of a request on this page, sent with this `fetch`. */
export function callOf(
  {plan, features}: PlannedRequest,
  args: Arguments,
  fetch: RequestCall['fetch'],
): RequestCall {
  return {args, signal: NEVER, fetch, document, ...functionsOf(features), ...plan}
}

/** An answer that came, as far as a tool reads it. */
export type Came = {
  readonly status: number
  readonly contentType: string
  /** Empty if it was not read. */
  readonly text: string
  /** Where the request was led. */
  readonly led?: string | undefined
}

/** What an agent gets of a request that got this answer. @throws Error with what the agent reads */
export function returnedOf(
  planned: PlannedRequest,
  args: Arguments,
  {status, contentType, text, led}: Came,
): Promise<unknown> {
  // The text is decoded, whatever its encoding was.
  const type = contentType.replace(/html.*/i, 'html; charset=utf-8')
  const respond = async (address: URL) => {
    const response = new Response(text || null, {status, headers: {'content-type': type}})
    const [url, redirected] = [led ?? address.href, led !== undefined]
    return Object.defineProperties(response, {url: {value: url}, redirected: {value: redirected}})
  }
  return functions.runRequest(callOf(planned, args, respond))
}
