import type {Budget} from '../budget.ts'
import {QueryError} from '../errors.ts'

/** Maximum length of a pattern of document ids. */
const MAX_PATTERN_LENGTH = 1_000

type Token = {readonly kind: 'text'; readonly text: string} | {readonly kind: 'any' | 'one' | 'segment'}

/**
 * A pattern of document ids, from `path("drafts.**")`: `*` matches a segment, `**` any text. Matching takes
 * time proportional to the lengths of pattern and text; regular expressions would backtrack.
 */
export class PathPattern {
  readonly pattern: string
  readonly #tokens: readonly Token[]

  /** @throws QueryError */
  constructor(pattern: string) {
    if (pattern.length > MAX_PATTERN_LENGTH)
      throw new QueryError(`path() takes a pattern of at most ${MAX_PATTERN_LENGTH} characters`)
    this.pattern = pattern
    this.#tokens = pattern.split('.').flatMap((part, index): Token[] => {
      const token: Token =
        part === '*' ? {kind: 'segment'} : part === '**' ? {kind: 'any'} : {kind: 'text', text: part}
      // groq-js lets the dot between two parts match every character; the same documents must match here.
      return index === 0 ? [token] : [{kind: 'one'}, token]
    })
  }

  matches(text: string, budget: Budget): boolean {
    // The offsets up to which the text can be matched so far.
    let offsets = new Set([0])
    for (const token of this.#tokens) {
      budget.step(1 + offsets.size)
      budget.step(token.kind === 'any' || token.kind === 'segment' ? text.length : 0)
      offsets = advance(token, text, offsets)
    }
    return offsets.has(text.length)
  }

  toJSON(): string {
    return this.pattern
  }
}

function advance(token: Token, text: string, offsets: ReadonlySet<number>): Set<number> {
  const next = new Set<number>()
  if (token.kind === 'text') {
    for (const at of offsets) if (text.startsWith(token.text, at)) next.add(at + token.text.length)
    return next
  }
  if (token.kind === 'one') {
    for (const at of offsets) if (at < text.length && !isLineBreak(text, at)) next.add(at + 1)
    return next
  }
  // Whether a run of characters that began at one of the offsets continues.
  let runs = false
  for (let at = 0; at <= text.length; at += 1) {
    if (token.kind === 'segment' && runs) next.add(at)
    runs ||= offsets.has(at)
    if (token.kind === 'any' && runs) next.add(at)
    runs &&= token.kind === 'any' ? !isLineBreak(text, at) : text[at] !== '.'
  }
  return next
}

function isLineBreak(text: string, at: number): boolean {
  const character = text[at]
  return character === '\n' || character === '\r' || character === '\u2028' || character === '\u2029'
}
