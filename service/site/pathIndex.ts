import type {PathPattern} from '../../schemas/rules/pathPattern.ts'
import {SegmentTrie} from './segmentTrie.ts'

/** Where the patterns stand that have a certain exact path, or a certain glob: ascending. */
type Positions = readonly number[]

const NONE: Positions = []

/**
 * Answers which of many patterns match a path: exact paths are looked up, globs are found by their segments.
 * No path is remembered, so visitors who make paths up fill nothing and are no slower to answer.
 */
export class PathIndex {
  readonly #size: number
  readonly #literals: ReadonlyMap<string, Positions>
  readonly #globs: SegmentTrie<Positions> | undefined

  /** @param patterns are known by their position in this list. */
  constructor(patterns: readonly PathPattern[]) {
    this.#size = patterns.length
    this.#literals = positionsOf(patterns, ({literals}) => literals)
    const globs = positionsOf(patterns, ({globs}) => globs)
    this.#globs = globs.size > 0 ? new SegmentTrie(globs) : undefined
  }

  /** The positions of the patterns that match a normalized path, ascending, each once. */
  match(path: string): Positions {
    const found = this.#globs?.match(path) ?? []
    const literal = this.#literals.get(path)
    if (literal !== undefined) found.push(literal)
    return found.length <= 1 ? (found[0] ?? NONE) : union(found, this.#size)
  }
}

function positionsOf(
  patterns: readonly PathPattern[],
  keysOf: (pattern: PathPattern) => readonly string[],
): ReadonlyMap<string, Positions> {
  const positions = new Map<string, number[]>()
  for (const [position, pattern] of patterns.entries()) {
    for (const key of keysOf(pattern)) {
      const known = positions.get(key)
      if (known) known.push(position)
      else positions.set(key, [position])
    }
  }
  return positions
}

/** The numbers below `limit` that are in any of the lists. Where there are many, to sort them would take milliseconds. */
function union(lists: readonly Positions[], limit: number): Positions {
  const all = lists.flat()
  if (all.length < 32) return [...new Set(all)].sort((a, b) => a - b)
  const present = new Uint8Array(limit)
  for (const number of all) present[number] = 1
  const ascending: number[] = []
  for (const [number, is] of present.entries()) if (is === 1) ascending.push(number)
  return ascending
}
