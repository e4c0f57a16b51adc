import {isJsonObject} from '../common/json.ts'
import type {Change, Document, Transaction} from './document.ts'
import {draftId, isPublishedId, isVersionId, publishedId, versionId} from './ids.ts'
import {View} from './view.ts'

/** The new states of documents, undefined for deleted ones, with the author and time of the change. */
export type Update = Omit<Transaction, 'changes'> & {
  readonly documents: ReadonlyMap<string, Document | undefined>
}

/**
 * How drafts and the versions of releases are shown. `raw`: as they are. `published`: not at all. Otherwise a list such as
 * `rSpring,drafts`: the first that has a document shows it in place of the published one.
 * https://www.sanity.io/docs/content-lake/perspectives
 */
export type Perspective = string

/** A transaction, and its changes in the perspectives that events are about. */
export type Applied = Transaction & {
  readonly seen: Readonly<Record<'raw' | 'published' | 'drafts', readonly Change[]>>
}

/** Maximum views of lists with releases. Queries choose them. */
const MAX_STACKS = 8

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

  /** The ids that begin so, sorted. */
  idsFrom(prefix: string): readonly string[] {
    return Array.from(this.#documents.keys())
      .filter((id) => id.startsWith(prefix))
      .sort()
  }

  /** The documents as one perspective shows them. */
  view(perspective: Perspective): View {
    let view = this.#views.get(perspective)
    if (view === undefined) {
      const [oldest, ...others] = Array.from(this.#views.keys()).filter((name) => !LASTING.has(name))
      if (!LASTING.has(perspective) && oldest !== undefined && others.length + 2 > MAX_STACKS)
        this.#views.delete(oldest)
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
  apply({documents, ...transaction}: Update): Applied {
    const changes: Change[] = []
    for (const [id, after] of documents) {
      const before = this.#documents.get(id)
      if (!isSame(before, after)) changes.push({id, before, after})
    }
    // If a perspective was never requested, no client has a response that needs an update.
    const stacks = Array.from(this.#views.keys()).filter((name) => name !== 'raw' && name !== 'published')
    const overlaid = [...new Set(changes.map(({id}) => publishedId(id)))]
    const shown = stacks.map((name) => overlaid.map((id) => this.#seen(name, id)))
    for (const {id, after} of changes) {
      if (after === undefined) this.#documents.delete(id)
      else this.#documents.set(id, after)
    }
    const seen = new Map<Perspective, readonly Change[]>([
      ['raw', changes],
      ['published', changes.filter(({id}) => isPublishedId(id))],
    ])
    for (const [at, name] of stacks.entries()) {
      const stacked = overlaid.map((id, index) => {
        return {id, before: shown[at]?.[index], after: this.#seen(name, id)}
      })
      seen.set(
        name,
        stacked.filter(({before, after}) => !isSame(before, after)),
      )
    }
    const of = (name: Perspective) => seen.get(name) ?? []
    for (const [perspective, view] of this.#views) view.apply(of(perspective))
    return {
      ...transaction,
      changes,
      seen: {raw: changes, published: of('published'), drafts: of('drafts')},
    }
  }

  /** What a perspective shows for an id. In a list, a draft or a version has its published id. */
  #seen(perspective: Perspective, id: string): Document | undefined {
    if (perspective === 'raw') return this.#documents.get(id)
    if (perspective === 'published') return isPublishedId(id) ? this.#documents.get(id) : undefined
    const published = publishedId(id)
    if (!isPublishedId(published)) return undefined
    for (const name of [...perspective.split(','), 'published']) {
      const shown = this.#documents.get(idIn(name, published))
      if (shown === undefined) continue
      // In Sanity, _originalId shows which of them was used.
      return unpublishes(shown) ? undefined : {...shown, _id: published, _originalId: shown._id}
    }
    return undefined
  }
}

/** The perspectives whose views stay: there is only one of each. */
const LASTING: ReadonlySet<Perspective> = new Set(['raw', 'published', 'drafts'])

/** The id of a document in one layer of a perspective. */
function idIn(layer: string, published: string): string {
  if (layer === 'published') return published
  return layer === 'drafts' ? draftId(published) : versionId(layer, published)
}

/** Whether a version says that its release unpublishes the document. The mark is Sanity's. */
export function unpublishes({_id, _system}: Document): boolean {
  return isVersionId(_id) && isJsonObject(_system) && _system.delete === true
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
