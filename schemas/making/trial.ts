import {isLookup, MAX_TEXT, usualNothing} from '../actions/code/request.ts'
import {type BodyNode, bodyTree, gathered, headersOf, sendsPage} from '../actions/code/sent.ts'
import {
  CHECK,
  DONE,
  LATER,
  NO_JSON,
  noList,
  PAGE_INSTEAD,
  REFUSED,
  SIGN_IN,
  SIGN_IN_PAGE,
  slow,
  UNKNOWN,
  unreached,
} from '../actions/code/sentences.ts'
import {fixedText} from '../actions/parts/template.ts'
import {isGraphql, parseRequest, type RequestAction, type SentRow} from '../actions/request.ts'
import type {PageValue} from '../actions/row.ts'
import {jsonIn} from '../record.ts'
import type {ObjectSchema} from '../rules/inputSchema.ts'
import type {ProposedTool} from './exchange.ts'
import {cookieOf, exact, fieldOf, queryOf, saidIn} from './request.generated.ts'
import {applyResult, valueAt} from './tree.ts'

// A tool is tried before it is made. The policy of a page may forbid to run the text of its script (`script-src` without
// 'unsafe-eval'), and the service has no module of a tool that is not saved. So the request and the result are made here, of
// the functions and sentences that the compiler writes scripts with; a test compares both.

/** Arguments by the names of the parameters. */
type Arguments = Readonly<Record<string, unknown>>

type Body = string | URLSearchParams | FormData

/** What a tool sends. */
export type TrialRequest = ReturnType<typeof requestOf>

/** A response, as far as a tool reads it; or why there is none. */
export type TrialAnswer =
  | {
      readonly status: number
      readonly contentType: string
      readonly text: string
      readonly url: string
      readonly redirected: boolean
    }
  | 'unreached'
  | 'slow'

/**
 * The request that a tool sends with these arguments, from a page of this origin.
 * @throws Error with what the agent reads if the page lacks a value, or with the rule that the tool breaks
 */
export function requestOf(tool: ProposedTool, args: Arguments, origin: string) {
  const request = parseRequest(tool.request)
  const {method, address, headers, query, body} = request
  const path = address.path.map((part) =>
    typeof part === 'string' ? part : encodeURIComponent(String(args[part.parameter]).toWellFormed()),
  )
  const url = new URL((address.origin ?? origin) + path.join(''))
  for (const [name, value] of pairsOf(query, args)) url.searchParams.append(name, value)
  return {
    address: url.href,
    method,
    headers: {
      ...headersOf(request),
      ...Object.fromEntries(
        headers.map(({name, value}) => [
          name,
          'fixed' in value ? fixedText(value) : String(jsonOf(value, args)),
        ]),
      ),
    },
    ...(body.length > 0 && {body: sentBodyOf(request, args)}),
    ...(sendsPage(request) && {mode: 'same-origin' as const}),
  }
}

function sentBodyOf({encoding, body}: RequestAction, args: Arguments): Body {
  if (encoding === 'json') return JSON.stringify(jsonOf(bodyTree(gathered(body)), args))
  const pairs = pairsOf(body, args)
  if (encoding === 'form') return new URLSearchParams(pairs)
  const form = new FormData()
  for (const [name, value] of pairs) form.append(name, value)
  return form
}

/** Whether the request of a tool may change something. */
export function changesOf(tool: ProposedTool): boolean {
  return parseRequest(tool.request).changes
}

/** Names and values of a query or a form: the script appends what differs from call to call to what is always sent. */
function pairsOf(rows: readonly SentRow[], args: Arguments): [name: string, value: string][] {
  const pairs = (isFixed: boolean) =>
    gathered(rows)
      .filter(({value}) => 'fixed' in value === isFixed)
      .flatMap(({name, value}) => {
        const values = 'fixed' in value ? [fixedText(value)] : [jsonOf(value, args)].flat().map(String)
        return values.map((text): [string, string] => [name, text])
      })
  return [...pairs(true), ...pairs(false)]
}

function jsonOf(node: BodyNode, args: Arguments): unknown {
  if (node instanceof Map) {
    const members = [...node].map(([step, inner]) => [step, jsonOf(inner, args)] as const)
    if (!members.some(([step]) => typeof step === 'number')) return Object.fromEntries(members)
    return members.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, value]) => value)
  }
  if ('fixed' in node) return node.fixed
  if ('parameter' in node) return args[node.parameter]
  if ('page' in node) return valueOnPage(node.page)
  if (node.text === 'json') return JSON.stringify(jsonOf(bodyTree(node.rows), args))
  return queryOf(
    node.rows.map(({name, value}) => [name, 'fixed' in value ? fixedText(value) : jsonOf(value, args)]),
  )
}

function valueOnPage(page: PageValue): string {
  return 'cookie' in page ? cookieOf(page.cookie) : fieldOf(page.selector, page.attribute)
}

/**
 * What an agent gets of an answer.
 * @throws Error with what the agent reads, if the call fails
 */
export function agentGets(tool: ProposedTool, args: Arguments, answer: TrialAnswer): unknown {
  const request = parseRequest(tool.request)
  const {result} = tool.request
  const {changes} = request
  if (answer === 'slow') fail(slow(changes))
  if (answer === 'unreached') fail(unreached(changes, request.address.origin))
  const {status, text} = answer
  const json = jsonIn(text, exact)
  const said: string = saidIn(json)
  const without = (said = '') =>
    changes ? DONE : {found: 0, message: said + nothingText(request, tool, args)}
  if (status < 200 || status > 299) {
    if (status === 404 && isLookup(request)) return without(said)
    throw new Error(`${said}The request failed with status ${status}. ${adviceOf(status, changes)}`)
  }
  const led = changes && ledTo(answer, result.kind === 'message')
  if (led) return result.kind === 'message' ? `${result.message} ${led}` : fail(`${led} ${UNKNOWN}`)
  switch (result.kind) {
    case 'message':
      return result.message
    case 'parts':
      return undefined
    case 'text':
      return text.trim() === '' ? without() : cutText(text.trim())
    default: {
      if (changes ? text.trim() === '' : status === 204) return without()
      if (json === undefined) fail(changes ? PAGE_INSTEAD : NO_JSON)
      const found = valueAt(json, result.path, result.kind === 'list')
      if (isRefused(request, json, found)) fail(said + REFUSED)
      if (result.kind === 'object')
        return found === undefined ||
          found === null ||
          (changes && Array.isArray(found) && found.length === 0)
          ? without(said)
          : applyResult(json, result)
      if (!Array.isArray(found) && !changes) fail(said + noList(result.path))
      return Array.isArray(found) && found.length > 0 ? applyResult(json, result) : without()
    }
  }
}

function fail(message: string): never {
  throw new Error(message)
}

function nothingText(request: RequestAction, {inputSchema}: ProposedTool, args: Arguments): string {
  const schema: ObjectSchema = JSON.parse(inputSchema)
  const parts = usualNothing(request, schema)
  return parts.map((part) => (typeof part === 'string' ? part : String(args[part.parameter]))).join('')
}

function adviceOf(status: number, changes: boolean): string {
  if (changes && (status === 408 || status >= 500)) return UNKNOWN
  if (status === 429 || status >= 500) return LATER
  return status === 401 || status === 403 ? SIGN_IN : CHECK
}

/** Where a form led. @throws Error if visitors sign in there */
function ledTo(
  {contentType, text, url, redirected}: Exclude<TrialAnswer, string>,
  isMessage: boolean,
): string | undefined {
  if (!/^text\/html/i.test(contentType) || !(isMessage || redirected)) return undefined
  if (/<input[^>]*type=["']?password/i.test(text)) fail(SIGN_IN_PAGE)
  return redirected ? `The website led to the page “${new URL(url).pathname}”.` : undefined
}

function cutText(text: string): string {
  const cut = `… (the first ${MAX_TEXT} of ${text.length} characters)`
  return text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) + cut : text
}

/** Status 200 may say no. */
function isRefused(request: RequestAction, answer: unknown, found: unknown): boolean {
  const at = (name: string) => valueAt(answer, name)
  if (isGraphql(request)) return Boolean(at('errors')) && !found
  if (!request.changes) return false
  return (
    Boolean(at('error') || valueAt(answer, 'errors.length')) || at('success') === false || at('ok') === false
  )
}
