import type {Document} from '../document.ts'

/** A total order: of two documents with different ids, one is always first. */
export type Compare = (a: Document, b: Document) => number

/** Of a new document there is no state before, of a deleted one none after. */
type Change = readonly [before: Document | undefined, after: Document | undefined]

/** After more changes than this, sorting again is quicker than inserting each. */
const MAX_CHANGES = 500

/**
 * A sorted list of documents that follows changes. They are inserted into a copy when the list is read next, so
 * that a list that was returned never changes: a query may read it in many slices.
 */
export class SortedList {
  readonly #compare: Compare
  #list: readonly Document[] | undefined
  /** Changes since {@link #list}, or since the latest {@link begin}. */
  #changes: Change[] = []

  constructor(compare: Compare) {
    this.#compare = compare
  }

  /** The documents in order; undefined if they have to be sorted first. */
  read(): readonly Document[] | undefined {
    if (this.#list === undefined || this.#changes.length === 0) return this.#list
    const list = [...this.#list]
    for (const [before, after] of this.#changes) {
      if (before !== undefined) list.splice(this.#position(list, before), 1)
      if (after !== undefined) list.splice(this.#position(list, after), 0, after)
    }
    this.#changes = []
    this.#list = list
    return list
  }

  /**
   * Begins to sort the documents as they are now, which may take several slices.
   * @returns a function that takes the result. Changes in between are added to it.
   */
  begin(): (sorted: readonly Document[]) => void {
    const changes: Change[] = []
    this.#list = undefined
    this.#changes = changes
    return (sorted) => {
      // Otherwise somebody began to sort again, or there were too many changes.
      if (this.#changes === changes) this.#list = sorted
    }
  }

  /** Records that a document was added, replaced or deleted. */
  change(...change: Change): void {
    if (this.#changes.length < MAX_CHANGES) this.#changes.push(change)
    else {
      this.#list = undefined
      this.#changes = []
    }
  }

  /** Where a document is, or belongs. */
  #position(list: readonly Document[], document: Document): number {
    let low = 0
    let high = list.length
    while (low < high) {
      const middle = (low + high) >> 1
      const other = list[middle]
      if (other !== undefined && this.#compare(other, document) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
