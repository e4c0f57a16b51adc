import {type Browser, type BrowserContext, chromium, type Response} from '@playwright/test'
import Robots from 'robots-parser/Robots.js'
import {errorMessage} from '../../common/errorMessage.ts'
import {withTimeout} from '../../common/timeout.ts'
import {alikeOf, decodedSegment} from '../../making/names.ts'
import {isRecord, recordsIn} from '../../schemas/record.ts'
import {shortened} from '../../schemas/rules/text.ts'
import {buildWebsite} from '../../snippet/build/build.ts'
import {CommandError} from '../command.ts'
import {withWebMcp} from '../test/browser.ts'
import {evaluate} from '../test/visit.ts'

/** Pages that are opened, and of those that differ in the last part of their path, or in the values of their query only. */
const MAX_PAGES = 30
const MAX_ALIKE = 8

/** Milliseconds that a page has to load, and its parts to be found and called. */
const LOAD_TIMEOUT = 15_000
const FIND_TIMEOUT = 60_000

/** What workers and connections send that are no requests, and what is loaded before it is needed, cannot be refused. */
const WITHOUT_WORKERS = `new MutationObserver(() => {
  for (const rules of document.querySelectorAll('script[type=speculationrules i]')) rules.remove()
}).observe(document, {childList: true, subtree: true})
globalThis.Worker = globalThis.SharedWorker = globalThis.WebSocket = class extends EventTarget {
  port = this
  postMessage() {}
  send() {}
  close() {}
}
delete globalThis.WebTransport
delete globalThis.RTCPeerConnection;
`

/** Opens up to 30 pages of a website, one after the other, and finds what tools can be made of. Sends nothing but GET. */
export async function openWebsite(start: URL) {
  const signal = AbortSignal.timeout(LOAD_TIMEOUT)
  const rules = await fetch(new URL('/robots.txt', start), {signal}).catch(
    failed(`${start.origin} does not respond`),
  )
  const {status, ok} = rules
  if (status >= 500) throw new CommandError(`${start.origin}/robots.txt returned ${status}: try again later.`)
  const robots = new Robots(start.href, ok ? decodedSegment(await rules.text()) : '')
  // Of other websites, it is undefined.
  const mayOpen = ({origin, pathname, search}: URL) =>
    robots.isAllowed(origin + decodedSegment(pathname + search), 'handrail') !== false
  if (!mayOpen(start))
    throw new CommandError(`The robots.txt of ${start.origin} does not allow ${start.pathname}.`)
  const browser = await chromium
    .launch(withWebMcp({}, start.origin))
    .catch(failed('Chromium does not start. "npx playwright install chromium" installs it'))
  await using _closing = {[Symbol.asyncDispose]: () => withTimeout(LOAD_TIMEOUT, browser.close())}
  const context = await browser.newContext({serviceWorkers: 'block'})
  await sendOnlyGet(browser, mayOpen)
  await context.addInitScript({content: WITHOUT_WORKERS + (await buildWebsite()).text})
  const queue = queueFrom(start.origin, mayOpen)
  const [sitemap = '/sitemap.xml', ...others] = robots.getSitemaps()
  for (const first of [sitemap, ...others, start]) queue.add(first)
  const opened = []
  let hasSitemap = false
  let left = MAX_PAGES
  for (let url = queue.next(); url !== undefined && left > 0; url = queue.next()) {
    const {path, problem, answer} = await open(context, url)
    // What is no page, such as a file, takes less time.
    left -= 'leads' in answer ? 1 : 0.5
    opened.push({path, problem, found: recordsIn(answer.tools)})
    for (const {href, from} of recordsIn(answer.leads)) {
      hasSitemap ||= from === 'sitemap'
      if (from !== 'link' || !hasSitemap) queue.add(href, from === 'search')
    }
  }
  return opened
}

/** Says the reason of a failure, which a failed fetch has in its cause. */
function failed(what: string) {
  return (error: unknown): never => {
    const [reason] = errorMessage(error instanceof Error ? (error.cause ?? error) : error).split('\n')
    throw new CommandError(`${what}: ${reason}`)
  }
}

/** Addresses to open, each once: first those that are like none, then those that are like one, and with a query later. */
function queueFrom(origin: string, mayOpen: (url: URL) => boolean) {
  const known = new Set<string>()
  const counts = new Map<string, number>()
  const waiting = Array.from({length: 2 * MAX_ALIKE}, (): URL[] => [])
  const add = (address: unknown, isSearch = false) => {
    const url = URL.parse(String(address), origin)
    if (url?.origin !== origin || !mayOpen(url)) return
    // Some routers have the path of the page after “#”.
    if (/^#!?\//.test(url.hash)) url.search = ''
    else url.hash = ''
    if (known.has(url.href)) return
    known.add(url.href)
    const alike = isSearch ? 'search' : url.search ? `${url.pathname}?` : alikeOf(url.pathname + url.hash)
    // Pages at the top are like none, but there may be more of them than are opened.
    const isTop = /^\/[^/?]*\/?$/.test(alike)
    const shape = isTop ? '/' : alike
    const count = counts.get(shape) ?? 0
    counts.set(shape, count + 1)
    const rank = isTop ? count / MAX_ALIKE : 2 * count + (alike.endsWith('?') ? MAX_ALIKE : 0)
    waiting[Math.floor(rank)]?.push(url)
  }
  return {add, next: () => waiting.find(({length}) => length > 0)?.shift()}
}

/**
 * Pages ask for what they need, and tools are called: all of it by GET, and nothing that robots may not ask for.
 * The session is of the browser: those of pages see no redirects, and nothing that a page sends while it closes.
 */
async function sendOnlyGet(browser: Browser, mayOpen: (url: URL) => boolean) {
  const session = await browser.newBrowserCDPSession()
  session.on('Fetch.requestPaused', ({requestId, request, responseStatusCode: responseCode, ...response}) => {
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

/** What a page has, and where it leads. */
async function open(context: BrowserContext, url: URL) {
  await using page = await context.newPage()
  const path = url.pathname + url.search + url.hash
  try {
    const response = await page.goto(url.href, {waitUntil: 'domcontentloaded', timeout: LOAD_TIMEOUT})
    await page.waitForLoadState('networkidle', {timeout: LOAD_TIMEOUT / 5}).catch(() => {})
    if (new URL(page.url()).origin !== url.origin) throw new Error('It leads to another website.')
    const status = response?.status() ?? 200
    if (status >= 400) throw new Error(`It returned ${status}.`)
    const answer = await evaluate(page, FIND_TIMEOUT, 'handrailWebsite.find')
    return {path, problem: problemOf(response), answer: isRecord(answer) ? answer : {}}
  } catch (error) {
    const isBlocked = errorMessage(error).includes('ERR_BLOCKED_BY_CLIENT')
    const [reason = ''] = errorMessage(error).split('\n')
    const problem = isBlocked ? 'It leads to a page that robots.txt does not allow.' : shortened(reason, 150)
    return {path, problem, answer: {}}
  }
}

/** Why a page cannot have tools, or what its policy must allow. */
function problemOf(response: Response | null): string | undefined {
  const headers = response?.headers() ?? {}
  if (/^http:\/\/(?!localhost\b|127\.|\[::1\])/.test(response?.url() ?? ''))
    return 'It is not secure: browsers offer tools on https only.'
  if (headers['origin-agent-cluster'] === '?0') return 'Its header “Origin-Agent-Cluster: ?0” forbids tools.'
  if (/\btools=\(\)/.test(headers['permissions-policy'] ?? '')) return 'Its Permissions-Policy forbids tools.'
  return /script-src|default-src/.test(headers['content-security-policy'] ?? '')
    ? 'Its Content-Security-Policy must allow the service.'
    : undefined
}
