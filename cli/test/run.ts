import type {Browser, Page} from 'playwright-core'
import {errorMessage} from '../../common/errorMessage.ts'
import {SIGNED_OUT} from '../../schemas/fields/tests.ts'
import {isRecord} from '../../schemas/record.ts'
import {shortened, textOf} from '../../schemas/rules/text.ts'
import {causeOf, type Evidence, lineIn} from '../../verdicts/cause.ts'
import {type FinishedCall, judge, type Outcome, seconds, type Verdict} from '../../verdicts/judge.ts'
import {inTime} from './inTime.ts'
import type {PlannedTest, TestedTool} from './plan.ts'
import {close, evaluate, type Visit, VisitError, type VisitOptions, visit} from './visit.ts'

export type RunOptions = VisitOptions & {
  /** Cookies and storage of the visitors that tests name. */
  readonly visitors: ReadonlyMap<string, VisitOptions['storageState']>
  /** Milliseconds after which a call is given up. */
  readonly timeout: number
  /** Milliseconds that an open page has to offer its tools. */
  readonly wait: number
  /** Pages that are open at a time. */
  readonly workers: number
}

/** What came of a test. */
export type TestResult = {
  readonly test: PlannedTest
  /** The cause comes first. None: the test passed. */
  readonly failures: readonly string[]
  readonly warnings: readonly string[]
  readonly arguments?: Record<string, unknown> | undefined
  readonly milliseconds: number
  /** The page could not be opened, so that nothing was called. */
  readonly isUnopened?: true
}

/** What Chromium logs of a script that a policy forbids, with the directive. */
const POLICY = /script.*?Content Security Policy directive: "([^"]+)"/

const WITHOUT_POLICY =
  'The page has no script tag of the site, and its policy forbids the one that the test adds: it ran without the policy.'

const TAG_ADDED = 'The page has no script tag of the site: the test added one. Visitors do not get the tool.'

/** Milliseconds to judge a call: a pattern of strangers can backtrack without end. */
const JUDGED_WITHIN = 2_000

const NOT_JUDGED: Verdict = {
  failures: [
    `The result could not be judged within ${seconds(JUDGED_WITHIN)}: simplify the patterns of the test and of the output schema.`,
  ],
  warnings: [],
}

/** Runs tests: those of one page and visitor one after the other, several pages at a time. */
export async function runTests(
  browser: Browser,
  tests: readonly PlannedTest[],
  options: RunOptions,
): Promise<TestResult[]> {
  const pages = [...Map.groupBy(tests, ({page, visitor}) => JSON.stringify([page, visitor])).values()]
  const results = new Map<PlannedTest, TestResult>()
  const next = pages.values()
  async function work(): Promise<void> {
    for (const group of next) {
      const visitor = group[0]?.visitor
      const storageState = visitor === undefined ? options.storageState : options.visitors.get(visitor)
      const session = new PageSession(browser, {...options, storageState})
      try {
        for (const test of group)
          results.set(test, unknownVisitor(test, options) ?? (await session.run(test)))
      } finally {
        await session.close()
      }
    }
  }
  await Promise.all(Array.from({length: Math.min(options.workers, pages.length)}, work))
  return tests.flatMap((test) => results.get(test) ?? [])
}

function unknownVisitor(test: PlannedTest, {visitors}: RunOptions): TestResult | undefined {
  const {visitor = SIGNED_OUT} = test
  if (visitor === SIGNED_OUT || visitors.has(visitor)) return undefined
  const problem = `It is for the visitor “${visitor}”: name a file for it with --visitor ${visitor}=FILE.`
  return {test, failures: [problem], warnings: [], milliseconds: 0}
}

/** One page, opened when a test needs it. */
class PageSession {
  readonly #browser: Browser
  readonly #options: RunOptions
  #visit: Visit | undefined
  /** Why the page cannot be opened: no test tries again. */
  #failure: VisitError | undefined
  /** Whether the policy of the page forbids the tag that was added. */
  #bypassesPolicy = false

  constructor(browser: Browser, options: RunOptions) {
    this.#browser = browser
    this.#options = options
  }

  async run(test: PlannedTest): Promise<TestResult> {
    const {tool, problem} = test
    if (tool === undefined) return {test, failures: [problem ?? ''], warnings: [], milliseconds: 0}
    try {
      const {visit: opened, schema} = await this.#find(tool, test.page)
      const result = await this.#call(opened, test, tool, test.argumentsFor(test.schema ?? schema))
      const note = this.#bypassesPolicy ? WITHOUT_POLICY : opened.isTagAdded ? TAG_ADDED : undefined
      // Of the page, once: none of these makes a test fail.
      const notes = [...(note === undefined ? [] : [note]), ...opened.traffic.notes.splice(0)]
      return {...result, warnings: [...result.warnings, ...notes]}
    } catch (error) {
      if (!(error instanceof VisitError) && !isOfBrowser(error)) throw error
      await this.close()
      const [reason = ''] = errorMessage(error).split('\n')
      const isUnopened = error === this.#failure
      return {test, failures: [reason], warnings: [], milliseconds: 0, ...(isUnopened && {isUnopened})}
    } finally {
      // What it changed must not decide what the next one sees.
      if (!tool.readsOnly) await this.close()
    }
  }

  async close(): Promise<void> {
    const opened = this.#visit
    this.#visit = undefined
    if (opened !== undefined) await close(opened.context)
  }

  /** Opens the page, and waits for a tool. */
  async #find(tool: TestedTool, path: string): Promise<{visit: Visit; schema: unknown}> {
    if (this.#failure !== undefined) throw this.#failure
    this.#visit ??= await visit(this.#browser, path, this.#options, this.#bypassesPolicy).catch((error) => {
      if (error instanceof VisitError) this.#failure = error
      throw error
    })
    const {page, isTagAdded} = this.#visit
    const {publicId, wait} = this.#options
    const seen = await evaluate(page, wait, 'find', publicId, tool.name, wait)
    const {isThere, state, problem, schema} = isRecord(seen) ? seen : {}
    if (isThere === true) return {visit: this.#visit, schema}
    if (state === undefined && isTagAdded && !this.#bypassesPolicy) {
      this.#bypassesPolicy = true
      await this.close()
      return this.#find(tool, path)
    }
    const why = await this.#whyMissing(this.#visit, tool, textOf(state), textOf(problem))
    const error = new VisitError(why)
    // Each other tool would be waited for as long.
    if (state === undefined || state === 'failed') this.#failure = error
    throw error
  }

  async #whyMissing(
    {page, traffic}: Visit,
    {selectors, isForm}: TestedTool,
    state: string,
    problem: string,
  ): Promise<string> {
    const {publicId, wait} = this.#options
    const policy = POLICY.exec(traffic.errors)?.[1]
    if (state === '' && policy !== undefined)
      return `The Content-Security-Policy of the page forbids the script tag of the site: ${shortened(policy, 150)}.`
    const missing = isForm ? await missingOn(page, selectors) : []
    if (missing.length > 0) return `No form on the page matches “${selectors[0]}”.`
    if (state === '')
      return `The page has no script tag of the site “${publicId}”, or its script did not run.`
    if (state === 'failed') return `The page did not get its tools: ${problem}.`
    if (problem !== '') return `The browser refused the tool: ${problem}.`
    return `The page did not offer the tool within ${seconds(wait)}.`
  }

  async #call(
    {page, traffic}: Visit,
    test: PlannedTest,
    tool: TestedTool,
    args: Record<string, unknown>,
  ): Promise<TestResult> {
    const {timeout, slow} = this.#options
    const before = pathOf(page.url())
    traffic.clear()
    const started = performance.now()
    let hasEnded = false
    const called = await evaluate(page, timeout, 'call', tool.name, args, timeout).catch((error: unknown) => {
      // The page went elsewhere, or was loaded again, and the script ended with it.
      hasEnded = /context was destroyed|navigat/i.test(errorMessage(error))
      if (hasEnded) return {kind: 'result'}
      throw error
    })
    const goal = test.expect.find(({kind}) => kind === 'goesTo')
    const isGone = () => pathOf(page.url()) !== before
    if (goal !== undefined && !isGone())
      await page.waitForURL(isGone, {waitUntil: 'commit', timeout: this.#options.wait}).catch(() => {})
    const {outcome, milliseconds} = outcomeOf(called, performance.now() - started)
    const wentTo = isGone() ? pathOf(page.url()) : undefined
    const call: FinishedCall = {outcome, milliseconds, wentTo, wentStatus: traffic.status}
    const judged = inTime(JUDGED_WITHIN, () => judge(test.expect, call, tool, slow))
    const {failures, warnings} = judged ?? NOT_JUDGED
    const hasFailed = failures.length > 0
    const isReloaded = hasEnded && !isGone()
    const evidence = hasFailed && {
      ...(await this.#evidence(tool, {page, traffic})),
      expect: test.expect,
      isReloaded,
    }
    const cause = evidence ? causeOf(call, evidence, slow) : undefined
    if (isGone() || outcome.kind === 'timeout') await this.close()
    return {
      test,
      failures: cause === undefined ? failures : [cause, ...failures],
      warnings,
      arguments: args,
      milliseconds,
    }
  }

  async #evidence(
    {id, script, selectors, isForm}: TestedTool,
    {page, traffic}: Pick<Visit, 'page' | 'traffic'>,
  ): Promise<Evidence> {
    const requests = await traffic.requests()
    return {
      // The page itself sends its forms.
      requests: isForm ? requests.map((request) => ({...request, isOfTool: true})) : requests,
      missing: await missingOn(page, selectors).catch(() => []),
      dialogs: traffic.dialogs,
      line: script === undefined ? undefined : lineIn(traffic.errors, id, script),
    }
  }
}

/** Which of the selectors match nothing on a page. */
async function missingOn(page: Page, selectors: readonly string[]): Promise<string[]> {
  const missing = await evaluate(page, 0, 'missing', selectors)
  return Array.isArray(missing) ? missing.map(String) : []
}

/** @param milliseconds as measured here, if the page did not say it */
function outcomeOf(called: unknown, milliseconds: number): {outcome: Outcome; milliseconds: number} {
  const {kind, value, message, milliseconds: measured} = isRecord(called) ? called : {kind: 'timeout'}
  const took = typeof measured === 'number' ? measured : milliseconds
  if (kind === 'result') return {outcome: {kind, value}, milliseconds: took}
  if (kind === 'error') return {outcome: {kind, message: textOf(message)}, milliseconds: took}
  return {outcome: {kind: 'timeout'}, milliseconds: took}
}

function pathOf(address: string): string {
  const {pathname, search} = new URL(address)
  return pathname + search
}

/** Such as a page that crashed or went away. Other errors are mistakes in this program. */
function isOfBrowser(error: unknown): boolean {
  return error instanceof Error && /^(?:page|browser|browserContext|frame)\.\w+: /.test(error.message)
}
