import type {Glob, Segment} from '../../schemas/rules/paths/glob.ts'
import {compileGlob} from '../../schemas/rules/paths/matchPath.ts'
import type {PathPattern} from '../../schemas/rules/paths/pathPattern.ts'

/** Positions of the patterns with a certain exact path or glob, ascending. */
type Positions = readonly number[]

type Candidate = {readonly matches: (path: string) => boolean; readonly positions: Positions}

/**
 * Finds the patterns that match a path. Exact paths are looked up; of the globs, those are tried whose segments before the first
 * wildcard the path has. Paths are not cached, so made-up paths take no memory and no extra time.
 */
export class PathIndex {
  readonly #literals: ReadonlyMap<string, Positions>
  /** By their segments before the first wildcard. */
  readonly #globs: ReadonlyMap<string, readonly Candidate[]>
  /** The most of these segments. */
  readonly #depth: number
  /** Approximate memory use. */
  readonly bytes: number

  /** @param patterns are identified by their position in this list. */
  constructor(patterns: readonly PathPattern[]) {
    this.#literals = positionsOf(patterns, ({literals}) => literals)
    const positions = positionsOf(patterns, ({globs}) => globs.map(({text}) => text))
    // Patterns that several tools share are stored once.
    const globs = [
      ...new Map(patterns.flatMap((pattern) => pattern.globs.map((glob) => [glob.text, glob]))).values(),
    ]
    const groups = Map.groupBy(globs, (glob) =>
      beginningOf(glob)
        .map((segment) => `/${segment}`)
        .join(''),
    )
    const candidateOf = (glob: Glob) => ({
      matches: compileGlob(glob),
      positions: positions.get(glob.text) ?? [],
    })
    this.#globs = new Map(Array.from(groups, ([beginning, group]) => [beginning, group.map(candidateOf)]))
    this.#depth = globs.reduce((most, glob) => Math.max(most, beginningOf(glob).length), 0)
    this.bytes = bytesOf(this.#literals, globs)
  }

  /** Returns the positions of the patterns that match a normalized path, ascending and without duplicates. */
  match(path: string): Positions {
    const found: Positions[] = []
    const literal = this.#literals.get(path)
    if (literal !== undefined) found.push(literal)
    for (let depth = 0, end = 0; depth <= this.#depth; depth += 1) {
      for (const {matches, positions} of this.#globs.get(path.slice(0, end)) ?? [])
        if (matches(path)) found.push(positions)
      if (end === path.length) break
      const slash = path.indexOf('/', end + 1)
      end = slash < 0 ? path.length : slash
    }
    return found.length === 1 ? (found[0] ?? []) : [...new Set(found.flat())].sort((a, b) => a - b)
  }
}

/** The segments of a glob before the first one with a wildcard. */
function beginningOf({head}: Glob): readonly Segment[] {
  const wild = head.findIndex((segment) => typeof segment !== 'string')
  return wild < 0 ? head : head.slice(0, wild)
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

/**
 * Measured memory use in bytes: of an exact path and of a glob, without their characters, and of a glob's
 * segment without and with a wildcard.
 */
const LITERAL_BYTES = 100
const GLOB_BYTES = 430
const SEGMENT_BYTES = 10
const WILD_SEGMENT_BYTES = 80

function bytesOf(literals: ReadonlyMap<string, unknown>, globs: readonly Glob[]): number {
  let bytes = 0
  for (const literal of literals.keys()) bytes += LITERAL_BYTES + 2 * literal.length
  for (const {text, head, tail = []} of globs) {
    bytes += GLOB_BYTES + 2 * text.length
    for (const segment of [...head, ...tail])
      bytes += typeof segment === 'string' ? SEGMENT_BYTES : WILD_SEGMENT_BYTES
  }
  return bytes
}
