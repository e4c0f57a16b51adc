import assert from 'node:assert/strict'
import type {Browser} from 'playwright-core'
import type {Snapshot} from '../../../advice/changes/compare.ts'
import {checkSite} from '../../../advice/diagnosis/site.ts'
import {type PlanOptions, planTests} from '../../../cli/test/plan.ts'
import {type RunOptions, runTests, type TestResult} from '../../../cli/test/run.ts'
import {askBeforeOf} from '../../../schemas/rules/hints/askBefore.ts'
import {textOf} from '../../../schemas/rules/text.ts'
import {serveOffline} from '../../../service/offline.ts'

/** Runs the tests of a site's documents on a website, and returns the result of each tool's last test. */
export async function runTestsOf(
  url: URL,
  siteId: string,
  documents: Snapshot,
  browser: Browser,
  more: Partial<RunOptions & Pick<PlanOptions, 'derived' | 'readsOnly'>> = {},
): Promise<ReadonlyMap<string, TestResult>> {
  const publicId = textOf(documents.get(siteId)?.publicId)
  const offline = await serveOffline(publicId, [...documents.values()])
  assert.ok(offline)
  const {tests} = planTests({
    site: checkSite(siteId, [...documents.values()]),
    documents,
    askBefore: askBeforeOf(documents.get(siteId)?.askBefore),
    configOn: offline.configOn,
    placeOf: (id) => ({path: `${id}.json`}),
    isWanted: () => true,
    readsOnly: more.readsOnly ?? false,
    derived: more.derived ?? 'none',
  })
  const limits = {loadTimeout: 30_000, wait: 5_000, slow: 5_000, timeout: 30_000, workers: 2}
  const options = {
    baseUrl: url,
    publicId,
    offline,
    ignoreHttpsErrors: false,
    visitors: new Map(),
    ...limits,
    ...more,
  }
  return new Map((await runTests(browser, tests, options)).map((result) => [result.test.toolName, result]))
}

/** The cause of a failed test; empty if it passed. */
export function firstLine(result: TestResult | undefined): string {
  return result === undefined ? 'did not run' : (result.failures[0] ?? '')
}
