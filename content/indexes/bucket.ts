import type {Document} from '../document.ts'
import {SortedList} from './sortedList.ts'

/** A set of documents with a sorted view, which is made when it is needed first. */
export class Bucket {
  readonly #documents = new Map<string, Document>()
  #sorted: SortedList | undefined

  get size(): number {
    return this.#documents.size
  }

  get(id: string): Document | undefined {
    return this.#documents.get(id)
  }

  put(document: Document): void {
    this.#sorted?.change(this.#documents.get(document._id), document)
    this.#documents.set(document._id, document)
  }

  delete(id: string): void {
    this.#sorted?.change(this.#documents.get(id), undefined)
    this.#documents.delete(id)
  }

  /** All documents, in no particular order. */
  values(): Iterable<Document> {
    return this.#documents.values()
  }

  /** All documents by `_id`, in code unit order. */
  sorted(): readonly Document[] {
    this.#sorted ??= new SortedList(byId)
    return this.#sorted.read() ?? this.#sort(this.#sorted)
  }

  #sort(list: SortedList): readonly Document[] {
    const finish = list.begin()
    const sorted = [...this.#documents.values()].sort(byId)
    finish(sorted)
    return sorted
  }
}

/** Compares documents by `_id`, in code unit order. */
export function byId(a: Document, b: Document): number {
  return a._id < b._id ? -1 : a._id > b._id ? 1 : 0
}
