import type {Parts} from '../reading.ts'
import {NEXT_OF} from './nextPage.ts'
import {foundCode, functionsCode, IS_EMPTY} from './reading.ts'
import {slow, TIMEOUT_SECONDS, unreached} from './sentences.ts'
import {nothingCode, objectCode, statusCode, textCode, throwCode} from './text.ts'

type Page = {
  readonly parts: Parts
  /** How many pages of a list are read at most. */
  readonly pages: number
  /** Undefined: the page’s own. */
  readonly origin: string | undefined
  /** The code of what an agent reads if there is nothing. */
  readonly nothing: string
  /** Whether status 404 means that there is nothing. */
  readonly isLookup: boolean
}

/**
 * Statements that load a page and return parts of it. `XMLHttpRequest` parses it without running or loading anything, makes
 * addresses absolute by the page's own address, and is allowed by policies that require Trusted Types.
 */
export function pageCode({parts, pages, origin, nothing, isLookup}: Page): string[] {
  const limits = parts.flatMap((part) => ('limit' in part ? [[part.name, `${part.limit}`] as const] : []))
  // All entries are counted before lists are cut.
  const whole = parts.map((part) => ('limit' in part ? {...part, limit: Infinity} : part))
  return [
    `const until = Date.now() + ${TIMEOUT_SECONDS}_000`,
    'const load = (address) => new Promise((resolve, reject) => {',
    '  const request = new XMLHttpRequest()',
    "  request.open('GET', address)",
    "  request.responseType = 'document'",
    '  request.timeout = Math.max(1, until - Date.now())',
    '  const fail = (problem) => () => reject(problem)',
    '  request.onload = () => resolve(request)',
    `  request.onerror = fail(new Error(${textCode(unreached(false, origin))}))`,
    `  request.ontimeout = fail(new Error(${textCode(slow(false))}))`,
    '  request.onabort = () => reject(signal.reason)',
    "  signal.addEventListener('abort', () => request.abort())",
    '  request.send()',
    '})',
    'let document',
    ...functionsCode(parts),
    ...(limits.length === 0 ? [] : [NEXT_OF]),
    'const read = (page) => {',
    '  document = page',
    '  // As on the screen: what is hidden is not read, and texts of neighbours do not run together.',
    "  for (const element of page.querySelectorAll('script, style, template, noscript, [hidden]')) element.remove()",
    "  for (const element of page.querySelectorAll('body :not(b, i, em, strong, a, span, mark, small, code)')) element.after(' ')",
    `  return ${foundCode(whole, '  ')}`,
    '}',
    '',
    'const {status, response, responseURL} = await load(address)',
    ...(isLookup ? [nothingCode('status === 404', nothing)] : []),
    `if (status >= 400) {\n${statusCode(false)}\n}`,
    throwCode('!response', "'The website did not send a page. This tool has to be changed.'"),
    'const found = read(response)',
    throwCode(
      `${IS_EMPTY} && document.querySelector('input[type=password]')`,
      "'The website sent its sign-in page: the visitor may have to sign in first.'",
    ),
    nothingCode(IS_EMPTY, nothing),
    ...(limits.length === 0 ? [] : listsCode(objectCode(limits), pages)),
    'return found',
  ]
}

/** Statements that read more pages of the lists, and say how much is left. */
function listsCode(limits: string, pages: number): string[] {
  return [
    `const limits = Object.entries(${limits})`,
    'let next = nextOf(response, responseURL)',
    ...(pages === 1 ? [] : [morePages(pages)]),
    `for (const [name, limit] of limits) {
  if (!found[name]?.length) continue
  found[name] = cut(found[name], limit)
  if (next) found[name].push(\`The list has more pages; the next one is \${next}\`)
}`,
  ]
}

/** A page that fails ends the list, and the agent reads where it is. One that was read before, or of another website, is none. */
function morePages(pages: number): string {
  return `// More pages, while a list has room.
const entriesOn = (page) => JSON.stringify(limits.map(([name]) => page[name]))
const seen = [address.href, responseURL]
let last = entriesOn(found)
for (let page = 2; page <= ${pages} && next && Date.now() < until; page++) {
  if (limits.every(([name, limit]) => (found[name]?.length ?? limit) >= limit)) break
  const loaded = await load(next).catch(() => signal.throwIfAborted())
  if (!loaded?.response || loaded.status >= 400) break
  const more = read(loaded.response)
  const place = loaded.responseURL
  const isNew = new URL(place).origin === address.origin && !seen.includes(place) && entriesOn(more) !== last
  next = isNew ? nextOf(loaded.response, place) : undefined
  if (!isNew) break
  seen.push(place)
  last = entriesOn(more)
  for (const [name, part] of Object.entries(more)) found[name] = Array.isArray(part) ? [...(found[name] ?? []), ...part] : found[name] ?? part
  if (seen.includes(next)) next = undefined
}`
}
