import assert from 'node:assert/strict'
import type {Browser, BrowserContextOptions} from 'playwright-core'
import type {Snapshot} from '../../../advice/changes/compare.ts'
import type {PlannedTest, PlanOptions} from '../../../cli/test/plan.ts'
import {runTest, type TestOutcome} from '../../../cli/test/run.ts'
import {planOf} from '../../../cli/test/site.ts'
import {type Limits, limitsOf, TEST_TIMEOUT} from '../../../cli/test/visit.ts'
import {textOf} from '../../../schemas/rules/text.ts'
import {serveOffline} from '../../../service/offline.ts'

/** How tests run. */
export type RunOptions = Partial<Limits & Pick<PlanOptions, 'derived' | 'readsOnly'>> & {
  readonly isPublished?: boolean
  readonly context?: BrowserContextOptions
}

/** Runs the tests of a site's documents on a website, and returns what came of each tool's last test. */
export async function runTestsOf(
  {origin}: URL,
  id: string,
  documents: Snapshot,
  browser: Browser,
  {isPublished = false, readsOnly = false, derived = 'none', context, ...limits}: RunOptions = {},
): Promise<ReadonlyMap<string, TestOutcome>> {
  const publicId = textOf(documents.get(id)?.publicId)
  const offline = await serveOffline(publicId, [...documents.values()])
  assert.ok(offline)
  const site = {id, publicId, documents, offline, source: {files: []}, isPublished}
  const {tests} = await planOf(site, '/', {readsOnly, derived})
  const stage = {
    origin,
    site,
    // Ten times as long as a test has: the machine may be busy.
    limits: {...limitsOf(10 * TEST_TIMEOUT), ...limits},
    newContext: () => browser.newContext({...context, serviceWorkers: 'block'}),
  }
  const run = async (test: PlannedTest) => [test.toolName, await runTest(test, stage)] as const
  return new Map(await Promise.all(tests.map(run)))
}

/** The cause of a failed test; empty if it passed. */
export function firstLine(outcome: TestOutcome | undefined): string {
  return outcome === undefined ? 'did not run' : (outcome.failures[0] ?? '')
}
