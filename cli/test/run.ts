import type {BrowserContext, Page} from '@playwright/test'
import {errorMessage} from '../../common/errorMessage.ts'
import {withTimeout} from '../../common/timeout.ts'
import {shortened} from '../../schemas/rules/text.ts'
import {causeOf, lineIn} from '../../verdicts/cause.ts'
import {type FinishedCall, judge, seconds, type Verdict} from '../../verdicts/judge.ts'
import {inTime} from './inTime.ts'
import type {PlannedTest, TestedTool} from './plan.ts'
import type {TestedSite} from './site.ts'
import {Traffic} from './traffic.ts'
import {
  addTools,
  callTool,
  coveringNotes,
  findTool,
  type Limits,
  missingOn,
  open,
  VisitError,
} from './visit.ts'

/** Where a test runs. */
export type Stage = {
  readonly origin: string
  readonly site: Pick<TestedSite, 'publicId' | 'offline' | 'isPublished'>
  readonly limits: Limits
  /** Opens a context of a new visitor. */
  readonly newContext: () => Promise<BrowserContext>
}

/** What came of a test. */
export type TestOutcome = Verdict & {
  /** The cause comes first. None: the test passed. */
  readonly failures: readonly string[]
  readonly arguments?: object
}

const TAG_ADDED = 'The page has no script tag of the site: the test added one. Visitors do not get the tool.'

/** Milliseconds that a context has to close. */
const CLOSED_WITHIN = 10_000

/** Milliseconds to judge a call: a pattern of strangers can backtrack without end. */
const JUDGED_WITHIN = 2_000

const NOT_JUDGED: Verdict = {
  failures: [
    `The result could not be judged within ${seconds(JUDGED_WITHIN)}: simplify the patterns of the test and of the output schema.`,
  ],
  warnings: [],
}

/** Runs a test as a new visitor: what another one changed must not decide what this one sees. */
export async function runTest(
  test: PlannedTest,
  {origin, site, limits, newContext}: Stage,
): Promise<TestOutcome> {
  const {tool, problem} = test
  if (tool === undefined) return {failures: [problem ?? ''], warnings: []}
  const context = await newContext()
  try {
    await addTools(context, site)
    const page = await context.newPage()
    const isOwn = (url: URL) => !site.isPublished && site.offline.respond(url) !== undefined
    const traffic = new Traffic(page, origin, isOwn)
    await traffic.watchScripts(await context.newCDPSession(page))
    const notes = await open(page, test.page, origin, limits)
    const {schema, isTagAdded} = await findTool(page, site, tool, limits.wait)
    const args = test.argumentsFor(test.schema ?? schema)
    const {failures, warnings} = await call(page, traffic, test, tool, args, limits)
    // Of the page: none of these makes a test fail.
    if (isTagAdded) notes.push(TAG_ADDED)
    const [error] = await page.pageErrors({filter: 'all'}).catch(() => [])
    if (error !== undefined) notes.push(`A script of the page failed: ${shortened(error.message, 150)}.`)
    // A banner may come late.
    const ofPage = new Set([...notes, ...(await coveringNotes(page)), ...traffic.notes])
    return {failures, warnings: [...warnings, ...ofPage], arguments: args}
  } catch (error) {
    if (!(error instanceof VisitError) && !isOfBrowser(error)) throw error
    return {failures: [errorMessage(error).split('\n')[0] ?? ''], warnings: []}
  } finally {
    // A script of the page may run without end.
    await withTimeout(CLOSED_WITHIN, context.close())
  }
}

async function call(
  page: Page,
  traffic: Traffic,
  {expect}: PlannedTest,
  tool: TestedTool,
  args: object,
  {call: timeout, slow, wait}: Limits,
): Promise<Verdict> {
  const before = pathOf(page.url())
  await traffic.clear()
  const {outcome, milliseconds, hasEnded} = await callTool(page, tool.name, args, timeout)
  const isGone = () => pathOf(page.url()) !== before
  if (expect.some(({kind}) => kind === 'goesTo') && !isGone())
    await page.waitForURL(isGone, {waitUntil: 'commit', timeout: wait}).catch(() => {})
  const wentTo = isGone() ? pathOf(page.url()) : undefined
  const finished: FinishedCall = {outcome, milliseconds, wentTo, wentStatus: traffic.status}
  const verdict = inTime(JUDGED_WITHIN, () => judge(expect, finished, tool, slow)) ?? NOT_JUDGED
  if (verdict.failures.length === 0) return verdict
  const requests = await traffic.requests()
  const evidence = {
    // The page itself sends its forms.
    requests: tool.isForm ? requests.map((request) => ({...request, isOfTool: true})) : requests,
    missing: await missingOn(page, tool.selectors).catch(() => []),
    dialogs: traffic.dialogs,
    line: tool.script === undefined ? undefined : lineIn(await traffic.errors(), tool.id, tool.script),
    expect,
    hasEnded,
  }
  const place = pathOf(traffic.address ?? page.url())
  const cause = causeOf({...finished, wentTo: place === before ? undefined : place}, evidence, slow)
  return {...verdict, failures: cause === undefined ? verdict.failures : [cause, ...verdict.failures]}
}

function pathOf(address: string): string {
  const {pathname, search} = new URL(address)
  return pathname + search
}

/** Such as a page that crashed or went away. Other errors are mistakes in this program. */
function isOfBrowser(error: unknown): boolean {
  return error instanceof Error && /^(?:page|browser|browserContext|frame)\.\w+: /.test(error.message)
}
