import type {BrowserContext, Page, Request} from '@playwright/test'
import {SIGN_IN_ADDRESS} from '../../actions/run/outcome.ts'
import {errorMessage} from '../../common/errorMessage.ts'
import {beforeTimeout} from '../../common/timeout.ts'
import {isRecord} from '../../schemas/record.ts'
import {normalizePath} from '../../schemas/rules/paths/normalizePath.ts'
import {shortened, textOf} from '../../schemas/rules/text.ts'
import type {OfflineSite} from '../../service/offline.ts'
import {buildTesting} from '../../snippet/build/build.ts'
import {type Outcome, seconds} from '../../verdicts/judge.ts'
import type {TestedTool} from './plan.ts'
import type {TestedSite} from './site.ts'

/** Milliseconds. */
export type Limits = {
  /** That a page has to load. */
  readonly load: number
  /** That an open page has to offer a tool. */
  readonly wait: number
  /** After which a page or a call is too slow. */
  readonly slow: number
  /** After which a call is given up. */
  readonly call: number
}

/** Milliseconds that a test has, unless Playwright's `--timeout` says otherwise. */
export const TEST_TIMEOUT = 90_000

/** The parts of a test's time, so that Playwright ends none before its cause is known. */
export function limitsOf(timeout: number): Limits {
  const all = timeout || TEST_TIMEOUT
  return {load: all / 3, wait: all / 18, slow: all / 18, call: all / 3}
}

/** A page that cannot be tested. The message is for the person who runs the tests. */
export class VisitError extends Error {}

/** Milliseconds that a page has for what takes no time, and beyond the limit of what waits in it: the machine may be busy. */
const GRACE = 10_000

/** Milliseconds that the files of an open page have, for which only some agents wait. */
const FILES_WITHIN = 2_000

/** Below the origin of the page, which most policies allow. Requests to it never leave the browser. */
const ADDED_BASE = '/handrail-content-test/'

let testing: Promise<string> | undefined

/**
 * Gives the pages of a context the tools of a site: the snippet's requests are answered here, whatever address the tag of
 * the page has, so that the policy of the page applies as it does for visitors.
 */
export async function addTools(
  context: BrowserContext,
  {publicId, offline, isPublished}: Pick<TestedSite, 'publicId' | 'offline' | 'isPublished'>,
): Promise<void> {
  testing ??= buildTesting().then(({text}) => text)
  await context.addInitScript({content: await testing})
  if (isPublished) await discardCalls(context, publicId)
  else await answerFor(context, offline)
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

/**
 * Opens a page.
 * @returns what a person should know of it although no test fails
 * @throws VisitError if it cannot be opened, or is elsewhere
 */
export async function open(
  page: Page,
  path: string,
  origin: string,
  {load, slow}: Limits,
): Promise<string[]> {
  const notes: string[] = []
  const name = path.replace(/\?.*/s, '')
  const waiting = new Set<Request>()
  page.on('request', (request) => waiting.add(request))
  page.on('requestfinished', (request) => waiting.delete(request))
  page.on('requestfailed', (request) => waiting.delete(request))
  const started = performance.now()
  const response = await page
    .goto(new URL(path, origin).href, {waitUntil: 'domcontentloaded', timeout: load})
    .catch((error: unknown) => {
      const [reason = ''] = errorMessage(error)
        .replace(/^page\.goto: | at http.*/gs, '')
        .split('\n')
      const isSlow = /^Timeout/.test(reason)
      const file = [...waiting].find((request) => BLOCKING.includes(request.resourceType()))
      throw new VisitError(
        isSlow && file !== undefined
          ? `The page ${name} did not load within ${seconds(load)}, because it waits for ${shortened(file.url(), 150)}.`
          : `The page ${name} could not be opened: ${reason.replace(/\.$/, '')}.`,
      )
    })
  const took = performance.now() - started
  if (took > slow) notes.push(`The page ${name} took ${seconds(took)} to open, so agents may give up.`)
  const isLoaded = await page.waitForLoadState('load', {timeout: FILES_WITHIN}).then(
    () => true,
    () => false,
  )
  const [late] = waiting
  if (!isLoaded && late !== undefined)
    notes.push(`The page ${name} is still loading ${shortened(late.url(), 150)}. Some agents wait for it.`)
  const status = response?.status() ?? 200
  const at = new URL(page.url())
  if (status >= 400) throw new VisitError(`The page ${name} returned ${status}.`)
  if (at.origin !== origin || normalizePath(at.pathname) !== normalizePath(name)) {
    const place = (at.origin === origin ? '' : at.origin) + at.pathname + at.search
    const asksForPassword = await page.locator('input[type="password"]').first().isVisible()
    const [signIn, rename] = ['Sign in with --storage-state or --sign-in', 'name the new page in the test']
    const remedy = SIGN_IN_ADDRESS.test(place)
      ? signIn
      : asksForPassword
        ? `It asks for a password. ${signIn}, or ${rename}`
        : 'Name the new page in the test'
    throw new VisitError(`The page ${name} moved to ${shortened(place, 150)}. ${remedy}.`)
  }
  return [...notes, ...(await coveringNotes(page))]
}

/** What lies over the page now, as a note. */
export async function coveringNotes(page: Page): Promise<string[]> {
  const covering = await evaluate(page, 0, 'handrailTesting.covering').catch(() => '')
  return covering ? [`The page is covered by ${covering}, which visitors close first.`] : []
}

/** A function of `panel/testing`, or of `panel/website.ts`. */
type Added =
  | `handrailTesting.${'find' | 'call' | 'missing' | 'names' | 'addTag' | 'covering'}`
  | 'handrailWebsite.find'

/**
 * Calls a function in a page. Its arguments and its result are JSON.
 * @param milliseconds how long the function waits in the page
 * @throws VisitError if the page does not respond: one of its scripts, or of the tools, may run without end
 */
export async function evaluate(
  page: Page,
  milliseconds: number,
  name: Added,
  ...args: readonly unknown[]
): Promise<unknown> {
  const called = page.evaluate(`${name}(...${JSON.stringify(args)})`)
  const answer = await beforeTimeout(
    milliseconds + GRACE,
    called.then((value: unknown) => ({value})),
  )
  if (answer === undefined)
    throw new VisitError('The page does not respond: a script of it may run without end.')
  return answer.value
}

/** What Chromium logs of a script that a policy forbids, with the directive. */
const POLICY = /script.*?Content Security Policy directive: "([^"]+)"/

/**
 * Waits for a tool of an open page. A page without a tag of the site gets one.
 * @returns the parameters that the page has, and whether it got a tag
 * @throws VisitError that says why it has no such tool
 */
export async function findTool(
  page: Page,
  {publicId, isPublished}: Pick<TestedSite, 'publicId' | 'isPublished'>,
  {name, selectors, isForm}: Pick<TestedTool, 'name' | 'selectors' | 'isForm'>,
  wait: number,
): Promise<{schema: unknown; isTagAdded: boolean}> {
  const src = `${new URL(page.url()).origin}${ADDED_BASE}snippet.js?site=${publicId}`
  const isTagAdded =
    !isPublished &&
    (await evaluate(page, 0, 'handrailTesting.addTag', src, publicId).catch(notMissing)) === true
  const seen = await evaluate(page, wait, 'handrailTesting.find', publicId, name, wait)
  const {isThere, state, problem, schema} = isRecord(seen) ? seen : {}
  if (isThere === true) return {schema, isTagAdded}
  throw new VisitError(await whyMissing())

  async function whyMissing(): Promise<string> {
    const said = (await page.consoleMessages()).map((message) => message.text())
    const [policy] = said.flatMap((text) => POLICY.exec(text)?.[1] ?? [])
    if (state === undefined && policy !== undefined)
      return `The Content-Security-Policy of the page forbids the script tag of the site: ${shortened(policy, 150)}.`
    const missing = isForm ? await missingOn(page, selectors) : []
    if (missing.length > 0) return `No form on the page matches “${selectors[0]}”.`
    if (state === undefined)
      return `The page has no script tag of the site “${publicId}”, or its script did not run.`
    if (state === 'failed') return `The page did not get its tools: ${textOf(problem)}.`
    return textOf(problem) === ''
      ? `The page did not offer the tool within ${seconds(wait)}.`
      : `The browser refused the tool: ${textOf(problem)}.`
  }
}

/** A policy can refuse the tag only after it was added. A page that does not respond cannot be tested. */
function notMissing(error: unknown): true {
  if (error instanceof VisitError) throw error
  return true
}

/** Which of the selectors match nothing on a page. */
export async function missingOn(page: Page, selectors: readonly string[]): Promise<string[]> {
  const missing = await evaluate(page, 0, 'handrailTesting.missing', selectors)
  return Array.isArray(missing) ? missing.map(String) : []
}

/** The names of the tools that a page offers. */
export async function toolNames(page: Page): Promise<string[]> {
  const names = await evaluate(page, 0, 'handrailTesting.names')
  return Array.isArray(names) ? names.map(String) : []
}

/** A call as the page saw it. */
export type Called = {
  readonly outcome: Outcome
  readonly milliseconds: number
  /** Whether the page went elsewhere, or was loaded again, and the script ended with it. */
  readonly hasEnded: boolean
}

/** Calls a tool as an agent does. @throws VisitError if the page does not respond */
export async function callTool(page: Page, name: string, args: object, timeout: number): Promise<Called> {
  const started = performance.now()
  let hasEnded = false
  const called = await evaluate(page, timeout, 'handrailTesting.call', name, args, timeout).catch(
    (error: unknown) => {
      hasEnded = /context was destroyed|navigat/i.test(errorMessage(error))
      if (hasEnded) return {kind: 'result'}
      throw error
    },
  )
  const {kind, value, message, milliseconds} = isRecord(called) ? called : {}
  const outcome: Outcome =
    kind === 'result'
      ? {kind, value}
      : kind === 'error'
        ? {kind, message: textOf(message)}
        : {kind: 'timeout'}
  return {
    outcome,
    milliseconds: typeof milliseconds === 'number' ? milliseconds : performance.now() - started,
    hasEnded,
  }
}
