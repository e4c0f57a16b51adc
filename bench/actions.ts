import {brotliCompressSync} from 'node:zlib'
import {buildLibrary} from '../actions/build/build.ts'
import {hasAction, servedScript} from '../actions/compile.ts'
import {TOOL_RECIPES} from '../schemas/recipes/recipes.ts'
import {median, type Run, within} from './report.ts'

const [TOOLS, ON_PAGE] = [2_000, 40]
const LIMIT_MS = 300

/** Measures the scripts that are made of tools without code: what they cost the service, and their bytes on a page. */
export async function benchActions({quick, show}: Run): Promise<readonly string[]> {
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
