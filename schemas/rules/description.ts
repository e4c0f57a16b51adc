import type {Parsed} from './parsed.ts'
import {parseText} from './text.ts'

/**
 * A tool's description, which an agent reads before it chooses a tool. Browsers refuse a tool without one.
 */
export function parseDescription(value: unknown): Parsed<string> {
  return parseText(value, 'The description', 4000)
}
