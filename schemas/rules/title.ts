import {wordsOf} from './words.ts'

/** A name for people: its words in title case, acronyms whole (`getURLInfo` → `Get URL Info`). */
export function titleOf(name: string): string {
  const words = wordsOf(name)
  // A name of dots and dashes alone has no words; an empty title would be worse than that name.
  if (words.length === 0) return name
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
}
