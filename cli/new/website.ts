import {type Browser, type BrowserContext, chromium} from '@playwright/test'
import Robots from 'robots-parser/Robots.js'
import {errorMessage} from '../../common/errorMessage.ts'
import {withTimeout} from '../../common/timeout.ts'
import {alikeOf, decodedSegment} from '../../making/names.ts'
import {isRecord, recordsIn} from '../../schemas/record.ts'
import {shortened, textOf} from '../../schemas/rules/text.ts'
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

/** Opens up to 30 pages of a website, one after the other, and finds what tools can be made of. Sends nothing but GET. */
export async function openWebsite(start: URL) {
  const {origin} = start
  const signal = AbortSignal.timeout(LOAD_TIMEOUT)
  const rules = await fetch(`${origin}/robots.txt`, {signal}).catch(failed(`${origin} does not respond`))
  if (rules.status >= 500)
    throw new CommandError(`${origin}/robots.txt returned ${rules.status}: try again later.`)
  const robots = new Robots(start.href, rules.ok ? decodedSegment(await rules.text()) : '')
  // Of other websites, it is undefined.
  const mayOpen = (url: URL) =>
    robots.isAllowed(url.origin + decodedSegment(url.pathname + url.search), 'handrail') !== false
  if (!mayOpen(start)) throw new CommandError(`The robots.txt of ${origin} does not allow ${start.pathname}.`)
  const browser = await chromium
    .launch(withWebMcp())
    .catch(failed('Chromium does not start. "npx playwright install chromium" installs it'))
  await using _closing = {[Symbol.asyncDispose]: () => withTimeout(LOAD_TIMEOUT, browser.close())}
  const context = await browser.newContext({serviceWorkers: 'block'})
  await sendOnlyGet(browser, mayOpen)
  await context.addInitScript({content: (await buildWebsite()).text})
  const queue = queueFrom(origin, mayOpen)
  const [sitemap = '/sitemap.xml', ...others] = robots.getSitemaps()
  for (const first of [sitemap, ...others, start]) queue.add(first)
  const opened = []
  for (let url = queue.next(); url !== undefined && opened.length < MAX_PAGES; url = queue.next()) {
    const {leads, ...page} = await open(context, url)
    opened.push(page)
    for (const address of Array.isArray(leads) ? leads : []) queue.add(address)
  }
  return opened
}

/** Says the reason of a failure, which a failed fetch has in its cause. */
const failed =
  (what: string) =>
  (error: unknown): never => {
    const [reason] = errorMessage(error instanceof Error ? (error.cause ?? error) : error).split('\n')
    throw new CommandError(`${what}: ${reason}`)
  }

/** Addresses to open, each once: in turns, one of each kind, and one with a query. */
function queueFrom(origin: string, mayOpen: (url: URL) => boolean) {
  const known = new Set<string>()
  const counts = new Map<string, number>()
  const waiting = Array.from({length: 2 * MAX_ALIKE}, (): URL[] => [])
  const add = (address: unknown) => {
    const url = URL.parse(String(address), origin)
    if (url?.origin !== origin || !mayOpen(url)) return
    // Some routers have the path of the page after “#”.
    if (/^#!?\//.test(url.hash)) url.search = ''
    else url.hash = ''
    if (known.has(url.href)) return
    known.add(url.href)
    const alike = alikeOf(url.pathname + url.hash) + (url.search && '?')
    // Pages at the top are like none, but there may be more of them than are opened.
    const kind = /^\/[^/?]*\/?$/.test(alike) ? '/' : alike
    const count = counts.get(kind) ?? 0
    counts.set(kind, count + 1)
    waiting[Math.floor(kind === '/' ? count / MAX_ALIKE : 2 * count + (url.search ? 1 : 0))]?.push(url)
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
    const {tools, leads, forbidden} = isRecord(answer) ? answer : {}
    const hasPolicy = /(?:script|default)-src/.test(response?.headers()['content-security-policy'] ?? '')
    const problem = hasPolicy ? 'Its Content-Security-Policy must allow the service.' : ''
    return {path, problem: textOf(forbidden) || problem, found: recordsIn(tools), leads}
  } catch (error) {
    const [reason = ''] = errorMessage(error).split('\n')
    const isBlocked = reason.includes('ERR_BLOCKED_BY_CLIENT')
    const problem = isBlocked ? 'It leads to a page that robots.txt does not allow.' : shortened(reason, 150)
    return {path, problem, found: [], leads: []}
  }
}
