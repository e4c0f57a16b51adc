import {compilePathPattern, type PathPattern} from '../../schemas/rules/pathPattern.ts'

/**
 * Answers which of many patterns match a path.
 * Literals are looked up, so that a decision costs one step for all of them and one for each glob.
 */
export class PathIndex {
  readonly #literals = new Map<string, number[]>()
  readonly #globs: {position: number; matches: (path: string) => boolean}[] = []

  /** @param patterns are known by their position in this list. */
  constructor(patterns: readonly PathPattern[]) {
    for (const [position, pattern] of patterns.entries()) {
      for (const literal of pattern.literals) {
        const positions = this.#literals.get(literal)
        if (positions) positions.push(position)
        else this.#literals.set(literal, [position])
      }
      if (pattern.globs.length > 0) {
        this.#globs.push({position, matches: compilePathPattern({...pattern, literals: []})})
      }
    }
  }

  /** The positions of the patterns that match a normalized path, ascending, each once. */
  match(path: string): number[] {
    const found = new Set(this.#literals.get(path))
    for (const {position, matches} of this.#globs) {
      if (!found.has(position) && matches(path)) found.add(position)
    }
    return [...found].sort((a, b) => a - b)
  }
}
