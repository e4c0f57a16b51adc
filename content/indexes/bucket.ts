import type {Document} from '../document.ts'

/** A set of documents with a sorted list, which is made when it is needed first after a change. */
export class Bucket {
  readonly #documents = new Map<string, Document>()
  #sorted: readonly Document[] | undefined

  get size(): number {
    return this.#documents.size
  }

  get(id: string): Document | undefined {
    return this.#documents.get(id)
  }

  put(document: Document): void {
    this.#sorted = undefined
    this.#documents.set(document._id, document)
  }

  delete(id: string): void {
    this.#sorted = undefined
    this.#documents.delete(id)
  }

  /** All documents, in no particular order. */
  values(): Iterable<Document> {
    return this.#documents.values()
  }

  /** All documents by `_id`, in code unit order. */
  sorted(): readonly Document[] {
    this.#sorted ??= [...this.#documents.values()].sort(byId)
    return this.#sorted
  }
}

/** Compares documents by `_id`, in code unit order. */
export function byId(a: Document, b: Document): number {
  return a._id < b._id ? -1 : a._id > b._id ? 1 : 0
}
