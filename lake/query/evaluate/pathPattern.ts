import {Path} from 'groq-js'
import {LRUCache} from 'lru-cache'
import type {Budget} from '../budget.ts'
import {QueryError} from '../errors.ts'

/** Maximum length of a pattern of document ids, and of a text that is compared with one. */
const MAX_LENGTH = 1_000
/** Maximum wildcards of a pattern. Regular expressions backtrack: two take the square of a text's length. */
const MAX_WILDCARDS = 2

/** A query makes its pattern for each document. */
const paths = new LRUCache<string, Path>({max: 100})

/** A pattern of document ids, from `path("drafts.**")`: `*` matches a segment, `**` any text. */
export class PathPattern {
  readonly pattern: string
  readonly #path: Path

  /** @throws QueryError */
  constructor(pattern: string) {
    this.pattern = pattern
    this.#path = paths.get(pattern) ?? pathOf(pattern)
  }

  /** @throws QueryError for a text that is too long to be an id */
  matches(text: string, budget: Budget): boolean {
    if (text.length > MAX_LENGTH)
      throw new QueryError(`path() matches texts of at most ${MAX_LENGTH} characters`)
    budget.step(1 + ((text.length * text.length) >> 4))
    return this.#path.matches(text)
  }

  toJSON(): string {
    return this.pattern
  }
}

function pathOf(pattern: string): Path {
  if (pattern.length > MAX_LENGTH)
    throw new QueryError(`path() takes a pattern of at most ${MAX_LENGTH} characters`)
  if (pattern.split('.').filter((part) => part === '*' || part === '**').length > MAX_WILDCARDS)
    throw new QueryError(`path() takes a pattern with at most ${MAX_WILDCARDS} wildcards`)
  const path = new Path(pattern)
  paths.set(pattern, path)
  return path
}
