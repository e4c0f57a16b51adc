import type {Browser, Page, Response} from '@playwright/test'
import Robots from 'robots-parser/Robots.js'
import {errorMessage} from '../../common/errorMessage.ts'
import {beforeTimeout} from '../../common/timeout.ts'
import {isRecord} from '../../schemas/record.ts'
import {ALSO_NOUNS, CONSEQUENTIAL_VERBS} from '../../schemas/rules/hints/hintWords.ts'
import {wordsOf} from '../../schemas/rules/names/toolName.ts'
import {shortened} from '../../schemas/rules/text.ts'
import {buildWebsite} from '../../snippet/build/build.ts'
import {CommandError} from '../command.ts'

/** Pages that are opened, and of those that differ in the last part of their path, or in the values of their query only. */
const MAX_PAGES = 30
const MAX_ALIKE = 8

/** Milliseconds that a page has to load, and its parts to be found and called. */
const LOAD_TIMEOUT = 15_000
const FIND_TIMEOUT = 60_000

/** Sockets of workers, connections that are no requests, and what is loaded before it is needed cannot be refused. */
const WITHOUT_WORKERS = `new MutationObserver(() => {
  for (const rules of document.querySelectorAll('script[type=speculationrules i]')) rules.remove()
}).observe(document, {childList: true, subtree: true})
globalThis.Worker = globalThis.SharedWorker = class extends EventTarget {
  port = new MessageChannel().port1
  postMessage() {}
  terminate() {}
}
delete globalThis.WebTransport
delete globalThis.RTCPeerConnection;
`

/** The words of links that change something, such as “/item/delete?id=7” and “?action=logout”. */
const VERBS = [...CONSEQUENTIAL_VERBS, 'add', 'clear', 'remove', 'reset', 'toggle', 'update', 'vote']
const CHANGING = new Set(VERBS.filter((verb) => !ALSO_NOUNS.has(verb)))

/** Opens up to 30 pages of a website, one after the other, and finds what tools can be made of. Sends nothing but GET. */
export async function openWebsite(browser: Browser, start: URL) {
  const {text, status} = await fetchText(new URL('/robots.txt', start)).catch((error: unknown) => {
    const reason = errorMessage(error instanceof Error ? (error.cause ?? error) : error)
    throw new CommandError(`${start.origin} does not respond: ${reason}`)
  })
  if (status >= 500) throw new CommandError(`${start.origin}/robots.txt returned ${status}: try again later.`)
  const robots = new Robots(start.href, status === 200 ? decoded(text) : '')
  const mayOpen = ({origin, pathname, search}: URL) =>
    origin !== start.origin || robots.isAllowed(origin + decoded(pathname + search), 'handrail') !== false
  if (!mayOpen(start))
    throw new CommandError(`The robots.txt of ${start.origin} does not allow ${start.pathname}.`)
  const queue = queueFrom(start, mayOpen)
  const [first = '/sitemap.xml', ...others] = robots.getSitemaps()
  for (const sitemap of [first, ...others])
    for (const listed of await readSitemap(URL.parse(sitemap, start.origin), start.origin)) queue.add(listed)
  const hasSitemap = queue.size() > 1
  await using context = await browser.newContext({serviceWorkers: 'block'})
  await sendOnlyGet(browser, mayOpen)
  await context.routeWebSocket(/./, (socket) => socket.close())
  await context.addInitScript({content: WITHOUT_WORKERS + (await buildWebsite()).text})
  const opened: Awaited<ReturnType<typeof open>>[] = []
  for (let url = queue.next(); url !== undefined && opened.length < MAX_PAGES; url = queue.next()) {
    const page = await context.newPage()
    const one = await open(page, url).finally(() => page.close())
    opened.push(one)
    if (!hasSitemap) for (const link of one.links) if (!isChanging(String(link))) queue.add(link)
    for (const search of one.searches) queue.add(search, true)
  }
  return opened
}

/** Whether the words of a link say that it changes something. Texts have longer names, and “/pay” alone is a page. */
function isChanging(link: string): boolean {
  const parts = link.replace(/^\w+:\/\/[^/]*\//, '').split(/[/?&=#]/)
  return parts.some((part) => {
    const words = wordsOf(part).map((word) => word.toLowerCase())
    const isAlone = parts.length === 1 && words.length === 1
    const isVerb = CHANGING.has(words[0] ?? '') && words.length <= 3 && !isAlone
    return isVerb || /^(?:log|sign)(?:out|off)/.test(words.join(''))
  })
}

/** Unreserved characters are compared decoded: https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2 */
function decoded(text: string): string {
  return text.replace(/%(?:2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)/gi, decodeURIComponent)
}

/** Addresses to open, each once: those first of which the fewest that are alike were opened, and with a query later. */
function queueFrom(start: URL, mayOpen: (url: URL) => boolean) {
  const known = new Set([start.href])
  const opened = new Map<string, number>()
  const countOf = ({shape}: {shape: string}) => opened.get(shape) ?? 0
  const rankOf = (one: {shape: string}) => countOf(one) + (one.shape.endsWith('?') ? MAX_ALIKE / 2 : 0)
  let waiting = [{url: start, shape: 'start'}]
  const add = (address: unknown, isSearch = false) => {
    const url = URL.parse(String(address), start.origin)
    if (url?.origin !== start.origin || !mayOpen(url)) return
    // Some routers have the path of the page after “#”.
    if (/^#!?\//.test(url.hash)) url.search = ''
    else url.hash = ''
    if (known.has(url.href)) return
    known.add(url.href)
    const path = url.pathname + url.hash.replace(/^#!?/, '')
    const shape = url.search ? `${path}?` : path.replace(/(?<=[^/]\/)[^/]+\/?$/, '*')
    waiting.push({url, shape: isSearch ? 'search' : shape})
  }
  const next = () => {
    const [first] = waiting.toSorted((a, b) => rankOf(a) - rankOf(b))
    if (!first || countOf(first) >= MAX_ALIKE) return undefined
    waiting = waiting.filter((one) => one !== first)
    opened.set(first.shape, countOf(first) + 1)
    return first.url
  }
  return {add, next, size: () => waiting.length}
}

/**
 * Pages ask for what they need, and tools are called: all of it by GET, and nothing that robots may not ask for.
 * The session is of the browser: those of pages see no shared workers, no redirects, and nothing that a page sends while it closes.
 */
async function sendOnlyGet(browser: Browser, mayOpen: (url: URL) => boolean) {
  const session = await browser.newBrowserCDPSession()
  session.on('Fetch.requestPaused', ({requestId, request, responseStatusCode: responseCode, ...response}) => {
    // It would load pages before somebody opens them.
    const {responseHeaders: headers = []} = response
    const responseHeaders = headers.filter(({name}) => !/^speculation-rules$/i.test(name))
    const isSent = /^(?:GET|HEAD|OPTIONS)$/.test(request.method) && mayOpen(new URL(request.url))
    const sent = responseCode
      ? session.send('Fetch.continueResponse', {requestId, responseCode, responseHeaders})
      : isSent
        ? session.send('Fetch.continueRequest', {requestId})
        : session.send('Fetch.failRequest', {requestId, errorReason: 'BlockedByClient'})
    // The page may have ended meanwhile.
    sent.catch(() => {})
  })
  await session.send('Fetch.enable', {patterns: [{}, {resourceType: 'Document', requestStage: 'Response'}]})
}

async function open(page: Page, url: URL) {
  const path = url.pathname + url.search + url.hash
  try {
    const response = await page.goto(url.href, {waitUntil: 'domcontentloaded', timeout: LOAD_TIMEOUT})
    await page.waitForLoadState('networkidle', {timeout: LOAD_TIMEOUT / 5}).catch(() => {})
    if (new URL(page.url()).origin !== url.origin) throw new Error('It leads to another website.')
    const status = response?.status() ?? 200
    if (status >= 400) throw new Error(`It returned ${status}.`)
    const answer: unknown = await beforeTimeout(FIND_TIMEOUT, page.evaluate('handrailWebsite.find()'))
    if (!isRecord(answer)) throw new Error('It does not respond: a script of it may run without end.')
    // Others wrote the page.
    const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
    const {tools, links, searches} = answer
    return {
      path,
      problem: problemOf(response),
      found: listOf(tools),
      links: listOf(links),
      searches: listOf(searches),
    }
  } catch (error) {
    const [reason = ''] = errorMessage(error).split('\n')
    const problem = reason.includes('ERR_BLOCKED_BY_CLIENT')
      ? 'It leads to a page that robots.txt does not allow.'
      : shortened(reason, 150)
    return {path, problem, found: [], links: [], searches: []}
  }
}

/** Why a page cannot have tools, or what its policy must allow. */
function problemOf(response: Response | null): string | undefined {
  const headers = response?.headers() ?? {}
  const {protocol, hostname} = new URL(response?.url() ?? 'https://localhost')
  if (protocol === 'http:' && !/^(?:localhost|127\.|\[::1\])/.test(hostname))
    return 'It is not secure: browsers offer tools on https only.'
  if (headers['origin-agent-cluster'] === '?0') return 'Its header “Origin-Agent-Cluster: ?0” forbids tools.'
  if (/\btools=\(\)/.test(headers['permissions-policy'] ?? '')) return 'Its Permissions-Policy forbids tools.'
  return /script-src|default-src/.test(headers['content-security-policy'] ?? '')
    ? 'Its Content-Security-Policy must allow the service.'
    : undefined
}

/** The pages that a sitemap lists; of an index, those of its first sitemaps. */
async function readSitemap(address: URL | null, origin: string, depth = 0): Promise<string[]> {
  if (address?.origin !== origin) return []
  const {text, status} = await fetchText(address).catch(() => ({text: '', status: 0}))
  if (status !== 200) return []
  const found = Array.from(text.matchAll(/<loc>\s*([^<\s]+)\s*<\/loc>/g), ([, loc = '']) => loc)
  const listed = found.map((loc) => loc.replaceAll('&amp;', '&'))
  if (!text.includes('<sitemapindex')) return listed
  const sitemaps = depth > 0 ? [] : listed.slice(0, 3).map((one) => URL.parse(one))
  return (await Promise.all(sitemaps.map((one) => readSitemap(one, origin, depth + 1)))).flat()
}

async function fetchText(address: URL): Promise<{text: string; status: number}> {
  const response = await fetch(address, {signal: AbortSignal.timeout(LOAD_TIMEOUT)})
  return {text: await response.text(), status: response.status}
}
