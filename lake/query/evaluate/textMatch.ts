import type {Budget} from '../budget.ts'
import {QueryError} from '../errors.ts'

/** Characters of a term that are compared. */
const MAX_TERM_LENGTH = 1_024
/** Characters of all patterns of one `match` that are compared, and in total. */
const MAX_COMPARED_LENGTH = 10_000
const MAX_PATTERN_LENGTH = 200_000
/** Maximum product of the lengths of a word and a term. */
const MAX_COMPARISONS = 2 ** 27
/** Estimated bytes of a word or term for each of its characters: most words are short. */
const BYTES_PER_CHARACTER = 16
/** Estimated bytes of a compiled regular expression. */
const EXPRESSION_BYTES = 1_000
/** Patterns that are cached for a query: most have one. */
const MAX_REMEMBERED = 8

/** A term of a pattern. */
type Term = {
  /** Whether a word matches. */
  readonly fits: (word: string) => boolean
  /** See {@link searchFor}. */
  readonly search: RegExp | undefined
}

/** The strings of a text or a list. `whole` is false if a list contains other values. */
function stringsOf(value: unknown): {readonly strings: readonly string[]; readonly whole: boolean} {
  if (typeof value === 'string') return {strings: [value], whole: true}
  if (!Array.isArray(value)) return {strings: [], whole: false}
  const strings = value.filter((item) => typeof item === 'string')
  return {strings, whole: strings.length === value.length}
}

/** A text, or a list of texts, that terms are searched in. */
class Searched {
  readonly #texts: readonly string[]
  readonly #budget: Budget
  #words: readonly string[] | undefined

  constructor(value: unknown, budget: Budget) {
    this.#budget = budget
    this.#texts = stringsOf(value).strings.map((text) => {
      budget.step(1 + (text.length >> 6))
      return withoutEdgeDots(text)
    })
  }

  /** How many words match a term, up to a number. */
  count({fits, search}: Term, most: number): number {
    let count = 0
    if (search === undefined) {
      this.#budget.step(this.#split().length)
      for (const word of this.#split()) if (count < most && fits(word)) count += 1
      return count
    }
    for (const text of this.#texts) {
      this.#budget.step(text.length >> 4)
      search.lastIndex = 0
      while (count < most && search.test(text)) count += 1
    }
    return count
  }

  #split(): readonly string[] {
    if (this.#words !== undefined) return this.#words
    const words: string[] = []
    for (const text of this.#texts) {
      this.#budget.take(BYTES_PER_CHARACTER * text.length)
      this.#budget.step(text.length >> 2)
      for (const word of wordsIn(text)) words.push(word)
    }
    this.#words = words
    return words
  }
}

/**
 * Compiles patterns of `match`, and caches those of one query: they are usually the same for all documents.
 */
export class Patterns {
  readonly #remembered = new Map<string, readonly Term[]>()

  /**
   * The terms of a pattern or of a list of patterns; undefined if a list contains other values.
   * @throws QueryError
   */
  termsOf(value: unknown, budget: Budget): readonly Term[] | undefined {
    const {strings, whole} = stringsOf(value)
    if (!whole) return undefined
    const length = strings.reduce((sum, text) => sum + text.length, 0)
    if (length > MAX_PATTERN_LENGTH)
      throw new QueryError(`match takes patterns of at most ${MAX_PATTERN_LENGTH} characters`)
    const key = strings.join('\n')
    let terms = this.#remembered.get(key)
    if (terms === undefined) {
      const mark = budget.mark
      budget.step(length >> 2)
      const texts = strings.flatMap(termsIn)
      const compared = texts.reduce((sum, text) => sum + Math.min(text.length, MAX_TERM_LENGTH) + 1, 0)
      if (compared > MAX_COMPARED_LENGTH)
        throw new QueryError(`match takes terms of at most ${MAX_COMPARED_LENGTH} characters together`)
      terms = texts.map((term) => compileTerm(term, budget))
      budget.keep(mark)
      if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear()
      this.#remembered.set(key, terms)
    }
    return terms
  }
}

/** GROQ's `match`: every term of the pattern matches a word of the text. */
export function matches(text: unknown, pattern: unknown, patterns: Patterns, budget: Budget): boolean {
  const searched = new Searched(text, budget)
  const terms = patterns.termsOf(pattern, budget)
  if (terms === undefined || terms.length === 0) return false
  return terms.every((term) => searched.count(term, 1) > 0)
}

/** The score of a `match`, as groq-js computes it. */
export function matchScore(text: unknown, pattern: unknown, patterns: Patterns, budget: Budget): number {
  const searched = new Searched(text, budget)
  const terms = patterns.termsOf(pattern, budget) ?? []
  return terms.reduce((score, term) => {
    const frequency = searched.count(term, Number.POSITIVE_INFINITY)
    return score + (frequency * 2.2) / (frequency + 1.2)
  }, 0)
}

/**
 * Compiles a term, in which `*` matches any text. The texts between stars are searched one after the other at
 * their first occurrence; one regular expression for all of them would backtrack.
 */
function compileTerm(pattern: string, budget: Budget): Term {
  const term = pattern.slice(0, MAX_TERM_LENGTH)
  const texts = term.split('*')
  budget.take(EXPRESSION_BYTES * texts.length + BYTES_PER_CHARACTER * term.length)
  const fits = texts.length === 1 ? wholeWord(term) : inOrder(texts)
  return {
    search: searchFor(term),
    fits: (word) => {
      const comparisons = word.length * term.length
      if (comparisons > MAX_COMPARISONS)
        throw new QueryError(
          `match cannot compare a word of ${word.length} characters with a pattern this long`,
        )
      budget.step(comparisons >> 6)
      return fits(word)
    },
  }
}

function wholeWord(term: string): Term['fits'] {
  const expression = new RegExp(`^${term}$`, 'i')
  return (word) => expression.test(word)
}

/**
 * Matches a word that starts with the first text, ends with the last, and has the others between, in this
 * order.
 */
function inOrder([start = '', ...others]: readonly string[]): Term['fits'] {
  const end = others.pop() ?? ''
  const first = new RegExp(`^${start}`, 'i')
  const last = new RegExp(`^${end}$`, 'i')
  const between = others.filter((text) => text !== '').map((text) => new RegExp(text, 'ig'))
  return (word) => {
    if (word.length < start.length + end.length || !first.test(word)) return false
    let at = start.length
    for (const expression of between) {
      expression.lastIndex = at
      if (!expression.test(word)) return false
      at = expression.lastIndex
    }
    const endsAt = word.length - end.length
    return at <= endsAt && last.test(word.slice(endsAt))
  }
}

// groq-js splits texts into words at these characters.
const NO_SEPARATOR = String.raw`[^!@#$%^&*(),\\/?";:{}|[\]+<>\s-]`
const WORDS = new RegExp(`${NO_SEPARATOR}+`, 'g')
const TERMS = /[^!@#$%^&(),\\/?";:{}|[\]+<>\s-]+/g
// The second part starts at the first dot of a run, so that the time is linear.
const DOTS = /(?<=\w)\.+|(?<!\.)\.+(?=\w)/g

/** The words of a text, as `match` compares them. */
function wordsIn(text: string): readonly string[] {
  return withoutEdgeDots(text).match(WORDS) ?? []
}

/** The terms of a pattern of `match`: words in which `*` stands for any text. */
function termsIn(pattern: string): readonly string[] {
  return withoutEdgeDots(pattern).match(TERMS) ?? []
}

/** Terms for which a text is searched as a whole. Others are long, or have stars inside or dots, which stand for any character. */
const PLAIN = /^[\p{L}\p{N}_]{1,32}\*?$/u

/** Finds each word of a text {@link withoutEdgeDots} that matches a term; undefined if each word has to be compared. */
function searchFor(term: string): RegExp | undefined {
  if (!PLAIN.test(term)) return undefined
  const start = term.replace('*', '')
  const end = term.endsWith('*') ? '' : `(?!${NO_SEPARATOR})`
  // First the text itself, which V8 finds fastest.
  return new RegExp(`${start}(?<!${NO_SEPARATOR}${start})${end}`, 'gi')
}

/** Removes runs of dots before or after a character of a word. */
function withoutEdgeDots(text: string): string {
  return text.includes('.') ? text.replace(DOTS, '') : text
}
