import {wordsOf} from '../../rules/names/words.ts'

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

/** Descriptions, each of which is compared with all others. */
export class SimilarDescriptions<T extends {readonly description: string}> {
  readonly #words: ReadonlyMap<T, Words>

  constructor(items: readonly T[]) {
    this.#words = new Map(items.map((item) => [item, wordsIn(item.description)]))
  }

  /** The items with similar descriptions. The item itself is left out. */
  similarTo(item: T): T[] {
    const own = this.#words.get(item) ?? wordsIn(item.description)
    return [...this.#words].flatMap(([other, words]) =>
      other !== item && areSimilar(own, words) ? [other] : [],
    )
  }
}
