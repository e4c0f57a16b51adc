import type {Browser, BrowserContext, BrowserContextOptions, Page, Request} from 'playwright-core'
import {SIGN_IN_ADDRESS} from '../../actions/run/outcome.ts'
import {errorMessage} from '../../common/errorMessage.ts'
import {beforeTimeout, withTimeout} from '../../common/timeout.ts'
import {normalizePath} from '../../schemas/rules/paths/normalizePath.ts'
import {shortened} from '../../schemas/rules/text.ts'
import type {OfflineSite} from '../../service/offline.ts'
import {buildTesting} from '../../snippet/build/build.ts'
import {seconds} from '../../verdicts/judge.ts'
import {Traffic} from './traffic.ts'

/** How pages are opened. */
export type VisitOptions = {
  /** The origin of the website. */
  readonly baseUrl: URL
  readonly publicId: string
  /** What pages get instead of what is published. Undefined: what is published. */
  readonly offline?: OfflineSite | undefined
  readonly storageState?: BrowserContextOptions['storageState']
  readonly ignoreHttpsErrors: boolean
  /** Milliseconds that a page has to load, and after which a page or a call is too slow. */
  readonly loadTimeout: number
  readonly slow: number
}

/** An open page of a new visitor. */
export type Visit = {
  readonly context: BrowserContext
  readonly page: Page
  readonly traffic: Traffic
  /** Whether the page has no tag of the site, so that one was added. */
  readonly isTagAdded: boolean
}

/** A page that cannot be tested. The message is for the person who runs the tests. */
export class VisitError extends Error {}

/** Milliseconds that the browser has for what takes no time, and beyond the limit of what waits in a page. */
const GRACE = 2_000

let testing: Promise<string> | undefined

/** Below the origin of the page, which most policies allow. Requests to it never leave the browser. */
const ADDED_BASE = '/handrail-content-test/'

/**
 * Opens a page as a new visitor, with the tools of the repository: the snippet's requests are answered here, whatever
 * address the tag of the page has, so that the policy of the page applies as it does for visitors.
 * @param bypassPolicy switches the policy off: for pages without a tag whose policy forbids the one that is added
 * @throws VisitError if the page cannot be opened, or is elsewhere
 */
export async function visit(
  browser: Browser,
  path: string,
  options: VisitOptions,
  bypassPolicy: boolean,
): Promise<Visit> {
  const {baseUrl, offline, publicId} = options
  testing ??= buildTesting().then(({text}) => text)
  const context = await newContext(browser, options, bypassPolicy)
  try {
    const {origin} = baseUrl
    await context.addInitScript({content: await testing})
    if (offline !== undefined) await answerFor(context, offline)
    else await discardCalls(context, publicId)
    const page = await context.newPage()
    const traffic = new Traffic(page, origin, (url) => offline?.respond(new URL(url)) !== undefined)
    await traffic.watchScripts(await context.newCDPSession(page))
    await open(page, path, options, traffic.notes)
    const src = `${origin}${ADDED_BASE}snippet.js?site=${publicId}`
    const isTagAdded =
      offline !== undefined && (await evaluate(page, 0, 'addTag', src, publicId).catch(notMissing)) === true
    const covering = await evaluate(page, 0, 'covering').catch(() => '')
    if (covering) traffic.notes.push(`The page is covered by ${covering}, which visitors close first.`)
    return {context, page, traffic, isTagAdded}
  } catch (error) {
    await close(context)
    throw error
  }
}

/** A policy can refuse the tag only after it was added. A page that does not respond cannot be tested. */
function notMissing(error: unknown): true {
  if (error instanceof VisitError) throw error
  return true
}

/** A new visitor of the website. */
export function newContext(
  browser: Browser,
  {baseUrl: {origin, username, password}, storageState, ignoreHttpsErrors}: VisitOptions,
  bypassPolicy = false,
): Promise<BrowserContext> {
  return browser.newContext({
    ...(storageState !== undefined && {storageState}),
    ...(username !== '' && {
      // Scripts of the page choose which other hosts it asks, and each of them may answer 401.
      httpCredentials: {
        origin,
        username: decodeURIComponent(username),
        password: decodeURIComponent(password),
      },
    }),
    bypassCSP: bypassPolicy,
    ignoreHTTPSErrors: ignoreHttpsErrors,
    // It would send the requests of the snippet where they cannot be answered.
    serviceWorkers: 'block',
  })
}

async function answerFor(context: BrowserContext, offline: OfflineSite): Promise<void> {
  await context.route(
    (url) => offline.respond(url) !== undefined,
    async (route) => {
      const {status, contentType, body} = offline.respond(new URL(route.request().url())) ?? NOTHING
      const headers = {'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin'}
      // The page may have been closed.
      await route.fulfill({status, body, headers: {...headers, 'content-type': contentType}}).catch(() => {})
    },
  )
}

/** A call of a test is no call of an agent. Pages may say again that the visitor consents. */
async function discardCalls(context: BrowserContext, publicId: string): Promise<void> {
  await context.addInitScript(`addEventListener('handrail', () => handrail.reportCalls?.(false))`)
  await context.route(
    ({pathname}) => pathname.endsWith(`/api/sites/${publicId}/calls`),
    (route) => route.abort(),
  )
}

const NOTHING = {status: 404, contentType: 'text/plain', body: ''}

/** Files for which the rest of a page waits. */
const BLOCKING: readonly string[] = ['document', 'script', 'stylesheet']

async function open(
  page: Page,
  path: string,
  {baseUrl, loadTimeout, slow}: VisitOptions,
  notes: string[],
): Promise<void> {
  const name = path.replace(/\?.*/s, '')
  const waiting = new Set<Request>()
  page.on('request', (request) => waiting.add(request))
  page.on('requestfinished', (request) => waiting.delete(request))
  page.on('requestfailed', (request) => waiting.delete(request))
  const started = performance.now()
  const response = await page
    .goto(new URL(path, baseUrl.origin).href, {waitUntil: 'domcontentloaded', timeout: loadTimeout})
    .catch((error: unknown) => {
      const [reason = ''] = errorMessage(error)
        .replace(/^page\.goto: | at http.*/gs, '')
        .split('\n')
      const isSlow = /^Timeout/.test(reason)
      const file = [...waiting].find((request) => BLOCKING.includes(request.resourceType()))
      throw new VisitError(
        isSlow && file !== undefined
          ? `The page ${name} did not load within ${seconds(loadTimeout)}, because it waits for ${shortened(file.url(), 150)}.`
          : `The page ${name} could not be opened: ${reason.replace(/\.$/, '')}.`,
      )
    })
  const took = performance.now() - started
  if (took > slow) notes.push(`The page ${name} took ${seconds(took)} to open, so agents may give up.`)
  const isLoaded = await page.waitForLoadState('load', {timeout: GRACE}).then(
    () => true,
    () => false,
  )
  const [late] = waiting
  if (!isLoaded && late !== undefined)
    notes.push(`The page ${name} is still loading ${shortened(late.url(), 150)}. Some agents wait for it.`)
  const status = response?.status() ?? 200
  const at = new URL(page.url())
  if (status >= 400) throw new VisitError(`The page ${name} returned ${status}.`)
  if (at.origin !== baseUrl.origin || normalizePath(at.pathname) !== normalizePath(name)) {
    const place = (at.origin === baseUrl.origin ? '' : at.origin) + at.pathname + at.search
    const asksForPassword = await page.locator('input[type="password"]').first().isVisible()
    const [signIn, rename] = ['Sign in with --storage-state or --sign-in', 'name the new page in the test']
    const remedy = SIGN_IN_ADDRESS.test(place)
      ? signIn
      : asksForPassword
        ? `It asks for a password. ${signIn}, or ${rename}`
        : 'Name the new page in the test'
    throw new VisitError(`The page ${name} moved to ${shortened(place, 150)}. ${remedy}.`)
  }
}

/**
 * Calls a function of `snippet/testing` in a page. Its arguments and its result are JSON.
 * @param milliseconds how long the function waits in the page
 * @throws VisitError if the page does not respond: one of its scripts, or of the tools, may run without end
 */
export async function evaluate(
  page: Page,
  milliseconds: number,
  name: 'find' | 'call' | 'missing' | 'addTag' | 'covering',
  ...args: readonly unknown[]
): Promise<unknown> {
  const called = page.evaluate(`handrailTesting.${name}(...${JSON.stringify(args)})`)
  const answer = await beforeTimeout(
    milliseconds + GRACE,
    called.then((value: unknown) => ({value})),
  )
  if (answer === undefined)
    throw new VisitError('The page does not respond: a script of it may run without end.')
  return answer.value
}

/** Closes a browser or what is open in it, with its processes. Never throws, and never waits for long. */
export async function close(opened: {close(): Promise<void>}): Promise<void> {
  await withTimeout(5 * GRACE, opened.close())
}
