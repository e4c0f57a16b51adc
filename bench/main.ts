import {arch, cpus, platform} from 'node:os'
import {parseArgs} from 'node:util'
import {benchLake} from './lake.ts'
import {exceededIn, type Run, tableText} from './report.ts'
import {benchService} from './service.ts'

/**
 * `npm run bench -- service --quick`. Without a name, runs all benchmarks, which takes ten minutes on two cores. Writes Markdown to
 * its output, progress to its error output, and exits with 1 if a limit was exceeded.
 */
const BENCHMARKS: {readonly [name: string]: (run: Run) => Promise<readonly string[]>} = {
  service: benchService,
  lake: benchLake,
}

const {values, positionals} = parseArgs({
  options: {quick: {type: 'boolean', default: false}},
  allowPositionals: true,
})
const unknown = positionals.find((name) => !Object.hasOwn(BENCHMARKS, name))
if (platform() !== 'linux' || unknown !== undefined) {
  console.error(
    unknown === undefined
      ? 'The benchmarks read the processor time of processes from /proc, which only Linux has.'
      : `"${unknown}" is not a benchmark: choose from ${Object.keys(BENCHMARKS).join(', ')}.`,
  )
  process.exit(1)
}
await using cleanup = new AsyncDisposableStack()
// The servers end with this process, which also a signal has to end in order.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void cleanup.disposeAsync().finally(() => process.exit(1)))

console.log(`# Benchmark results

${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${platform()} ${arch()}, ${cpus().length} cores.`)
for (const [name, benchmark] of Object.entries(BENCHMARKS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const texts: string[] = []
  const show: Run['show'] = (table) => {
    texts.push(tableText(table))
    console.error(`\n${texts.at(-1)}`)
    for (const exceeded of exceededIn(table)) {
      process.exitCode = 1
      console.error(`exceeded: ${exceeded}`)
    }
  }
  const method = await benchmark({quick: values.quick, cleanup, show})
  console.log(
    [`\n## The ${name}`, method.map((sentence) => `- ${sentence}`).join('\n'), ...texts].join('\n\n'),
  )
}
