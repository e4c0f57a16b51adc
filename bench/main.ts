import {arch, cpus, platform} from 'node:os'
import {parseArgs} from 'node:util'
import {brotliCompressSync} from 'node:zlib'
import {buildLibrary} from '../actions/build/build.ts'
import {hasAction, servedScript} from '../actions/compile.ts'
import {TOOL_RECIPES} from '../schemas/recipes/recipes.ts'
import {benchLake} from './lake.ts'
import {median, type Run, tableText, within} from './report.ts'
import {benchService} from './service.ts'

const [TOOLS, ON_PAGE] = [2_000, 40]
const LIMIT_MS = 300

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

/** Measures the scripts that are made of tools without code: what they cost the service, and their bytes on a page. */
async function benchActions({quick, show}: Run): Promise<readonly string[]> {
  const library = buildLibrary()
  const recipes = TOOL_RECIPES.map(({fields}) => fields).filter(hasAction)
  const scripts = () =>
    Array.from({length: TOOLS}, (_, at) => servedScript(recipes[at % recipes.length] ?? {}, library))
  const cpu = Array.from({length: quick ? 5 : 25}, () => {
    const before = process.cpuUsage()
    scripts()
    return process.cpuUsage(before).user / 1_000
  })
  const own = median(cpu)
  const compiled = {what: `compile ${TOOLS} tools`, 'CPU ms': own, ...within(own, LIMIT_MS, ' ms')}
  const config = JSON.stringify(scripts().slice(0, ON_PAGE))
  const sizes = {
    what: `the scripts of ${ON_PAGE} tools`,
    bytes: config.length,
    brotli: brotliCompressSync(config).length,
  }
  show({title: 'Tools without code', rows: [compiled, sizes]})
  return ['CPU ms: user time, the median of the rounds. The tools are those of Studio’s recipes, in turn.']
}
