import {isRequired, parameterUses} from '../../schemas/actions/parameters.ts'
import {fixedText, type Template} from '../../schemas/actions/parts/template.ts'
import type {RequestAction} from '../../schemas/actions/request.ts'
import type {Member} from '../../schemas/actions/result.ts'
import {isRecord} from '../../schemas/record.ts'
import type {ObjectSchema} from '../../schemas/rules/inputSchema.ts'
import {EACH, formatMemberPath, type MemberPath} from '../../schemas/rules/names/memberPath.ts'
import {addressCode} from './address.ts'
import {pageCode} from './page.ts'
import {
  appendedCode,
  bodyTree,
  codeOf,
  formCode,
  gathered,
  headersOf,
  helpersCode,
  SENT_FUNCTIONS,
  sendsPage,
  textValueCode,
} from './sent.ts'
import {
  BROKEN,
  DONE,
  NO_JSON,
  NOTHING,
  noList,
  PAGE_INSTEAD,
  REFUSED,
  SIGN_IN_PAGE,
  slow,
  TIMEOUT_SECONDS,
  UNKNOWN,
  UNREAD,
  unreached,
} from './sentences.ts'
import {
  argumentCode,
  CUT,
  nothingCode,
  objectCode,
  optionalMemberCode,
  statusCode,
  templateCode,
  textCode,
  throwCode,
} from './text.ts'

/** Characters of a text that is returned whole. */
export const MAX_TEXT = 5_000

/** The script of a request. */
export function compileRequest(request: RequestAction, schema: ObjectSchema): string {
  const query = gathered(request.query)
  const fixed = query.flatMap(({name, value}) =>
    'fixed' in value ? [{name, value: [fixedText(value)]}] : [],
  )
  const address = [
    ...helpersCode(request),
    ...addressCode(request.address, fixed, schema),
    ...appendedCode('address.searchParams', query, schema),
  ]
  return `${[
    ...address,
    ...formCode(request, schema),
    '',
    ...fetchCode(request),
    '',
    ...answerStatusCode(request, schema),
    ...resultCode(request, schema),
  ].join('\n')}\n`
}

const EXACT = `// A number that JavaScript would round, such as a long identifier, becomes a text.
const exact = (key, value, {source} = {}) =>
  !Number.isSafeInteger(value) && /^-?\\d+$/.test(source) ? source : value`

function fetchCode(request: RequestAction): string[] {
  const {method, address, body, encoding, changes} = request
  const headers = [
    ...Object.entries(headersOf(request)).map(([name, value]) => [name, textCode(value)] as const),
    ...request.headers.map(({name, value}) => [name, textValueCode(value)] as const),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: ${objectCode(headers)}`]),
    ...(body.length === 0
      ? []
      : [encoding === 'json' ? `body: JSON.stringify(${codeOf(bodyTree(gathered(body)), '  ')})` : 'body']),
    // A redirect to another origin fails: https://fetch.spec.whatwg.org/#concept-main-fetch
    ...(sendsPage(request) ? ["mode: 'same-origin'"] : []),
    'signal: AbortSignal.any([signal, timeout])',
  ]
  return [
    `const timeout = AbortSignal.timeout(${TIMEOUT_SECONDS}_000)`,
    'const fail = (problem) => {',
    '  signal.throwIfAborted()',
    `  throw new Error(timeout.aborted ? ${textCode(slow(changes))} : problem)`,
    '}',
    'const response = await fetch(address, {',
    ...options.map((option) => `  ${option},`),
    `}).catch(() => fail(${textCode(unreached(changes, address.origin))}))`,
  ]
}

/** Where APIs have the text of an error: JSON:API, FastAPI, RFC 9457, Laravel, Rails, Google, Shopify, OAuth. */
const ERROR_PLACES = `error?.detail, error?.msg, error?.message, error?.title, error, body?.errors, body?.error?.message,
    body?.detail, body?.description, body?.message, body?.error_description, body?.error, body?.title`

/** Characters of an error’s text. */
const MAX_ERROR = 200

function saidInCode(error: MemberPath): string {
  const places =
    error.length > 0
      ? ["  const field = ''", `  const said = ${pathCode('body', error)}`]
      : [
          '  // The first problem of a list, or of an object with lists, and the field that it is about.',
          '  const listed = [body?.detail, body?.message].filter(Array.isArray)',
          '  const problems = [body?.errors, ...listed, Object.values(body ?? {}).every(Array.isArray) && body]',
          "    .find((one) => one && typeof one === 'object') ?? {}",
          '  const [key, error] = Object.entries(problems).flatMap(([key, one]) => [one].flat().map((each) => [key, each]))[0] ?? []',
          "  const name = error?.msg ? [error.loc ?? error.path ?? []].flat().join('.') : Array.isArray(problems[key]) && key",
          "  const field = name ? name + ': ' : ''",
          `  const said = [${ERROR_PLACES}]`,
          "    .find((text) => typeof text === 'string' && text !== '')",
        ]
  return `const saidIn = (body) => {
${places.join('\n')}
  const text = typeof said === 'string' && said ? (field + said).slice(0, ${MAX_ERROR}).replace(/[\\s\\p{C}]+/gu, ' ').trim() : ''
  return text && \`The website says: “\${text}” \`
}`
}

/** What the panel has in its bundle of the scripts of requests (cli/schema/typegen.ts): a page's policy may forbid to run a text. */
export function requestModule(): string {
  const functions = [saidInCode([]), EXACT, ...SENT_FUNCTIONS]
  return `${functions.map((text) => text.replaceAll(/^const /gm, 'export const ')).join('\n\n')}\n`
}

function answerStatusCode(request: RequestAction, schema: ObjectSchema): string[] {
  const {changes} = request
  // A page says in no known place what went wrong.
  const isPage = request.result.kind === 'parts'
  const said = isPage ? '' : '\n  const said = saidIn(await response.json().catch(() => undefined))'
  const without = `${isPage ? '' : 'said + '}${nothingText(request, schema)}`
  const nothing = isLookup(request) ? `\n  ${nothingCode('status === 404', without)}` : ''
  return [
    ...(isPage ? [] : [saidInCode(request.error)]),
    `if (!response.ok) {
  const {status} = response${said}${nothing}
${statusCode(changes, isPage ? '' : expression('said'))}
}`,
    ...(changes && !isPage ? [ledCode(request)] : []),
  ]
}

/** Websites answer forms with another page: one of thanks, or the one where visitors sign in. */
function ledCode({result}: RequestAction): string {
  const isMessage = result.kind === 'message'
  const led = `The website led to the page “${expression('new URL(response.url).pathname')}”.`
  const otherwise = isMessage
    ? `  if (response.redirected) return ${textCode(`${result.message} `)} + \`${led}\``
    : `  throw new Error(\`${led} ${UNKNOWN}\`)`
  return `if (${isMessage ? '' : 'response.redirected && '}/^text\\/html/i.test(response.headers.get('content-type') ?? '')) {
  const page = await response.text().catch(() => fail(${textCode(BROKEN)}))
  if (/<input[^>]*type=["']?password/i.test(page)) {
    throw new Error(${textCode(SIGN_IN_PAGE)})
  }
${otherwise}
}`
}

/** An expression in the text of a template. */
function expression(code: string): string {
  return `\${${code}}`
}

/** Whether status 404 says that what the agent looks for does not exist. Otherwise the address does not. */
function isLookup(request: RequestAction): boolean {
  if (request.changes) return false
  return request.result.kind === 'object'
    ? parameterUses(request).length > 0
    : request.address.path.some((part) => typeof part !== 'string')
}

/** What the agent reads if nothing was found. */
function nothingText(request: RequestAction, schema: ObjectSchema): string {
  const {nothing = usualNothing(request, schema)} = request
  return templateCode(nothing, (parameter) => {
    const code = argumentCode(parameter)
    return isRequired(schema, parameter) ? code : `${code} ?? ''`
  })
}

/** Names the first text that the agent must pass, which is what it looks for. */
function usualNothing(request: RequestAction, schema: ObjectSchema): Template {
  const use = parameterUses(request).find(({parameter}) => {
    const property = schema.properties[parameter]
    return isRequired(schema, parameter) && isRecord(property) && property.type === 'string'
  })
  return use === undefined ? [NOTHING] : ['Nothing was found for “', {parameter: use.parameter}, '”.']
}

function resultCode(request: RequestAction, schema: ObjectSchema): string[] {
  const {result, changes} = request
  /** What becomes of an answer without data. */
  const without = (condition: string, said = '') =>
    changes
      ? `if (${condition}) return ${textCode(DONE)}`
      : nothingCode(
          condition,
          said === '' ? nothingText(request, schema) : `${said} + ${nothingText(request, schema)}`,
        )
  switch (result.kind) {
    case 'parts':
      return pageCode(result.parts, result.pages, nothingText(request, schema), changes)
    case 'message':
      return [`return ${textCode(result.message)}`]
    case 'text':
      return [
        `const text = (await response.text().catch(() => fail(${textCode(changes ? BROKEN : UNREAD)}))).trim()`,
        without("text === ''"),
        `const cut = \`… (the first ${MAX_TEXT} of \${text.length} characters)\``,
        `return text.length > ${MAX_TEXT} ? text.slice(0, ${MAX_TEXT}) + cut : text`,
      ]
    case 'object':
      return [
        ...answerCode(request, without),
        `const found = ${pathCode('answer', result.path)}`,
        ...refusedCode(request, 'found'),
        without(
          `found === undefined || found === null${changes ? ' || found.length === 0' : ''}`,
          'saidIn(answer)',
        ),
        `return ${membersCode('found', result.members)}`,
      ]
    case 'list':
      return [
        ...answerCode(request, without),
        `const items = ${pathCode('answer', result.path, true)}`,
        ...refusedCode(request, 'items'),
        changes
          ? without('!Array.isArray(items) || items.length === 0')
          : throwCode(
              '!Array.isArray(items)',
              `saidIn(answer) + ${textCode(noList(formatMemberPath(result.path)))}`,
            ),
        ...(changes ? [] : [without('items.length === 0')]),
        CUT,
        result.members.length === 0
          ? `return cut(items, ${result.limit})`
          : `return cut(items.map((item) => (${membersCode('item', result.members)})), ${result.limit})`,
      ]
  }
}

function answerCode(request: RequestAction, without: (condition: string) => string): string[] {
  if (!request.changes) {
    return [
      without('response.status === 204'),
      EXACT,
      `const answer = await response.text().then((text) => JSON.parse(text, exact)).catch(() => fail(${textCode(NO_JSON)}))`,
    ]
  }
  return [
    `const text = (await response.text().catch(() => fail(${textCode(BROKEN)}))).trim()`,
    without("text === ''"),
    EXACT,
    'let answer',
    `try { answer = JSON.parse(text, exact) } catch { throw new Error(${textCode(PAGE_INSTEAD)}) }`,
  ]
}

/** Whether a request is one of GraphQL: its body has the text of a query. */
export function isGraphql({body, encoding}: Pick<RequestAction, 'body' | 'encoding'>): boolean {
  return encoding === 'json' && body.some(({path}) => path.length === 1 && path[0] === 'query')
}

/**
 * Answers with status 200 that say no: those of GraphQL (https://spec.graphql.org/October2021/#sec-Errors), and those of
 * requests that change something.
 */
function refusedCode(request: RequestAction, found: string): string[] {
  const message = textCode(REFUSED)
  if (isGraphql(request)) return [throwCode(`answer?.errors && !${found}`, `saidIn(answer) + ${message}`)]
  if (!request.changes) return []
  const isRefused =
    'answer?.error || answer?.errors?.length || answer?.success === false || answer?.ok === false'
  return [throwCode(isRefused, `saidIn(answer) + ${message}`)]
}

function membersCode(object: string, members: readonly Member[]): string {
  if (members.length === 0) return object
  return objectCode(members.map(({name, path}) => [name, pathCode(object, path)]))
}

/** The value at a path, or undefined. With `isOneList`, lists in a list are one, and the outer one has to be there. */
function pathCode(start: string, path: MemberPath, isOneList = false): string {
  const at = path.indexOf(EACH)
  const before = at < 0 ? path : path.slice(0, at)
  const code = before.reduce<string>(
    (object, step) => (typeof step === 'symbol' ? object : optionalMemberCode(object, step)),
    start,
  )
  if (at < 0) return code
  const rest = path.slice(at + 1)
  if (isOneList) return `${code}?.flatMap?.((each) => ${pathCode('each', rest, true)} ?? [])`
  const list = `[${code} ?? []].flat()`
  return rest.length === 0 ? list : `${list}.map((each) => ${pathCode('each', rest)})`
}
