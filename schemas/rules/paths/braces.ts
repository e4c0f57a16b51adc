import {accept, type Parsed, refuse} from '../parsed.ts'

/**
 * A larger number would be a list of pages, better kept as several tools, and would slow down every page
 * view.
 */
const MOST_ALTERNATIVES = 64

/** A text, or the choice between several sequences of such parts. */
type Part = string | Part[][]

/**
 * Expands `{a,b}` into its alternatives, without duplicates: `/{a,b}/c` → `/a/c`, `/b/c`.
 * Counts them before it expands them, so that refusing `{a,b}{a,b}{a,b}…` is cheap.
 */
export function expandBraces(pattern: string): Parsed<string[]> {
  if (!/[{}]/.test(pattern)) return accept([pattern])
  const parsed = parseSequence([...tokensOf(pattern)], 0)
  if (!parsed.ok) return parsed
  if (countOf(parsed.value.parts) > MOST_ALTERNATIVES) {
    return refuse(
      `The braces expand to more than ${MOST_ALTERNATIVES} paths: use fewer alternatives, or a wildcard.`,
    )
  }
  return accept([...new Set(expand(parsed.value.parts))])
}

function tokensOf(pattern: string): string[] {
  return pattern.match(/[{},]|[^{},]+/g) ?? []
}

type Sequence = {readonly parts: Part[]; readonly next: number}

function parseSequence(tokens: string[], start: number, depth = 0): Parsed<Sequence> {
  const parts: Part[] = []
  let next = start
  while (next < tokens.length) {
    const token = tokens[next] ?? ''
    if (depth > 0 && (token === ',' || token === '}')) break
    if (token === '}') return refuse('There is a "}" without a "{": add the missing one, or remove this one.')
    if (token !== '{') {
      parts.push(token)
      next += 1
      continue
    }
    const choice = parseChoice(tokens, next + 1, depth + 1)
    if (!choice.ok) return choice
    parts.push(choice.value.choice)
    next = choice.value.next
  }
  return accept({parts, next})
}

function parseChoice(
  tokens: string[],
  start: number,
  depth: number,
): Parsed<{readonly choice: Part[][]; readonly next: number}> {
  const choice: Part[][] = []
  let next = start
  for (;;) {
    const alternative = parseSequence(tokens, next, depth)
    if (!alternative.ok) return alternative
    choice.push(alternative.value.parts)
    next = alternative.value.next + 1
    const end = tokens[alternative.value.next]
    if (end === undefined)
      return refuse('There is a "{" without a "}": add the missing one, or remove this one.')
    if (end === '}') break
  }
  if (choice.flat().some((part) => typeof part === 'string' && part.includes('..'))) {
    return refuse('Ranges such as "{1..3}" are not supported: list the alternatives, as in "{1,2,3}".')
  }
  if (choice.length > 1) return accept({choice, next})
  return refuse('Braces need a comma between alternatives, as in "{a,b}": add one, or remove the braces.')
}

function countOf(parts: Part[]): number {
  return parts.reduce((product, part) => {
    if (typeof part === 'string') return product
    const sum = part.reduce((total, alternative) => total + countOf(alternative), 0)
    return Math.min(product * sum, MOST_ALTERNATIVES + 1)
  }, 1)
}

function expand(parts: Part[]): string[] {
  return parts.reduce<string[]>(
    (heads, part) => {
      const tails = typeof part === 'string' ? [part] : part.flatMap(expand)
      return heads.flatMap((head) => tails.map((tail) => head + tail))
    },
    [''],
  )
}
