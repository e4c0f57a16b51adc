import {isJsonObject} from '../common/json.ts'
import type {Change, Document, Transaction} from './document.ts'
import {draftId, isDraftId, isPublishedId, isVersionId, publishedId, releaseNameIn, versionId} from './ids.ts'
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
    if (view !== undefined) return view
    const ids = isLasting(perspective) ? this.#documents.keys() : this.#stacked(perspective.split(','))
    view = isLasting(perspective) ? new View() : new View(this.view('drafts'), new Set(ids))
    for (const id of ids) {
      const seen = this.#seen(perspective, id)
      if (seen !== undefined) view.put(seen)
    }
    const [oldest, ...others] = Array.from(this.#views.keys()).filter((name) => !isLasting(name))
    if (oldest !== undefined && others.length + 1 >= MAX_STACKS) this.#views.delete(oldest)
    this.#views.set(perspective, view)
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
    const overlaid = this.#views.has('drafts') ? [...new Set(changes.map(({id}) => publishedId(id)))] : []
    const shown = overlaid.map((id) => this.#seen('drafts', id))
    for (const {id, after} of changes) {
      if (after === undefined) this.#documents.delete(id)
      else this.#documents.set(id, after)
    }
    const drafted = overlaid.map((id, index) => ({
      id,
      before: shown[index],
      after: this.#seen('drafts', id),
    }))
    const seen = {
      raw: changes,
      published: changes.filter(({id}) => isPublishedId(id)),
      drafts: drafted.filter(({before, after}) => !isSame(before, after)),
    }
    for (const [perspective, view] of this.#views) {
      if (isLasting(perspective)) view.apply(seen[perspective])
      else if (changes.length > 0) this.#views.delete(perspective)
    }
    return {...transaction, changes, seen}
  }

  /** The documents that a list of layers may show in another way than drafts do, by their published ids. */
  #stacked(layers: readonly string[]): ReadonlySet<string> {
    const hasDrafts = layers.includes('drafts')
    const found = new Set<string>()
    for (const id of this.#documents.keys()) {
      const release = releaseNameIn(id)
      const isOther = release === undefined ? !hasDrafts && isDraftId(id) : layers.includes(release)
      if (isOther) found.add(publishedId(id))
    }
    return found
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

/** Whether the view of a perspective stays: there is only one of each. The others lie over that of drafts, until a change. */
function isLasting(perspective: Perspective): perspective is 'raw' | 'published' | 'drafts' {
  return perspective === 'raw' || perspective === 'published' || perspective === 'drafts'
}

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
