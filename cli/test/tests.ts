import {join} from 'node:path'
import {test} from '@playwright/test'
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

for (const group of Map.groupBy(tests, ({page, visitor}) => JSON.stringify([page, visitor])).values()) {
  const {page = '', visitor} = group[0] ?? {}
  const known = visitors.find(({name}) => name === visitor)
  const isUnknown = visitor !== undefined && visitor !== SIGNED_OUT && known === undefined
  test.describe(
    printable(page || 'No page') + (visitor === undefined ? '' : printable(` as ${visitor}`)),
    () => {
      if (visitor !== undefined) test.use({storageState: known?.state ?? {cookies: [], origins: []}})
      const taken = new Set<string>()
      for (const planned of group) {
        const {toolName, documentId, title, place} = planned
        const annotation = [
          {type: 'tool', description: printable(toolName)},
          {type: 'document', description: documentId},
        ]
        test(
          once(printable(`${toolName}: ${title}`), taken),
          {annotation},
          async ({browser}, {annotations, timeout}) => {
            if (isUnknown)
              throw new Failure(
                [`It is for the visitor “${visitor}”: name a file for it with --visitor ${visitor}=FILE.`],
                place,
              )
            const {
              failures,
              warnings,
              arguments: args,
            } = await runTest(planned, {
              origin,
              site,
              limits: limitsOf(timeout),
              // A worker of the page would send the requests of the snippet where they cannot be answered.
              newContext: () => browser.newContext({serviceWorkers: 'block'}),
            })
            for (const warning of warnings)
              annotations.push({type: 'warning', description: printable(warning)})
            const called = args === undefined ? [] : [`Called with ${shortened(JSON.stringify(args), 200)}`]
            if (failures.length > 0) throw new Failure([...failures, ...called], place)
          },
        )
      }
    },
  )
}
