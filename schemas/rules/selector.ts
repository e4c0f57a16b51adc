import type {Parsed} from './parsed.ts'
import {parseText} from './text.ts'

export function parseSelector(value: unknown): Parsed<string> {
  return parseText(value, 'The selector', 1000)
}
