import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {median} from '../median.ts'

/** Returns how many patterns match a path. */
export type Decide = (path: string) => number

type Entry = {name: string; decide: Decide; decisions: number; times: number[]}

/** Target duration of each contestant's turn in a round, in milliseconds. */
const ROUND = 20

/**
 * Measures the time of one decision by name, in microseconds: medians of alternating rounds.
 * @throws if the contestants disagree.
 */
export function inTurns(
  rounds: number,
  pathOf: (visit: number) => string,
  contestants: Readonly<Record<string, Decide>>,
): Record<string, number> {
  assertAgree(
    Object.values(contestants),
    Array.from({length: 20}, (_, visit) => pathOf(visit)),
  )
  let visit = 0
  const unseenPaths = (many: number) => Array.from({length: many}, () => unseen(pathOf(visit++)))
  const entries = Object.entries(contestants).map(([name, decide]): Entry => {
    return {name, decide, decisions: decisionsIn(ROUND, decide, unseenPaths), times: []}
  })
  for (let round = 0; round < rounds; round += 1) {
    for (const {decide, decisions, times} of entries) times.push(timeOf(decide, unseenPaths(decisions)))
  }
  return Object.fromEntries(entries.map(({name, times}) => [name, median(times)]))
}

/** Finds how many decisions take this many milliseconds. This also warms up. */
function decisionsIn(milliseconds: number, decide: Decide, unseenPaths: (many: number) => string[]): number {
  for (let decisions = 1; ; decisions *= 2) {
    const time = timeOf(decide, unseenPaths(decisions)) / 1_000
    if (time * decisions > milliseconds / 2) return Math.ceil(milliseconds / time)
  }
}

function assertAgree(decides: readonly Decide[], paths: readonly string[]): void {
  for (const path of paths) {
    const found = new Set(decides.map((decide) => decide(path)))
    if (found.size > 1) throw new Error(`${path}: ${[...found].join(' or ')} matches`)
  }
}

/** Returns the path as a new string, for which the engine has not cached anything, such as its hash. */
function unseen(path: string): string {
  return Buffer.from(path).toString()
}

/** Measures the time per path, in microseconds. */
function timeOf(decide: Decide, paths: readonly string[]): number {
  const started = performance.now()
  for (const path of paths) decide(path)
  return ((performance.now() - started) * 1_000) / paths.length
}

/**
 * Measures the time to create a value, in milliseconds, and by how many bytes the heap grows, including the
 * value's input.
 */
export function costOf<T>(
  rounds: number,
  many: number,
  prepare: () => T,
  make: (prepared: T) => unknown,
): {milliseconds: number; bytes: number} {
  const times: number[] = []
  const sizes: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const before = heapSize()
    const made = Array.from({length: many}, () => {
      const prepared = prepare()
      const started = performance.now()
      const one = make(prepared)
      times.push(performance.now() - started)
      return one
    })
    sizes.push((heapSize() - before) / made.length)
    made.length = 0
  }
  return {milliseconds: median(times), bytes: median(sizes)}
}

/** Returns the heap size in bytes after a garbage collection. */
function heapSize(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

// Node only exposes `gc` with a flag.
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
