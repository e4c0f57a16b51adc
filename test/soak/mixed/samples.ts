import {readFile} from 'node:fs/promises'
import {fileURLToPath} from 'node:url'
import {median} from '../../../bench/median.ts'
import {recordOf} from '../../support/answers.ts'

/** Resource use of a process at a time: bytes, open files, and active handles of its event loop. */
export type Sample = {
  at: number
  /** Resident. */
  memory: number
  /** What is left after a garbage collection. */
  held: number | undefined
  files: number
  handles: number
}

/**
 * One of these over time, and whether it grew, if there are enough values. `first` and `last` are medians of
 * a fifth each; of what is held, the lowest values, because requests in an outage hold more for a while.
 */
export type Series = {
  name: string
  values: number[]
  first: number
  last: number
  hasGrown: boolean | undefined
}

const probe = fileURLToPath(new URL('./probe.ts', import.meta.url))

/** Tolerated growth after the warm-up: a fraction, plus noise. */
const GROWTH = 0.08
const ENOUGH = 10
const MEGABYTE = 2 ** 20
const noise = {memory: 8 * MEGABYTE, held: 3 * MEGABYTE, files: 8, handles: 8}

/**
 * V8 doubles the young generation whenever enough objects survive, up to 128 MB: a step that may come in the
 * first minute or in the twentieth. Here it is limited to a quarter of that, which it reaches soon.
 */
const SPACE_FOR_NEW = '--max-semi-space-size=16'

/**
 * By default, glibc has up to eight heaps per core for the threads of a process, each of which keeps what was freed.
 * The image of the service allows one, too.
 */
const HEAPS_OF_THREADS = '1'

/** The environment of a process that reports its resource use. */
export function sampled(
  file: string,
): Record<'NODE_OPTIONS' | 'MALLOC_ARENA_MAX' | 'SOAK_SAMPLES_FILE', string> {
  return {
    NODE_OPTIONS: `--import ${probe} ${SPACE_FOR_NEW}`,
    MALLOC_ARENA_MAX: HEAPS_OF_THREADS,
    SOAK_SAMPLES_FILE: file,
  }
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

/** Compares the beginning with the end. @param samples taken after the warm-up. */
export function seriesOf(samples: readonly Sample[]): Series[] {
  return (['memory', 'held', 'files', 'handles'] as const).map((name) => {
    const values = samples.map((sample) => sample[name]).filter((value) => value !== undefined)
    const fifth = Math.max(1, Math.floor(values.length / 5))
    const usual = name === 'held' ? (some: number[]) => Math.min(...some) : median
    const first = usual(values.slice(0, fifth))
    const last = usual(values.slice(-fifth))
    const hasGrown = values.length < ENOUGH ? undefined : last > first * (1 + GROWTH) + noise[name]
    return {name, values, first, last, hasGrown}
  })
}
