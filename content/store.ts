import type {JsonObject} from '../common/json.ts'
import type {Change, Document, Transaction} from './document.ts'
import {draftId, isPublishedId, publishedId} from './ids.ts'
import {View} from './view.ts'

/** The new states of documents, undefined for deleted ones, with the author and time of the change. */
export type Update = {
  readonly id: string
  readonly identity: string
  readonly timestamp: string
  readonly documents: ReadonlyMap<string, Document | undefined>
  /** The mutations by document, if known. */
  readonly mutations?: ReadonlyMap<string, readonly JsonObject[]>
}

/**
 * How drafts are shown. `raw`: as they are. `published`: not at all. `drafts`: in place of the published
 * document. https://www.sanity.io/docs/content-lake/perspectives
 */
export type Perspective = 'raw' | 'published' | 'drafts'

/** A transaction, and its changes in each perspective. */
export type Applied = Transaction & {readonly seen: Readonly<Record<Perspective, readonly Change[]>>}

/** All documents, in memory, with a view for each perspective that was requested. */
export class DocumentStore {
  readonly #documents = new Map<string, Document>()
  readonly #views = new Map<Perspective, View>()

  /** The number of documents, including drafts. */
  get size(): number {
    return this.#documents.size
  }

  /** One document by its id, including drafts and versions. */
  get(id: string): Document | undefined {
    return this.#documents.get(id)
  }

  /** The documents as one perspective shows them. */
  view(perspective: Perspective): View {
    let view = this.#views.get(perspective)
    if (view === undefined) {
      view = new View()
      for (const id of this.#documents.keys()) {
        const seen = this.#seen(perspective, id)
        if (seen !== undefined) view.put(seen)
      }
      this.#views.set(perspective, view)
    }
    return view
  }

  /** Applies an update. Documents that stay the same are not part of the changes. */
  apply(update: Update): Applied {
    const changes: Change[] = []
    for (const [id, after] of update.documents) {
      const before = this.#documents.get(id)
      if (!isSame(before, after)) changes.push(change(id, before, after))
    }
    // If a perspective was never requested, no client has a response that needs an update.
    const overlaid = this.#views.has('drafts') ? changes.map(({id}) => publishedId(id)) : []
    const before = new Map(overlaid.map((id) => [id, this.#seen('drafts', id)]))
    for (const {id, after} of changes) {
      if (after === undefined) this.#documents.delete(id)
      else this.#documents.set(id, after)
    }
    const seen = {
      raw: changes,
      published: changes.filter(({id}) => isPublishedId(id)),
      drafts: Array.from(before, ([id, was]) => change(id, was, this.#seen('drafts', id))).filter(
        ({before, after}) => !isSame(before, after),
      ),
    }
    for (const [perspective, view] of this.#views) view.apply(seen[perspective])
    const {id, identity, timestamp, mutations} = update
    return {id, identity, timestamp, changes, seen, ...(mutations && {mutations})}
  }

  /** What a perspective shows for an id. In `drafts`, a draft has its published id. */
  #seen(perspective: Perspective, id: string): Document | undefined {
    if (perspective === 'raw') return this.#documents.get(id)
    if (perspective === 'published') return isPublishedId(id) ? this.#documents.get(id) : undefined
    const published = publishedId(id)
    if (!isPublishedId(published)) return undefined
    const shown = this.#documents.get(draftId(published)) ?? this.#documents.get(published)
    // In Sanity, _originalId shows which of the two was used.
    return shown && {...shown, _id: published, _originalId: shown._id}
  }
}

function change(id: string, before: Document | undefined, after: Document | undefined): Change {
  return {id, ...(before && {before}), ...(after && {after})}
}

/** The revision identifies the content; the dates come from the history. */
function isSame(a: Document | undefined, b: Document | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return (
    a._rev === b._rev &&
    a._type === b._type &&
    a._originalId === b._originalId &&
    a._createdAt === b._createdAt &&
    a._updatedAt === b._updatedAt
  )
}
