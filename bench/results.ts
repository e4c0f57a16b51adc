import {mkdir, readFile, writeFile} from 'node:fs/promises'
import {arch, availableParallelism, cpus, platform} from 'node:os'
import {fileURLToPath} from 'node:url'
import {type Report, withSection} from './report.ts'

/** The last complete run of each benchmark. This file is committed. */
const RESULTS = fileURLToPath(new URL('./RESULTS.md', import.meta.url))

const HEAD = `# Benchmark results
Written by \`npm run bench\`: the last complete run of each benchmark. Ratios within one run say more than times, which
depend on the machine and the day.`

/** Every run as JSON, complete or not, for programs. */
const DATA = fileURLToPath(new URL('../.handrail/bench/', import.meta.url))

/**
 * Saves the results of a benchmark as JSON, and those of a complete run in RESULTS.md too.
 * @returns the paths of the files.
 */
export async function keepResults(name: string, report: Report, isWhole: boolean): Promise<string[]> {
  const data = `${DATA}${name}.json`
  await mkdir(DATA, {recursive: true})
  await writeFile(data, `${JSON.stringify(report, null, 2)}\n`)
  if (!isWhole) return [data]
  const before = await readFile(RESULTS, 'utf8').catch(() => HEAD)
  await writeFile(RESULTS, withSection(before, report))
  return [data, RESULTS]
}

/** Describes the machine, as far as it affects the figures. */
export function machineText(): string {
  const cores = availableParallelism()
  // Virtual machines may not report their clock speed.
  const gigahertz = (cpus()[0]?.speed ?? 0) / 1_000
  const speed = gigahertz > 0 ? ` of ${gigahertz.toFixed(1)} GHz` : ''
  return `Node ${process.versions.node}, ${platform()} ${arch()}, ${cores} ${cores === 1 ? 'core' : 'cores'}${speed}`
}
