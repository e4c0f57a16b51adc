import {buildLibrary} from '../../actions/build/build.ts'
import {compile, plannedAction} from '../../actions/compile.ts'
import type {Planned} from '../../actions/plan.ts'
import {multipartText} from '../../making/multipart.ts'

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor

/** The origin of the page that calls the tools. */
export const ORIGIN = 'https://library.example'

/** What a script sent. */
export type Sent = {
  readonly url: string
  readonly method: string
  readonly body: string | undefined
  readonly headers: object
  readonly mode?: string
}

/** A page with these values in a meta element and a field, and these cookies. */
export function pageWith(values: Readonly<Record<string, string>>, cookie = '') {
  const querySelector = (selector: string) =>
    Object.hasOwn(values, selector) ? {value: values[selector], getAttribute: () => values[selector]} : null
  return {querySelectorAll: () => [], querySelector, cookie}
}

/** The text of a schema with these parameters. */
export function parameters(properties: Record<string, object>, required: readonly string[] = []): string {
  return JSON.stringify({type: 'object', properties, required})
}

/** The parameters of a search. */
export const SEARCH = parameters(
  {
    query: {type: 'string'},
    branch: {type: 'string'},
    tags: {type: 'array', items: {type: 'string'}},
    page: {type: 'integer'},
  },
  ['query'],
)

/** Makes responses with a value. */
export const json =
  (value: unknown, status = 200) =>
  () =>
    Response.json(value, {status})

/** What an agent reads if there is nothing. */
export const NOTHING = {found: 0, message: 'Nothing was found.'}

/** A tool that sends a request. */
export function requestTool(request: object, inputSchema = parameters({})): Record<string, unknown> {
  return {
    action: 'request',
    request: {result: {kind: 'list', members: [{path: 'title'}]}, ...request},
    inputSchema,
  }
}

const library = buildLibrary()
const readable = buildLibrary({isReadable: true})

/** The script that a programmer goes on with. */
export function readableScript(planned: Planned): string {
  return compile(planned, readable, true)
}

/** The script that a tool is served with. */
export function scriptOf(tool: object): string {
  const planned = plannedAction({...tool})
  return planned ? compiled(planned) : ''
}

/** The script of what runs of an action. */
export function compiled(planned: Planned): string {
  return compile(planned, library)
}

/** Runs a script on a page whose `fetch` returns one response. */
export async function run(
  script: string,
  args: object,
  respond: () => Response | Promise<Response>,
  signal = new AbortController().signal,
  document = pageWith({}),
): Promise<{readonly result: unknown; readonly sent: readonly Sent[]}> {
  const sent: Sent[] = []
  const fetch = async (url: URL, init: RequestInit = {}) => {
    const {method = 'GET', body, headers = {}, mode, signal: given} = init
    given?.throwIfAborted()
    const text = body === undefined ? undefined : textOf(body)
    sent.push({url: url.href, method, headers, body: text, ...(mode && {mode})})
    return respond()
  }
  const result = await execute(script, args, fetch, signal, document)
  return {result, sent}
}

/** Runs a script as a strict function, as the snippet does. */
export async function execute(
  script: string,
  args: object,
  fetch: (address: URL, init?: RequestInit) => Promise<Response>,
  signal = new AbortController().signal,
  document = pageWith({}),
): Promise<unknown> {
  const body = new AsyncFunction('args', '{signal}', 'fetch', 'self', 'document', script)
  return await body(args, {signal}, fetch, {origin: ORIGIN}, document)
}

function textOf(body: unknown): string {
  if (!(body instanceof FormData)) return String(body)
  return multipartText([...body].map(([name, value]) => [name, String(value)]))
}

/** The message that a script fails with. */
export async function failureOf(...call: Parameters<typeof run>): Promise<string> {
  try {
    await run(...call)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  throw new Error('The script did not fail.')
}

/** What came of a call, as text: an error begins with an exclamation mark. */
export function outcomeOf(call: () => Promise<unknown>): Promise<string> {
  return call().then(
    (value) => JSON.stringify(value) ?? 'undefined',
    (error: unknown) => `!${error instanceof Error ? error.message : ''}`,
  )
}
