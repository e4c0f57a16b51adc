import {accept, type Parsed, parseDistinct, refuse} from '../parsed.ts'
import {capital, parseText, showCharacter} from '../text.ts'

/**
 * A tool's name as browsers accept it: 1 to 128 letters, digits, underscores, dots and hyphens.
 * `registerTool` rejects any other name, and an agent would never see the tool.
 */
export function parseToolName(value: unknown): Parsed<string> {
  const text = parseText(value, 'The name', 128)
  if (!text.ok) return text
  const [foreign] = text.value.match(/[^A-Za-z0-9_.-]/u) ?? []
  if (foreign === undefined) return accept(text.value)
  return refuse(
    `A name cannot contain ${showCharacter(foreign)}: use only the letters A to Z, digits, "_", "." and "-".`,
  )
}

/** Far more than agents can handle on one page. */
const MAX_PAGE_TOOLS = 200

/** The names of the tools that the pages of a site register themselves. A missing field means none. */
export function parsePageTools(value: unknown): Parsed<string[]> {
  return parseDistinct(value, 'The names', parseToolName, MAX_PAGE_TOOLS)
}

/** The names that a site lists. None if the list breaks a rule. */
export function pageToolsOf(site: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  const names = parsePageTools(site?.pageTools)
  return names.ok ? names.value : []
}

/**
 * A title for people: the words of the name in title case, acronyms unchanged (`getURLInfo` → `Get URL
 * Info`).
 */
export function titleOf(name: string): string {
  const words = wordsOf(name)
  // A name of only dots and dashes has no words; an empty title would be worse than the name.
  if (words.length === 0) return name
  return words.map(capital).join(' ')
}

/**
 * A title that an editor wrote: one line of visible text. A missing one is accepted.
 * @param what names the title in problems.
 */
export function parseTitle(value: unknown, what = 'The title'): Parsed<string | undefined> {
  if (value === undefined || value === null) return accept(undefined)
  const text = parseText(value, what, 100)
  if (!text.ok) return text
  const [invisible] = INVISIBLE.exec(text.value) ?? []
  if (invisible === undefined) return text
  return refuse(`${what} contains ${showCharacter(invisible)}: delete it and type the words around it again.`)
}

/** Controls, formats and lone surrogates, but not the joiners, which emoji and several scripts need. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

/**
 * Splits a name into words, as written:
 * `getURLInfo` → `get URL Info`, `check_out` → `check out`, `orders.search` → `orders search`.
 *
 * An acronym is one word, including digits and the plural `s` (`MP3`, `B2B`, `IDs`); a number is a word,
 * including its letters (`2nd`, `3D`).
 */
export function wordsOf(name: string): string[] {
  return name.match(WORD) ?? []
}

const WORD = new RegExp(
  [
    /\p{Lu}{2,}\d*s(?!\p{Ll})/u, // URLs, IDs
    /\p{Lu}+\d+(?:\p{Lu}+(?!\p{Ll}))?(?!\p{Ll})/u, // MP3, V2, B2B
    /\p{Lu}+(?!\p{Ll})/u, // URL, and the A of getAPage
    /\p{Lu}?[\p{Ll}\p{Lo}]+/u, // Info, info
    /\d+(?:\p{Ll}+|\p{Lu}+(?!\p{Ll}))?/u, // 10, 2nd, 3D
  ]
    .map((part) => part.source)
    .join('|'),
  'gu',
)
