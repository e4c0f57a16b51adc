/** Cuts from a text the prefix or suffix of a given length. */
const CUT = {
  beginning: (text: string, length: number) => text.slice(0, length),
  end: (text: string, length: number) => text.slice(text.length - length),
}

/** Indexes values by the prefixes, or by the suffixes, of texts, with one lookup per distinct length. */
export class AffixIndex<T> {
  readonly #cut: (text: string, length: number) => string
  readonly #values: ReadonlyMap<string, T>
  readonly #lengths: readonly number[]

  constructor(side: keyof typeof CUT, values: ReadonlyMap<string, T>) {
    this.#cut = CUT[side]
    this.#values = values
    this.#lengths = [...new Set(Array.from(values.keys(), ({length}) => length))]
  }

  /** Returns the values whose affix this text has. */
  of(text: string): T[] {
    const found: T[] = []
    for (const length of this.#lengths) {
      const value = length > text.length ? undefined : this.#values.get(this.#cut(text, length))
      if (value !== undefined) found.push(value)
    }
    return found
  }
}
