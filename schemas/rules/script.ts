import type {Parsed} from './parsed.ts'
import {parseText} from './text.ts'

export function parseScript(value: unknown): Parsed<string> {
  return parseText(value, 'The script', 100_000)
}
