import {arch, cpus, platform} from 'node:os'
import {parseArgs} from 'node:util'
import closeWithGrace from 'close-with-grace'
import {benchLake} from './lake.ts'
import {exceededIn, type Run, sectionText, type Table, tableText} from './report.ts'
import {benchService} from './service.ts'

/**
 * `npm run bench -- service --quick`. Without a name, runs all benchmarks, which takes ten minutes on two cores. Writes Markdown to
 * its output, progress to its error output, and exits with 1 if a limit was exceeded.
 */
const benchmarks: {
  readonly [name: string]: (run: Run) => Promise<{title: string; method: readonly string[]}>
} = {
  service: benchService,
  lake: benchLake,
}

/** Time for the processes to exit after a signal, in milliseconds. */
const CLOSE_DEADLINE = 10_000

/** What ends with the benchmark that runs. */
let cleanup = new AsyncDisposableStack()

async function main(): Promise<void> {
  const {values, positionals} = parseArgs({
    options: {quick: {type: 'boolean', default: false}},
    allowPositionals: true,
  })
  if (platform() !== 'linux')
    throw new Error('The benchmarks read the processor time of processes from /proc, which only Linux has')
  const unknown = positionals.find((name) => !Object.hasOwn(benchmarks, name))
  if (unknown !== undefined)
    throw new Error(`"${unknown}" is not a benchmark: choose from ${Object.keys(benchmarks).join(', ')}`)

  const exceeded: string[] = []
  console.log(`# Benchmark results\n\n${new Date().toISOString().slice(0, 10)}, ${machineText()}.`)
  for (const [name, benchmark] of Object.entries(benchmarks)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const tables: Table[] = []
    const show = (table: Table) => {
      tables.push(table)
      exceeded.push(...exceededIn(table))
      console.error(`\n${tableText(table)}`)
    }
    const {title, method} = await benchmark({quick: values.quick, cleanup, show})
    await cleanup.disposeAsync()
    cleanup = new AsyncDisposableStack()
    console.log(`\n${sectionText({title, method, tables})}`)
  }
  for (const text of exceeded) console.error(`exceeded: ${text}`)
  if (exceeded.length > 0) process.exitCode = 1
}

/** Describes the machine, as far as it affects the figures. */
function machineText(): string {
  const cores = cpus().length
  // Virtual machines may not report their clock speed.
  const gigahertz = (cpus()[0]?.speed ?? 0) / 1_000
  const speed = gigahertz > 0 ? ` of ${gigahertz.toFixed(1)} GHz` : ''
  return `Node ${process.versions.node}, ${platform()} ${arch()}, ${cores} ${cores === 1 ? 'core' : 'cores'}${speed}`
}

let isTold = false
const grace = closeWithGrace({delay: CLOSE_DEADLINE, logger: false}, async ({err}) => {
  if (err) console.error(err)
  isTold = true
  await cleanup.disposeAsync()
})
try {
  await main()
} catch (error) {
  // After a signal, all processes exit, so errors are expected.
  if (!isTold) console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await cleanup.disposeAsync()
  grace.uninstall()
}
