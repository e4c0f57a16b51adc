import {join} from 'node:path'
import {type Browser, type TestInfo, test} from '@playwright/test'
import {SIGNED_OUT} from '../../schemas/fields/tests.ts'
import {shortened} from '../../schemas/rules/text.ts'
import {printable} from '../printable.ts'
import type {PlannedTest} from './plan.ts'
import {runTest} from './run.ts'
import {settings} from './settings.ts'
import {planOf, readSite} from './site.ts'
import {limitsOf} from './visit.ts'

const {content, selection, baseUrl, visitors} = settings()
const {origin} = new URL(baseUrl)
const site = await readSite(content, origin, process.env)
const {tests} = await planOf(site, content.directory, selection)

/** What is wrong with a tool, at the line of its document. */
class Failure extends Error {
  override name = ''

  constructor(lines: readonly string[], {path, line = 1}: PlannedTest['place']) {
    super(lines.map(printable).join('\n'))
    this.stack = `${this.message}\n    at ${join(content.directory, path)}:${line}:1`
  }
}

/** Playwright wants each title once. */
function once(title: string, taken: Set<string>): string {
  let free = title
  for (let copy = 2; taken.has(free); copy += 1) free = `${title} (${copy})`
  taken.add(free)
  return free
}

/** The visitor whom a test names. Undefined: there is no file for it. */
function stateOf(visitor: string) {
  const known = visitors.find(({name}) => name === visitor)
  return known?.state ?? (visitor === SIGNED_OUT ? {cookies: [], origins: []} : undefined)
}

async function check(planned: PlannedTest, browser: Browser, {annotations, timeout}: TestInfo) {
  const {visitor, place} = planned
  if (visitor !== undefined && stateOf(visitor) === undefined) {
    const advice = `name a file for it with --visitor ${visitor}=FILE.`
    throw new Failure([`It is for the visitor “${visitor}”: ${advice}`], place)
  }
  const outcome = await runTest(planned, {
    origin,
    site,
    limits: limitsOf(timeout),
    // A worker of the page would send the requests of the snippet where they cannot be answered.
    newContext: () => browser.newContext({serviceWorkers: 'block'}),
  })
  for (const warning of outcome.warnings) annotations.push({type: 'warning', description: printable(warning)})
  if (outcome.failures.length === 0) return
  const args = outcome.arguments && `Called with ${shortened(JSON.stringify(outcome.arguments), 200)}`
  throw new Failure([...outcome.failures, ...(args === undefined ? [] : [args])], place)
}

for (const group of Map.groupBy(tests, ({page, visitor}) => JSON.stringify([page, visitor])).values()) {
  const {page = '', visitor} = group[0] ?? {}
  const title = (page || 'No page') + (visitor === undefined ? '' : ` as ${visitor}`)
  test.describe(printable(title), () => {
    if (visitor !== undefined) test.use({storageState: stateOf(visitor)})
    const taken = new Set<string>()
    for (const planned of group) {
      const {toolName, documentId, title} = planned
      const annotation = [
        {type: 'tool', description: printable(toolName)},
        {type: 'document', description: documentId},
      ]
      const details = {annotation}
      test(once(printable(`${toolName}: ${title}`), taken), details, ({browser}, info) =>
        check(planned, browser, info),
      )
    }
  })
}
