import type {Document} from './document.ts'

/**
 * A set of documents with a sorted view. The order is computed on demand and cached until a document changes.
 */
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
    this.#documents.set(document._id, document)
    this.#sorted = undefined
  }

  delete(id: string): void {
    this.#documents.delete(id)
    this.#sorted = undefined
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
