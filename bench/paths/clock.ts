import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {median} from '../median.ts'

/** Says how many patterns match a path. */
export type Decide = (path: string) => number

type Entry = {name: string; decide: Decide; decisions: number; times: number[]}

/** Milliseconds for which each decides in a round: as long as a busy machine lets it. */
const ROUND = 20

/** Microseconds of one decision, by name: medians of rounds in turns. An error where they do not agree. */
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

/** How many decisions take so many milliseconds. To find out warms up. */
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

/** The same path as a string of which the engine knows nothing yet, such as its hash. */
function unseen(path: string): string {
  return Buffer.from(path).toString()
}

/** Microseconds for one path. */
function timeOf(decide: Decide, paths: readonly string[]): number {
  const started = performance.now()
  for (const path of paths) decide(path)
  return ((performance.now() - started) * 1_000) / paths.length
}

/** Milliseconds to make one of these, and bytes for which it grows the heap, with what it is made from. */
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

/** Bytes, after what nobody needs is gone. */
function heapSize(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

// Node offers it behind a flag only.
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
