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
const MAX_ALIKE = {start: 1, page: 2, query: 8, search: 5}

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
const CHANGING = new Set([...CONSEQUENTIAL_VERBS, ...'add clear remove reset toggle update vote'.split(' ')])

/** Opens up to 30 pages of a website, one after the other, and finds what tools can be made of. Sends nothing but GET. */
export async function openWebsite(browser: Browser, start: URL) {
  const {text, status} = await fetchText(new URL('/robots.txt', start))
  if (status === 0) throw new CommandError(`${start.origin} does not respond: ${text}`)
  if (status >= 500) throw new CommandError(`${start.origin}/robots.txt returned ${status}: try again later.`)
  const robots = new Robots(start.href, status === 200 ? decoded(text) : '')
  const mayOpen = (path: string) => robots.isAllowed(start.origin + decoded(path), 'handrail') !== false
  const sitemaps = robots.getSitemaps()
  const context = await browser.newContext({serviceWorkers: 'block'})
  try {
    await sendOnlyGet(browser, start.origin, mayOpen)
    await context.routeWebSocket(/./, (socket) => socket.close())
    await context.addInitScript({content: WITHOUT_WORKERS + (await buildWebsite()).text})
    const {add, next, isAlone} = queueFrom(start, mayOpen)
    for (const address of sitemaps.length > 0 ? sitemaps : ['/sitemap.xml'])
      for (const found of await readSitemap(URL.parse(address, start.origin), start.origin)) add(found)
    const hasSitemap = !isAlone()
    const opened: Awaited<ReturnType<typeof open>>[] = []
    for (let url = next(); url !== undefined && opened.length < MAX_PAGES; url = next()) {
      const page = await context.newPage()
      const one = await open(page, url).finally(() => page.close())
      opened.push(one)
      if (!hasSitemap) for (const link of one.links) if (!isChanging(String(link))) add(link)
      for (const search of one.searches) add(search, 'search')
    }
    return opened
  } finally {
    await context.close()
  }
}

/** Whether the words of a link say that it changes something. Texts, whose names have many words, may begin with any. */
function isChanging(link: string): boolean {
  const parts = link.replace(/^\w+:\/\/[^/]*/, '').split(/[/?&=#]/)
  return parts.some((part) => {
    const [verb = '', object = '', ...more] = wordsOf(part).map((word) => word.toLowerCase())
    const isVerb = CHANGING.has(verb) && !ALSO_NOUNS.has(verb) && more.length <= 1
    return isVerb || /^(?:log|sign)(?:out|off)$/.test(verb + object)
  })
}

/** Unreserved characters are compared decoded: https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2 */
function decoded(text: string): string {
  return text.replace(/%(?:2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)/gi, decodeURIComponent)
}

/** Addresses to open, each once, and few that are alike. */
function queueFrom(start: URL, mayOpen: (path: string) => boolean) {
  const [known, alike] = [new Set<string>(), new Map<string, number>()]
  const [pages, queries]: [URL[], URL[]] = [[], []]
  const add = (address: unknown, kind?: 'start' | 'search') => {
    const url = URL.parse(String(address), start.origin)
    if (url?.origin !== start.origin || !mayOpen(url.pathname + url.search)) return
    url.hash = ''
    const isQuery = url.search !== ''
    const path = isQuery ? url.pathname : url.pathname.replace(/(?<=[^/]\/)[^/]+\/?$/, '*')
    const shape = kind ?? `${path}?${[...new Set(url.searchParams.keys())].sort()}`
    const count = alike.get(shape) ?? 0
    if (known.has(url.href) || count >= MAX_ALIKE[kind ?? (isQuery ? 'query' : 'page')]) return
    known.add(url.href)
    alike.set(shape, count + 1)
    if (kind) pages.unshift(url)
    else (isQuery ? queries : pages).push(url)
  }
  add(start, 'start')
  if (pages.length === 0)
    throw new CommandError(`The robots.txt of ${start.origin} does not allow ${start.pathname}.`)
  return {add, next: () => pages.shift() ?? queries.shift(), isAlone: () => pages.length === 1}
}

/**
 * Pages ask for what they need, and tools are called: all of it by GET, and nothing that robots may not ask for.
 * The session is of the browser: those of pages see no shared workers, no redirects, and nothing that a page sends while it closes.
 */
async function sendOnlyGet(browser: Browser, origin: string, mayOpen: (path: string) => boolean) {
  const session = await browser.newBrowserCDPSession()
  session.on('Fetch.requestPaused', ({requestId, request, responseStatusCode, responseHeaders = []}) => {
    const url = new URL(request.url)
    const isAllowed = url.origin !== origin || mayOpen(url.pathname + url.search)
    const isSent = isAllowed && /^(?:GET|HEAD|OPTIONS)$/.test(request.method)
    const sent = responseStatusCode
      ? session.send('Fetch.continueResponse', {
          requestId,
          responseCode: responseStatusCode,
          // It would load pages before somebody opens them.
          responseHeaders: responseHeaders.filter(({name}) => !/^speculation-rules$/i.test(name)),
        })
      : isSent
        ? session.send('Fetch.continueRequest', {requestId})
        : session.send('Fetch.failRequest', {requestId, errorReason: 'BlockedByClient'})
    // The page may have ended meanwhile.
    sent.catch(() => {})
  })
  await session.send('Fetch.enable', {patterns: [{}, {resourceType: 'Document', requestStage: 'Response'}]})
}

async function open(page: Page, url: URL) {
  const path = url.pathname + url.search
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
  const {text, status} = await fetchText(address)
  if (status !== 200) return []
  const listed = Array.from(text.matchAll(/<loc>\s*([^<\s]+)\s*<\/loc>/g), ([, found = '']) =>
    found.replaceAll('&amp;', '&'),
  )
  if (!text.includes('<sitemapindex')) return listed
  const sitemaps = depth > 0 ? [] : listed.slice(0, 3).map((one) => URL.parse(one))
  return (await Promise.all(sitemaps.map((one) => readSitemap(one, origin, depth + 1)))).flat()
}

/** @returns status 0, and why, if the address does not respond */
async function fetchText(address: URL): Promise<{text: string; status: number}> {
  try {
    const response = await fetch(address, {signal: AbortSignal.timeout(LOAD_TIMEOUT)})
    return {text: await response.text(), status: response.status}
  } catch (error) {
    const {cause} = error instanceof Error ? error : {}
    return {text: errorMessage(cause ?? error), status: 0}
  }
}
