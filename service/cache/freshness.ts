import type {Entries, Entry} from './entries.ts'

/**
 * What is known of all entries at once: until when no change was missed. One that was validated since the count began, and
 * that no change touched, is valid until then.
 */
export class Freshness {
  readonly #entries: Pick<Entries, 'all'>
  /** Entries that were validated before are not covered: something may have changed without a trace. */
  #since = Number.POSITIVE_INFINITY
  #until = Number.NEGATIVE_INFINITY

  constructor(entries: Pick<Entries, 'all'>) {
    this.#entries = entries
  }

  /** Whether a change of this entry would be known. A snapshot may have changed while it was only on disk. */
  covers({isStale, fromSnapshot, validatedAt}: Entry): boolean {
    return !isStale && !fromSnapshot && validatedAt >= this.#since
  }

  /** Dates a covered entry to the time until which changes are known. */
  extend(entry: Entry): void {
    if (entry.validatedAt < this.#until && this.covers(entry)) entry.validatedAt = this.#until
  }

  /** Dates all covered entries. */
  extendAll(): void {
    for (const entry of this.#entries.all()) this.extend(entry)
  }

  /** All changes until this time are known. */
  advance(time: number): void {
    this.#until = Math.max(this.#until, time)
    this.#since = Math.min(this.#since, time)
  }

  /** Covers only what is validated from this time on: any entry may have changed before. */
  begin(time: number): void {
    this.extendAll()
    this.#since = this.#until = time
  }
}
