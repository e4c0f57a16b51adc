import {arch, cpus, platform} from 'node:os'
import {parseArgs} from 'node:util'
import {benchActions} from './actions.ts'
import {benchLake} from './lake.ts'
import {type Run, tableText} from './report.ts'
import {benchService} from './service.ts'

/**
 * `npm run bench -- service --quick`. Without a name, runs all benchmarks, which takes ten minutes on two cores. Writes
 * Markdown, and exits with 1 if a limit was exceeded.
 */
const BENCHMARKS: {readonly [name: string]: (run: Run) => Promise<readonly string[]>} = {
  service: benchService,
  lake: benchLake,
  actions: benchActions,
}

const {values, positionals} = parseArgs({
  options: {quick: {type: 'boolean', default: false}},
  allowPositionals: true,
})
if (platform() !== 'linux')
  throw new Error('The benchmarks read the processor time from /proc, which only Linux has.')
await using cleanup = new AsyncDisposableStack()
console.log(`# Benchmark results

${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${platform()} ${arch()}, ${cpus().length} cores.`)
for (const name of positionals.length > 0 ? positionals : Object.keys(BENCHMARKS)) {
  console.log(`\n## The ${name}`)
  const show: Run['show'] = (table) => console.log(`\n${tableText(table)}`)
  const method = await BENCHMARKS[name]?.({quick: values.quick, cleanup, show})
  if (method === undefined) throw new Error(`"${name}" is not a benchmark.`)
  console.log(`\n${method.map((sentence) => `- ${sentence}`).join('\n')}`)
}
