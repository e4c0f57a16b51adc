import {isGraphql, MAX_TEXT} from '../actions/code/request.ts'
import {type BodyNode, bodyTree, gathered, headersOf, sendsPage} from '../actions/code/sent.ts'
import {
  CHECK,
  DONE,
  LATER,
  NO_JSON,
  NOTHING,
  noList,
  PAGE_INSTEAD,
  REFUSED,
  SIGN_IN,
  SIGN_IN_PAGE,
  slow,
  UNKNOWN,
  unreached,
} from '../actions/code/sentences.ts'
import {encodedPath} from '../schemas/actions/parts/address.ts'
import {fixedText} from '../schemas/actions/parts/template.ts'
import type {SentRow} from '../schemas/actions/request.ts'
import type {PageValue, RowValue} from '../schemas/actions/row.ts'
import {jsonIn} from '../schemas/record.ts'
import {requestChanges} from '../schemas/rules/hints/effects.ts'
import type {MemberPath} from '../schemas/rules/names/memberPath.ts'
import type {ProposedTool, Row} from './exchange.ts'
import {cookieOf, exact, fieldOf, queryOf, saidIn} from './request.generated.ts'
import {applyResult, pathOf, valueAt} from './tree.ts'

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
 * @throws Error with what the agent reads, if the page lacks a value
 */
export function requestOf({request}: ProposedTool, args: Arguments, origin: string) {
  const {method, address} = request
  const url = new URL(addressOf(address, args), origin)
  const sent = sentOf(request)
  for (const [name, value] of pairsOf(sent.query, args)) url.searchParams.append(name, value)
  return {
    address: url.href,
    method,
    headers: {
      ...headersOf(sent),
      ...Object.fromEntries(
        sent.headers.map(({name, value}) => [
          name,
          'fixed' in value ? fixedText(value) : String(jsonOf(value, args)),
        ]),
      ),
    },
    ...(sent.body.length > 0 && {body: sentBodyOf(sent, args)}),
    ...(sendsPage(sent) && {mode: 'same-origin' as const}),
  }
}

function sentBodyOf({encoding, body}: ReturnType<typeof sentOf>, args: Arguments): Body {
  if (encoding === 'json') return JSON.stringify(jsonOf(bodyTree(gathered(body)), args))
  const pairs = pairsOf(body, args)
  if (encoding === 'form') return new URLSearchParams(pairs)
  const form = new FormData()
  for (const [name, value] of pairs) form.append(name, value)
  return form
}

/** Whether the request of a tool may change something. */
export function changesOf({request}: Pick<ProposedTool, 'request'>): boolean {
  return requestChanges({action: 'request', request})
}

type Request = ProposedTool['request']

/** A request as the compiler has it. */
function sentOf({method, encoding = 'json', headers = [], query = [], body = [], result}: Request) {
  const plain = (row: Row) => parsedRow(row, [row.name])
  return {
    method,
    encoding,
    result,
    headers: headers.map(plain),
    query: query.map(plain),
    body: body.map((row) => (encoding === 'json' ? parsedRow(row, pathOf(row.name)) : plain(row))),
  }
}

function parsedRow(row: Row, path: MemberPath): SentRow {
  const {name, inside, member = ''} = row
  const value = rowValue(row)
  if (inside === undefined) return {name, path, value}
  return {
    name,
    path,
    value,
    inside: {text: inside, member, path: inside === 'query' ? [member] : pathOf(member)},
  }
}

function rowValue({parameter, value = '', format, selector, attribute, cookie}: Row): RowValue {
  if (cookie !== undefined) return {page: {cookie}}
  if (selector !== undefined) return {page: {selector, attribute}}
  return parameter === undefined ? {fixed: format === 'json' ? JSON.parse(value) : value} : {parameter}
}

function addressOf(address: string, args: Arguments): string {
  const [, origin = '', path = ''] = /^(https?:\/\/[^/]*)?(.*)$/.exec(address) ?? []
  const parts = path.split(/\{([^{}]*)\}/)
  const encoded = parts.map((part, at) =>
    at % 2 === 0 ? encodedPath(part) : encodeURIComponent(String(args[part]).toWellFormed()),
  )
  return origin + encoded.join('')
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
  const {result} = tool.request
  const changes = changesOf(tool)
  if (answer === 'slow') fail(slow(changes))
  if (answer === 'unreached') fail(unreached(changes, /^https?:\/\/[^/]*/.exec(tool.request.address)?.[0]))
  const {status, text} = answer
  const json = jsonIn(text, exact)
  const said: string = saidIn(json)
  const without = (said = '') => (changes ? DONE : {found: 0, message: said + nothingText(tool, args)})
  if (status < 200 || status > 299) {
    if (status === 404 && isLookup(tool)) return without(said)
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
      if (isRefused(tool, json, found)) fail(said + REFUSED)
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

type Schema = {readonly properties: Readonly<Record<string, {type?: string}>>; readonly required?: string[]}

function schemaOf({inputSchema}: ProposedTool): Schema {
  return JSON.parse(inputSchema)
}

/** The request uses each of its parameters. */
function isLookup(tool: ProposedTool): boolean {
  const {result, address} = tool.request
  if (changesOf(tool)) return false
  return result.kind === 'object' ? Object.keys(schemaOf(tool).properties).length > 0 : address.includes('{')
}

function nothingText(tool: ProposedTool, args: Arguments): string {
  const {properties, required = []} = schemaOf(tool)
  const sought = Object.keys(properties).find(
    (name) => required.includes(name) && properties[name]?.type === 'string',
  )
  return sought === undefined ? NOTHING : `Nothing was found for “${args[sought]}”.`
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
function isRefused({request}: ProposedTool, answer: unknown, found: unknown): boolean {
  const at = (name: string) => valueAt(answer, name)
  if (isGraphql(sentOf(request))) return Boolean(at('errors')) && !found
  if (!changesOf({request})) return false
  return (
    Boolean(at('error') || valueAt(answer, 'errors.length')) || at('success') === false || at('ok') === false
  )
}
