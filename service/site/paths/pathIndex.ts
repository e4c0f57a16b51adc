import type {Glob} from '../../../schemas/rules/paths/glob.ts'
import type {PathPattern} from '../../../schemas/rules/paths/pathPattern.ts'
import type {TimeSlice} from '../timeSlice.ts'
import {SegmentTrie} from './segmentTrie.ts'

/** Positions of the patterns with a certain exact path or glob, ascending. */
type Positions = readonly number[]

const NONE: Positions = []

/** Most patterns belong to one tool: all sites share these lists. */
const SINGLE: readonly Positions[] = Array.from({length: 100}, (_, position) => [position])

/**
 * Finds the patterns that match a path. Exact paths are looked up, globs are searched by segment. Paths are
 * not cached, so made-up paths take no memory and no extra time.
 */
export class PathIndex {
  readonly #size: number
  readonly #literals: ReadonlyMap<string, Positions>
  readonly #globs: SegmentTrie<Positions>
  /** Approximate memory use. */
  readonly bytes: number

  /** @param patterns are identified by their position in this list. */
  constructor(patterns: readonly PathPattern[], globs = globsOf(patterns), trie = built(globs)) {
    this.#size = patterns.length
    this.#literals = positionsOf(patterns, ({literals}) => literals)
    this.#globs = trie
    this.bytes = bytesOf(this.#literals, globs)
  }

  /** Builds an index in time slices, so that a large one does not block requests. */
  static async build(patterns: readonly PathPattern[], work: TimeSlice): Promise<PathIndex> {
    const globs = globsOf(patterns)
    const building = SegmentTrie.build(globs)
    for (;;) {
      const {done, value} = building.next()
      if (done) return new PathIndex(patterns, globs, value)
      await work.yieldIfOver()
    }
  }

  /** Returns the positions of the patterns that match a normalized path, ascending and without duplicates. */
  match(path: string): Positions {
    const found = this.#globs.match(path)
    const literal = this.#literals.get(path)
    if (literal !== undefined) found.push(literal)
    return found.length <= 1 ? (found[0] ?? NONE) : union(found, this.#size)
  }
}

/** The globs without duplicates, each with the positions of its patterns. */
type Globs = readonly (readonly [Glob, Positions])[]

function globsOf(patterns: readonly PathPattern[]): Globs {
  const positions = positionsOf(patterns, ({globs}) => globs.map(({text}) => text))
  const globs = new Map(patterns.flatMap(({globs}) => globs.map((glob) => [glob.text, glob])))
  return Array.from(globs.values(), (glob) => [glob, positions.get(glob.text) ?? NONE])
}

/** Builds an index without interruption. */
function built(globs: Globs): SegmentTrie<Positions> {
  const building = SegmentTrie.build(globs)
  for (;;) {
    const {done, value} = building.next()
    if (done) return value
  }
}

/**
 * Measured memory use in bytes: of an exact path and of a glob, without their characters, and of a glob's
 * segment without and with a wildcard.
 */
const LITERAL_BYTES = 60
const GLOB_BYTES = 430
const SEGMENT_BYTES = 10
const WILD_SEGMENT_BYTES = 80

/** Patterns that several tools share are stored once. */
function bytesOf(literals: ReadonlyMap<string, unknown>, globs: Globs): number {
  let bytes = 0
  for (const literal of literals.keys()) bytes += LITERAL_BYTES + 2 * literal.length
  for (const [{text, head, tail = []}] of globs) {
    bytes += GLOB_BYTES + 2 * text.length
    for (const segments of [head, tail])
      for (const segment of segments)
        bytes += typeof segment === 'string' ? SEGMENT_BYTES : WILD_SEGMENT_BYTES
  }
  return bytes
}

function positionsOf(
  patterns: readonly PathPattern[],
  keysOf: (pattern: PathPattern) => readonly string[],
): ReadonlyMap<string, Positions> {
  const positions = new Map<string, Positions>()
  const several = new Map<string, number[]>()
  for (const [position, pattern] of patterns.entries()) {
    for (const key of keysOf(pattern)) {
      const known = positions.get(key)
      if (!known) positions.set(key, SINGLE[position] ?? [position])
      else if (known.length === 1) {
        several.set(key, [...known, position])
        positions.set(key, several.get(key) ?? NONE)
      } else several.get(key)?.push(position)
    }
  }
  // Copied, because `push` reserves more than it needs.
  for (const [key, list] of several) positions.set(key, list.slice())
  return positions
}

/**
 * Returns the numbers below `limit` that are in any of the lists, ascending. Sorting many of them would take
 * milliseconds.
 */
function union(lists: readonly Positions[], limit: number): Positions {
  const all = lists.flat()
  if (all.length < 32) return [...new Set(all)].sort((a, b) => a - b)
  const present = new Uint8Array(limit)
  for (const number of all) present[number] = 1
  const ascending: number[] = []
  for (const [number, is] of present.entries()) if (is === 1) ascending.push(number)
  return ascending
}
