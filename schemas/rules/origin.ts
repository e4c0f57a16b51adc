import {accept, type Parsed, refuse} from './parsed.ts'
import {parseText} from './text.ts'

export function parseOrigin(value: unknown): Parsed<string> {
  return parseText(value, 'The origin', 2048)
}

export function parseOrigins(value: unknown): Parsed<string[]> {
  if (value === undefined || value === null) return accept([])
  return refuse('Not written yet.')
}
