import {wordsOf} from '../rules/names/words.ts'

/** The share of common words in two descriptions above which agents confuse the two tools. */
const SIMILAR = 0.8
/** Shorter descriptions are not compared: they get other advice. */
const FEWEST_WORDS = 3
/** Descriptions that one is compared with. More share rare words only if they were generated. */
const MOST_CANDIDATES = 200
/** Comparing each of so few descriptions with all others takes less time than an index of their words. */
const FEW = 20

type Words = ReadonlySet<string>

/** The different words of a description. */
export function wordsIn(description: string): Words {
  return new Set(wordsOf(description).map((word) => word.toLowerCase()))
}

/** Whether agents would confuse two descriptions, by Jaccard's index: the words in both over the words in either. */
export function areSimilar(one: Words, other: Words): boolean {
  if (one.size < FEWEST_WORDS || other.size < FEWEST_WORDS) return false
  if (Math.min(one.size, other.size) / Math.max(one.size, other.size) < SIMILAR) return false
  const both = [...one].filter((word) => other.has(word)).length
  return both / (one.size + other.size - both) >= SIMILAR
}

/**
 * Finds similar descriptions without comparing each with all others. Two similar sets of words share one of the
 * rarest words of each (prefix filtering: Chaudhuri et al., "A Primitive Operator for Similarity Joins").
 */
export class SimilarDescriptions<T extends {readonly description: string}> {
  readonly #words: ReadonlyMap<T, Words>
  readonly #frequencies = new Map<string, number>()
  readonly #byRareWord = new Map<string, T[]>()
  readonly #rareWords = new Map<T, readonly string[]>()

  constructor(items: readonly T[]) {
    this.#words = new Map(items.map((item) => [item, wordsIn(item.description)]))
    if (this.#words.size > FEW) this.#buildIndex()
  }

  /** The items with similar descriptions, in no particular order. The item itself is left out. */
  *similarTo(item: T): Generator<T> {
    const own = this.#words.get(item) ?? wordsIn(item.description)
    for (const other of this.#candidatesFor(item, own)) {
      const words = this.#words.get(other)
      if (other !== item && words !== undefined && areSimilar(own, words)) yield other
    }
  }

  #candidatesFor(item: T, own: Words): Iterable<T> {
    if (this.#words.size <= FEW) return this.#words.keys()
    const candidates = new Set<T>()
    for (const word of this.#rareWords.get(item) ?? this.#rarest(own)) {
      for (const other of this.#byRareWord.get(word) ?? []) {
        candidates.add(other)
        if (candidates.size > MOST_CANDIDATES) return candidates
      }
    }
    return candidates
  }

  #buildIndex(): void {
    for (const words of this.#words.values())
      for (const word of words) this.#frequencies.set(word, this.#frequencyOf(word) + 1)
    for (const [item, words] of this.#words) {
      const rarest = this.#rarest(words)
      this.#rareWords.set(item, rarest)
      for (const word of rarest) {
        const sharing = this.#byRareWord.get(word)
        if (sharing === undefined) this.#byRareWord.set(word, [item])
        else sharing.push(item)
      }
    }
  }

  #rarest(words: Words): string[] {
    const byFrequency = Array.from(words, (word) => ({word, frequency: this.#frequencyOf(word)}))
    byFrequency.sort((a, b) => a.frequency - b.frequency || (a.word < b.word ? -1 : 1))
    return byFrequency.slice(0, words.size - Math.ceil(SIMILAR * words.size) + 1).map(({word}) => word)
  }

  #frequencyOf(word: string): number {
    return this.#frequencies.get(word) ?? 0
  }
}
