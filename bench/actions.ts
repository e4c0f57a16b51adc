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
  const brotli = (quality: number) =>
    brotliCompressSync(config, {params: {[constants.BROTLI_PARAM_QUALITY]: quality}}).length
  const own = median(cpu)
  const compiled = {what: `${TOOLS} tools`, 'CPU ms': own, ...within(own, LIMIT, ' ms')}
  show({title: 'Compiling tools without code', rows: [compiled]})
  const sizes = {bytes: Buffer.byteLength(config), 'Brotli 5': brotli(5), 'Brotli 11': brotli(11)}
  show({title: `The scripts of ${ON_PAGE} tools in a config`, rows: [sizes]})
  return [
    'The tools are those of Studio’s recipes, again and again. CPU ms: user time for all of them, the median of the rounds.',
  ]
}
