import {wordsOf} from '../../schemas/rules/names/toolName.ts'

/** The share of common words in two descriptions above which agents confuse the two tools. */
const SIMILAR = 0.8
/** Shorter descriptions are not compared: they get other advice. */
const FEWEST_WORDS = 3

type Words = ReadonlySet<string>

/** The different words of a description. */
export function wordsIn(description: string): Words {
  return new Set(wordsOf(description).map((word) => word.toLowerCase()))
}

/** Whether agents would confuse two descriptions, by Jaccard's index: the words in both over the words in either. */
export function areSimilar(one: Words, other: Words): boolean {
  if (one.size < FEWEST_WORDS || other.size < FEWEST_WORDS) return false
  if (Math.min(one.size, other.size) / Math.max(one.size, other.size) < SIMILAR) return false
  let both = 0
  for (const word of one) if (other.has(word)) both += 1
  return both / (one.size + other.size - both) >= SIMILAR
}

/** Makes a function that finds the items whose descriptions agents would confuse with that of an item. */
export function similarDescriptions<T extends {readonly description: string}>(
  items: readonly T[],
): (item: T) => T[] {
  const known = new Map(items.map((item) => [item, wordsIn(item.description)]))
  return (item) => {
    const own = known.get(item) ?? wordsIn(item.description)
    const similar = [...known].filter(([other, words]) => other !== item && areSimilar(own, words))
    return similar.map(([other]) => other)
  }
}
