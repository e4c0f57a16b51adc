import {readFile} from 'node:fs/promises'
import {fileURLToPath} from 'node:url'
import {median} from '../../../bench/median.ts'
import {recordOf} from '../../support/answers.ts'

/** What a process held at a moment: bytes, open files, and what keeps its event loop busy. */
export type Sample = {at: number; memory: number; held: number | undefined; files: number; handles: number}

/** One of these over time, and whether it grew: too few values do not tell. `first` and `last` are medians of a fifth each. */
export type Series = {
  name: string
  values: number[]
  first: number
  last: number
  hasGrown: boolean | undefined
}

const probe = fileURLToPath(new URL('./probe.ts', import.meta.url))

/** What may be more at the end than after the warm-up: a part of it, and noise. */
const GROWTH = 0.08
const ENOUGH = 10
const MEGABYTE = 2 ** 20
const noise = {memory: 8 * MEGABYTE, held: 3 * MEGABYTE, files: 8, handles: 8}

/**
 * V8 doubles the space for new objects whenever enough of them live for a while, up to 128 MB: a step of the memory that may
 * come in the first minute or in the twentieth. Here it may have a quarter of that, and has it soon.
 */
const SPACE_FOR_NEW = '--max-semi-space-size=16'

/** The environment of a process that is to tell what it holds. */
export function sampled(file: string): {NODE_OPTIONS: string; SOAK_SAMPLES_FILE: string} {
  return {NODE_OPTIONS: `--import ${probe} ${SPACE_FOR_NEW}`, SOAK_SAMPLES_FILE: file}
}

export async function samplesIn(file: string): Promise<Sample[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const {at, memory, held, files, handles} = recordOf(JSON.parse(line))
      return {
        at: Number(at),
        memory: Number(memory),
        held: held === undefined ? undefined : Number(held),
        files: Number(files),
        handles: Number(handles),
      }
    })
}

/** Compares the beginning with the end. @param samples those after the warm-up. */
export function seriesOf(samples: readonly Sample[]): Series[] {
  return (['memory', 'held', 'files', 'handles'] as const).map((name) => {
    const values = samples.map((sample) => sample[name]).filter((value) => value !== undefined)
    const fifth = Math.max(1, Math.floor(values.length / 5))
    const first = median(values.slice(0, fifth))
    const last = median(values.slice(-fifth))
    const hasGrown = values.length < ENOUGH ? undefined : last > first * (1 + GROWTH) + noise[name]
    return {name, values, first, last, hasGrown}
  })
}
