/** What to cut from a text for it to be as long as the affix that it could have. */
const CUT = {
  beginning: (text: string, length: number) => text.slice(0, length),
  end: (text: string, length: number) => text.slice(text.length - length),
}

/** Values by beginnings, or by ends, of texts: one look-up for each length that these have. */
export class AffixIndex<T> {
  readonly #cut: (text: string, length: number) => string
  readonly #values: ReadonlyMap<string, T>
  readonly #lengths: readonly number[]

  constructor(side: keyof typeof CUT, values: ReadonlyMap<string, T>) {
    this.#cut = CUT[side]
    this.#values = values
    this.#lengths = [...new Set(Array.from(values.keys(), ({length}) => length))]
  }

  /** The values whose affix this text has. */
  of(text: string): T[] {
    const found: T[] = []
    for (const length of this.#lengths) {
      const value = length > text.length ? undefined : this.#values.get(this.#cut(text, length))
      if (value !== undefined) found.push(value)
    }
    return found
  }
}
