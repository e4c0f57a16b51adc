import {accept, type Parsed, refuse} from '../parsed.ts'

/**
 * A larger number would be a list of pages, better kept as several tools, and would slow down every page
 * view.
 */
const MOST_ALTERNATIVES = 64

/**
 * Expands `{a,b}` into its alternatives, without duplicates: `/{a,b}/c` → `/a/c`, `/b/c`.
 * Stops at the first one too many, so that refusing `{a,b}{a,b}{a,b}…` is cheap.
 */
export function expandBraces(pattern: string): Parsed<string[]> {
  const problem = problemOfBraces(pattern)
  if (problem !== undefined) return refuse(problem)
  const paths: string[] = []
  for (const path of expand(pattern)) {
    if (paths.push(path) > MOST_ALTERNATIVES)
      return refuse(
        `The braces expand to more than ${MOST_ALTERNATIVES} paths: use fewer alternatives, or a wildcard.`,
      )
  }
  return accept([...new Set(paths)])
}

/** Takes the innermost braces away one after the other: what is left has no partner. */
function problemOfBraces(pattern: string): string | undefined {
  let rest = pattern
  for (;;) {
    const [group, inside = ''] = /\{([^{}]*)\}/.exec(rest) ?? []
    if (group === undefined) break
    if (inside.includes('..'))
      return 'Ranges such as "{1..3}" are not supported: list the alternatives, as in "{1,2,3}".'
    if (!inside.includes(','))
      return 'Braces need a comma between alternatives, as in "{a,b}": add one, or remove the braces.'
    rest = rest.replace(group, '_')
  }
  if (rest.includes('{')) return 'There is a "{" without a "}": add the missing one, or remove this one.'
  if (rest.includes('}')) return 'There is a "}" without a "{": add the missing one, or remove this one.'
  return undefined
}

/** The alternatives, with those of its first braces expanded first. */
function* expand(pattern: string): Generator<string> {
  /** The first braces, and the commas between their alternatives. */
  const marks: number[] = []
  let depth = 0
  for (const {0: mark, index} of pattern.matchAll(/[{},]/g)) {
    if (mark === '{') depth += 1
    if (depth === 1) marks.push(index)
    if (mark === '}') depth -= 1
    if (mark === '}' && depth === 0) break
  }
  const [start] = marks
  if (start === undefined) yield pattern
  for (const [at, end] of marks.slice(1).entries()) {
    const alternative = pattern.slice((marks[at] ?? 0) + 1, end)
    yield* expand(pattern.slice(0, start) + alternative + pattern.slice((marks.at(-1) ?? 0) + 1))
  }
}
