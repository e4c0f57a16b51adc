import {accept, type Parsed, refuse} from './parsed.ts'

/** A text that is not blank and has at most `longest` characters; `what` names it in problems. */
export function parseText(value: unknown, what: string, longest: number): Parsed<string> {
  if (value === undefined || value === null) return refuse(`${what} is missing.`)
  if (typeof value !== 'string') return refuse(`${what} must be text.`)
  if (value.trim() === '') return refuse(`${what} is empty.`)
  if (value.length > longest) {
    return refuse(`${what} has ${count(value.length)} characters: shorten it to ${count(longest)} or fewer.`)
  }
  return accept(value)
}

/** A character as shown to a person: invisible ones by name or number. */
export function showCharacter(character: string): string {
  if (character === ' ') return 'a space'
  if (character === '\t') return 'a tab'
  if (character === '\n' || character === '\r') return 'a line break'
  if (character === '"') return 'a quotation mark (")'
  if (/[\p{C}\p{Z}\p{M}]/u.test(character)) {
    return `the invisible character U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  }
  return `"${character}"`
}

/** What to do about code that was copied from a chat, a web page or a word processor. */
export function remedyForPasted(text: string, offset: number): string | undefined {
  if (/^\s*```/.test(text)) return 'remove the lines with ```'
  if (/^\s*<script/i.test(text)) return 'remove the <script> tags'
  if (/^[“”„‟«»‘’‚]/.test(text.slice(offset))) return 'type straight quotation marks instead of curly ones'
  return undefined
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}

/** The position of an offset in a text: line and column, counted from 1. */
export function describePosition(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|[\n\r]/)
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

/**
 * The offset of the position that {@link describePosition} put into a problem; undefined if there is none.
 */
export function offsetNamed(problem: string, text: string): number | undefined {
  const [, line, column] = /\bline (\d+), column (\d+)/.exec(problem) ?? []
  if (line === undefined || column === undefined) return undefined
  const breaks = [...text.matchAll(/\r\n|[\n\r]/g)].map((found) => found.index + found[0].length)
  const start = line === '1' ? 0 : (breaks[Number(line) - 2] ?? text.length)
  return Math.min(start + Number(column) - 1, text.length)
}

/** A field's text; empty if the field has none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
