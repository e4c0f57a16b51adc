import type {Parsed} from './parsed.ts'
import {parseText} from './text.ts'

/** What a tool does, in words that an agent reads before it chooses. Browsers refuse a tool without one. */
export function parseDescription(value: unknown): Parsed<string> {
  return parseText(value, 'The description', 4000)
}
