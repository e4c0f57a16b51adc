import {wordsOf} from './words.ts'

/**
 * A title for people: the words of the name in title case, acronyms unchanged (`getURLInfo` → `Get URL
 * Info`).
 */
export function titleOf(name: string): string {
  const words = wordsOf(name)
  // A name of only dots and dashes has no words; an empty title would be worse than the name.
  if (words.length === 0) return name
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
}
