import {parseArgs} from 'node:util'
import closeWithGrace from 'close-with-grace'
import {Cleanup} from './cleanup.ts'
import {benchHttp} from './http/http.ts'
import {benchLake} from './lake.ts'
import type {Run} from './run.ts'

/** `npm run bench -- http lake --quick --only 304`; without a name, all of them. */
const benchmarks: {readonly [name: string]: (run: Run) => Promise<unknown>} = {
  http: benchHttp,
  lake: benchLake,
}

/** Milliseconds for the processes to end after a signal. */
const CLOSE_DEADLINE = 10_000

async function main(cleanup: Cleanup): Promise<void> {
  const {values, positionals} = parseArgs({
    options: {quick: {type: 'boolean', default: false}, only: {type: 'string'}},
    allowPositionals: true,
  })
  const names = positionals.length > 0 ? positionals : Object.keys(benchmarks)
  for (const name of names) {
    const benchmark = benchmarks[name]
    if (benchmark === undefined)
      throw new Error(`"${name}" is no benchmark: there are ${Object.keys(benchmarks).join(', ')}`)
    await benchmark({quick: values.quick, only: values.only, cleanup})
    await cleanup.run()
  }
}

const cleanup = new Cleanup()
const grace = closeWithGrace({delay: CLOSE_DEADLINE, logger: false}, () => cleanup.run())
try {
  await main(cleanup)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await cleanup.run()
  grace.uninstall()
}
