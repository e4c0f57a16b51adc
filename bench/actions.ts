import {brotliCompressSync, constants} from 'node:zlib'
import {buildLibrary} from '../actions/build/build.ts'
import {hasAction, servedScript} from '../actions/compile.ts'
import {TOOL_RECIPES} from '../schemas/recipes/recipes.ts'
import {median, type Run, within} from './report.ts'

const [TOOLS, ON_PAGE] = [2_000, 40]

/** Limit for the CPU time of all scripts, in milliseconds. */
const LIMIT = 300

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
  const config = JSON.stringify(scripts().slice(0, ON_PAGE))
  const bytes = [5, 11].map((quality) => {
    const params = {[constants.BROTLI_PARAM_QUALITY]: quality}
    return [`Brotli ${quality}`, brotliCompressSync(config, {params}).length] as const
  })
  const what = {CPU: `${TOOLS} tools`, bytes: `${ON_PAGE} tools on a page`}
  const own = median(cpu)
  show({
    title: 'Compiling tools without code',
    rows: [{what: what.CPU, 'CPU ms': own, ...within(own, LIMIT, ' ms')}],
  })
  const sizes = {'as they are': Buffer.byteLength(config), ...Object.fromEntries(bytes)}
  show({title: 'Bytes of their scripts in a config', rows: [{what: what.bytes, ...sizes}]})
  return [
    'The tools are those of Studio’s recipes, again and again. CPU ms: user time for all of them, the median of the rounds.',
  ]
}
