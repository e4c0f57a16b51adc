import {accept, type Parsed, refuse} from '../parsed.ts'
import {capital, parseText, showCharacter} from '../text.ts'
import {wordsOf} from './words.ts'

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
