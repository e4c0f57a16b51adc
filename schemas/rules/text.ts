import {accept, type Parsed, refuse} from './parsed.ts'

/** A part of a value, in words. */
export type Row = {
  /** What it is; empty: all of the field. */
  readonly title: string
  /** The name in it, such as that of a parameter. */
  readonly part?: string
  readonly text: string
}

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

/** A tool's description, which an agent reads before it chooses a tool. Browsers refuse a tool without one. */
export function parseDescription(value: unknown): Parsed<string> {
  return parseText(value, 'The description', 4000)
}

/** A character as shown to a person: invisible ones by name or number. */
export function showCharacter(character: string): string {
  if (character === ' ') return 'a space'
  if (character === '\t') return 'a tab'
  if (character === '\n' || character === '\r') return 'a line break'
  if (character === '"') return 'a quotation mark (")'
  if (/[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]/u.test(character)) {
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

/** A text that is cut off at a number of characters. Never in the middle of one. */
export function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…`
}

/** A text as the start of a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A field's text; empty if the field has none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A text, a number or a truth value as text; empty for everything else, some of which has no text: `{"toString": {}}`. */
export function scalarText(value: unknown): string {
  return typeof value === 'object' || value === undefined ? '' : String(value)
}

/** A time in words that mean the same for everybody, such as `2026-12-24 18:00 UTC`. */
export function timeInWords(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Text without any other characters hides nothing. Most texts are like that, and the test is fast. */
const PLAIN = /^[\t\n\r\x20-\x7e]*$/

/** Controls, formats, separators, lone surrogates, and characters that fonts do not draw. */
const HIDDEN = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

const PICTURE = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u
/** Letters of scripts in which joiners decide on the form of a letter, so that readers do see them. */
const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]$/u

/** A character that a reader does not see, and where it is. */
type HiddenCharacter = {readonly character: string; readonly offset: number}

/**
 * Characters that a reader does not see, or that change the order of what they see, so that code reads differently from
 * how it runs: CVE-2021-42574, "Trojan Source". Joiners and variation selectors count only where they have no visible
 * effect: emoji and several scripts need them.
 */
export function hiddenCharacters(text: string): HiddenCharacter[] {
  if (PLAIN.test(text)) return []
  return Array.from(text.matchAll(HIDDEN), ({0: character, index: offset}) => ({character, offset})).filter(
    ({character, offset}) => !isNeeded(character, text, offset),
  )
}

function isNeeded(character: string, text: string, offset: number): boolean {
  // Two code units, so that the last character is whole.
  const before = text.slice(Math.max(0, offset - 2), offset)
  const after = text.slice(offset + 1, offset + 3)
  switch (character) {
    case '\u200c':
      return JOINED.test(before)
    case '\u200d':
      return JOINED.test(before) || (PICTURE.test(before) && /^\p{Extended_Pictographic}/u.test(after))
    case '\ufe0e':
    case '\ufe0f':
      // Not after a letter or a digit, which would make it part of a name. A digit may become a key: 1️⃣.
      return (
        /\p{Extended_Pictographic}$/u.test(before) || (/[0-9#*]$/.test(before) && after.startsWith('\u20e3'))
      )
    default:
      return false
  }
}

/** A text with something else in the place of each character that a reader does not see. */
export function replaceHidden(text: string, replaced: (character: string) => string): string {
  return text.replace(HIDDEN, (character, offset) =>
    isNeeded(character, text, offset) ? character : replaced(character),
  )
}

/** Shows characters that would hide what a script does, such as those that change the direction of text. */
export function visible(text: string): string {
  return replaceHidden(text, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}

/** As {@link parseText}, for what runs or is sent: without characters that a reader does not see. */
export function parseVisibleText(value: unknown, what: string, longest: number): Parsed<string> {
  const text = parseText(value, what, longest)
  const [hidden] = text.ok ? hiddenCharacters(text.value) : []
  if (!text.ok || hidden === undefined) return text
  const {character, offset} = hidden
  return refuse(
    `${what} contains ${showCharacter(character)} at ${describePosition(text.value, offset)}, which can hide what it does: delete it.`,
  )
}

/** Characters of a text in a sentence. */
export const LONGEST_TEXT = 80

/** A text as shown in a sentence. */
export function shown(text: string): string {
  return `“${shortened(text, LONGEST_TEXT)}”`
}
