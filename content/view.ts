import type {Change, Document} from './document.ts'
import {versionedId} from './ids.ts'
import {Bucket, byId} from './indexes/bucket.ts'
import {collectReferences, type IndexName, keyAt, REFERENCES, VERSIONS} from './keys.ts'

/** Maximum indexes of one view. Queries choose the attributes, so the number must be limited. */
const MAX_INDEXES = 32

type KeysOf = (document: Document) => Iterable<string>

type Index = {readonly keys: KeysOf; readonly buckets: Map<string, Bucket>}

const NONE: readonly Document[] = []

/**
 * Documents as one perspective shows them, with an index for each attribute path that queries look up. It can lie over another
 * view, whose documents and indexes it shares, until one of them changes.
 */
export class View {
  readonly #base: View | undefined
  /** The documents of the base that this view replaces or hides. */
  readonly #replaced: ReadonlySet<string>
  readonly #all = new Bucket()
  /** In the order of last use. */
  readonly #indexes = new Map<IndexName, Index>()

  /** Every document of a view over another one, once it was asked for. */
  #joined: readonly Document[] | undefined

  constructor(base?: View, replaced: ReadonlySet<string> = new Set()) {
    this.#base = base
    this.#replaced = replaced
  }

  /** The number of documents. */
  get size(): number {
    return this.#base === undefined ? this.#all.size : this.all().length
  }

  /** Every document, by `_id`. */
  all(): readonly Document[] {
    if (this.#base === undefined) return this.#all.sorted()
    this.#joined ??= this.#over(this.#base.all(), this.#all.sorted())
    return this.#joined
  }

  /** The document with this `_id`. */
  get(id: string): Document | undefined {
    return this.#all.get(id) ?? (this.#replaced.has(id) ? undefined : this.#base?.get(id))
  }

  /** An upper bound of how many documents {@link find} would return. */
  count(index: IndexName, keys: readonly string[]): number {
    if (index === '_id') return keys.length
    const buckets = this.#index(index).buckets
    const below = this.#base?.count(index, keys) ?? 0
    return keys.reduce((sum, key) => sum + (buckets.get(key)?.size ?? 0), below)
  }

  /** The documents with one of these keys in an index, by `_id`. */
  find(index: IndexName, keys: readonly string[]): readonly Document[] {
    const own = this.#find(index, keys)
    return this.#base === undefined ? own : this.#over(this.#base.find(index, keys), own)
  }

  #find(index: IndexName, keys: readonly string[]): readonly Document[] {
    const [first, ...others] = keys
    if (first === undefined) return NONE
    if (others.length === 0) return this.#bucket(index, first)
    const found = new Set<Document>()
    for (const key of keys) for (const document of this.#bucket(index, key)) found.add(document)
    return [...found].sort(byId)
  }

  /** Adds or replaces a document. */
  put(document: Document): void {
    const before = this.#all.get(document._id)
    this.#all.put(document)
    this.#reindex(before, document)
  }

  /** Applies changes as this view's perspective shows them. */
  apply(changes: readonly Change[]): void {
    for (const {id, after} of changes) {
      if (after !== undefined) {
        this.put(after)
        continue
      }
      const before = this.#all.get(id)
      if (before === undefined) continue
      this.#all.delete(id)
      this.#reindex(before, undefined)
    }
  }

  /** Documents of the base, with those that this view has in their place. */
  #over(below: readonly Document[], own: readonly Document[]): readonly Document[] {
    if (this.#replaced.size === 0) return below
    const others = below.filter(({_id}) => !this.#replaced.has(_id))
    return own.length === 0 ? others : [...others, ...own].sort(byId)
  }

  #reindex(before: Document | undefined, after: Document | undefined): void {
    for (const index of this.#indexes.values()) {
      if (before !== undefined) remove(index, before)
      if (after !== undefined) add(index, after)
    }
  }

  #bucket(index: IndexName, key: string): readonly Document[] {
    if (index !== '_id') return this.#index(index).buckets.get(key)?.sorted() ?? NONE
    const document = this.#all.get(key)
    return document === undefined ? NONE : [document]
  }

  #index(name: IndexName): Index {
    const known = this.#indexes.get(name)
    if (known !== undefined) {
      this.#indexes.delete(name)
      this.#indexes.set(name, known)
      return known
    }
    const index: Index = {keys: keysFor(name), buckets: new Map()}
    for (const document of this.#all.values()) add(index, document)
    this.#indexes.set(name, index)
    const [oldest] = this.#indexes.keys()
    if (this.#indexes.size > MAX_INDEXES && oldest !== undefined) this.#indexes.delete(oldest)
    return index
  }
}

function keysFor(name: IndexName): KeysOf {
  if (name === REFERENCES) return (document) => collectReferences(document)
  const path = name.split('\0')
  const keyOf =
    name === VERSIONS ? ({_id}: Document) => versionedId(_id) : (document: Document) => keyAt(document, path)
  return (document) => {
    const key = keyOf(document)
    return key === undefined ? [] : [key]
  }
}

function add(index: Index, document: Document): void {
  for (const key of index.keys(document)) {
    let bucket = index.buckets.get(key)
    if (bucket === undefined) {
      bucket = new Bucket()
      index.buckets.set(key, bucket)
    }
    bucket.put(document)
  }
}

function remove(index: Index, document: Document): void {
  for (const key of index.keys(document)) {
    const bucket = index.buckets.get(key)
    bucket?.delete(document._id)
    if (bucket?.size === 0) index.buckets.delete(key)
  }
}
