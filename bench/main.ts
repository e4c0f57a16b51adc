import {relative} from 'node:path'
import {parseArgs} from 'node:util'
import closeWithGrace from 'close-with-grace'
import {benchCheck} from './check/check.ts'
import {Cleanup} from './cleanup.ts'
import {benchCdn} from './http/cdn/cdn.ts'
import {benchHttp} from './http/http.ts'
import {benchLake} from './lake.ts'
import {benchPaths} from './paths/paths.ts'
import {benchProcesses} from './processes.ts'
import {type Summary, type Table, tableText} from './report.ts'
import {keepResults, machineText} from './results.ts'
import type {Run} from './run.ts'
import {benchVisible} from './visible.ts'

/**
 * `npm run bench -- http lake`, `npm run bench -- http --quick --only 304`. Without a name, runs all
 * benchmarks.
 */
const benchmarks: {readonly [name: string]: (run: Run) => Promise<Summary>} = {
  cdn: benchCdn,
  check: benchCheck,
  http: benchHttp,
  lake: benchLake,
  paths: benchPaths,
  processes: benchProcesses,
  visible: benchVisible,
}

/** Time for the processes to exit after a signal, in milliseconds. */
const CLOSE_DEADLINE = 10_000

async function main(cleanup: Cleanup): Promise<void> {
  const {values, positionals} = parseArgs({
    options: {quick: {type: 'boolean', default: false}, only: {type: 'string'}},
    allowPositionals: true,
  })
  const {quick, only} = values
  const names = positionals.length > 0 ? positionals : Object.keys(benchmarks)
  const unknown = names.find((name) => !Object.hasOwn(benchmarks, name))
  if (unknown !== undefined)
    throw new Error(`"${unknown}" is not a benchmark: choose from ${Object.keys(benchmarks).join(', ')}`)

  const wants = (title: string) => title.toLowerCase().includes(only?.toLowerCase() ?? '')
  for (const [name, benchmark] of Object.entries(benchmarks)) {
    if (!names.includes(name)) continue
    const tables: Table[] = []
    const show = (table: Table) => {
      tables.push(table)
      console.log(`\n${tableText(table)}`)
    }
    const summary = await benchmark({quick, wants, cleanup, show})
    await cleanup.run()
    if (tables.length === 0) {
      console.log(`\n${name}: no table has "${only}" in its title`)
      continue
    }
    const report = {...summary, date: new Date().toISOString().slice(0, 10), machine: machineText(), tables}
    const files = await keepResults(name, report, !quick && only === undefined)
    console.log(`\n${name}: results are in ${files.map((file) => relative('', file)).join(' and ')}`)
  }
}

const cleanup = new Cleanup()
let isTold = false
const grace = closeWithGrace({delay: CLOSE_DEADLINE, logger: false}, async ({err}) => {
  if (err) console.error(err)
  isTold = true
  await cleanup.run()
})
try {
  await main(cleanup)
} catch (error) {
  // After a signal, all processes exit, so errors are expected.
  if (!isTold) console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await cleanup.run()
  grace.uninstall()
}
