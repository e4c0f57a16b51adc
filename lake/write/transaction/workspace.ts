import type {JsonObject} from '../../../common/json.ts'
import type {Document} from '../../../content/document.ts'
import type {Draft} from '../../../content/drafts/journal.ts'
import {isPublishedId, isVersionId} from '../../../content/ids.ts'
import type {DocumentStore} from '../../../content/store.ts'
import {refuse} from '../errors.ts'

/**
 * Maximum megabytes of all documents and patches of one transaction. A query or a publish can involve
 * documents that are much larger than the request, and all of them are in memory, in the journal and in
 * events at the same time.
 */
const MAX_MEGABYTES = 16

/** Maximum contents of one draft that are known to have copies. */
const MAX_COPIES = 20

/** The effect of a transaction on one document, as reported to listeners. */
export type Effect = {readonly id: string; readonly operation: 'create' | 'update' | 'delete' | 'none'}

/**
 * The documents as changed by a transaction that is not saved yet. The store stays unchanged until then, so a
 * transaction that fails at its last mutation has no effect.
 */
export class Workspace {
  readonly #store: DocumentStore
  readonly #drafts: ReadonlyMap<string, Draft>
  readonly #documents = new Map<string, Document | undefined>()
  readonly #mutations = new Map<string, JsonObject[]>()
  readonly #sizes = new Map<string, number>()
  #bytes = 0
  /** What the drafts that this transaction began, or lets begin elsewhere, began from; null: nothing was published. */
  readonly bases = new Map<string, Document | null>()
  /** What {@link copiesOf} returns of the drafts that this transaction copied. */
  readonly copies = new Map<string, readonly string[]>()
  /** What the lake itself has changed, which clients may not: documents of reviews and releases, and what it took out of these. */
  readonly own = new Map<string, Document | undefined>()
  /** The versions of releases that were archived, as they were. */
  readonly restored = new Map<string, Draft>()
  /** The drafts that others are copies of. */
  readonly copied = new Map<string, Draft>()

  /** @param drafts the drafts and versions as they are kept before the transaction */
  constructor(store: DocumentStore, drafts: ReadonlyMap<string, Draft>) {
    this.#store = store
    this.#drafts = drafts
  }

  /** A document before this transaction. */
  before(id: string): Document | undefined {
    return this.#store.get(id)
  }

  /** A draft or a version as it is kept before this transaction, or the one that it is a copy of. */
  kept(id: string): Draft | undefined {
    return this.#drafts.get(id) ?? this.copied.get(id)
  }

  /** The revision of the published document that a draft began from; null: there was none, undefined: not known. */
  baseOf(id: string): string | null | undefined {
    const base = this.bases.get(id)
    return base === undefined ? this.kept(id)?.base : (base?._rev ?? null)
  }

  /** The published document that a version began from; undefined if there was none, or it is not known. */
  originOf(id: string): Document | undefined {
    const base = this.bases.get(id)
    return base === undefined ? this.#drafts.get(id)?.origin : (base ?? undefined)
  }

  /** The contents of a draft or a version that others are copies of, or that it is a copy of: their published revisions. */
  copiesOf(id: string): readonly string[] {
    return this.copies.get(id) ?? this.#drafts.get(id)?.copies ?? []
  }

  /**
   * Notes that a draft or a version is copied. A copy of a version begins where the version does.
   * @param revision that publishing it leads to
   */
  noteCopy(from: string, to: string, revision: string): void {
    this.copies.set(from, [...new Set([...this.copiesOf(from), revision])].slice(-MAX_COPIES))
    this.copies.set(to, [revision])
    const origin = this.originOf(from) ?? (this.baseOf(from) === null ? null : undefined)
    if (isVersionId(from) && origin !== undefined) this.bases.set(to, origin)
  }

  /** The current state of a document within this transaction. */
  get(id: string): Document | undefined {
    return this.#documents.has(id) ? this.#documents.get(id) : this.#store.get(id)
  }

  /**
   * Replaces or deletes a document, and records the mutation.
   * @param bytes of the document as a file, and of the mutation if it is not the document itself
   * @throws RefusedError when the transaction is too large
   */
  put(
    id: string,
    document: Document | undefined,
    mutation: JsonObject,
    bytes: {readonly document: number; readonly mutation?: number} = {document: 0},
  ): void {
    this.#bytes += bytes.document - (this.#sizes.get(id) ?? 0) + (bytes.mutation ?? 0)
    if (this.#bytes > MAX_MEGABYTES * 1024 * 1024)
      throw refuse.tooLarge(
        `The transaction changes more than ${MAX_MEGABYTES} MB of documents: split it into smaller ones`,
      )
    this.#sizes.set(id, bytes.document)
    this.#documents.set(id, document)
    const mutations = this.#mutations.get(id)
    if (mutations) mutations.push(mutation)
    else this.#mutations.set(id, [mutation])
  }

  /** The documents that differ from the store, with their new state; undefined for deleted ones. */
  changed(): Map<string, Document | undefined> {
    return new Map([...this.#documents].filter(([id, document]) => !isSame(document, this.#store.get(id))))
  }

  /** The ids that begin so, within this transaction, sorted. */
  idsFrom(prefix: string): readonly string[] {
    const added = Array.from(this.#documents.keys()).filter((id) => id.startsWith(prefix))
    return [...new Set([...this.#store.idsFrom(prefix), ...added])].sort()
  }

  /** The mutations of each document, in order. */
  mutations(): ReadonlyMap<string, readonly JsonObject[]> {
    return this.#mutations
  }

  /** Documents of the store that reference `id`, strongly or weakly. */
  referrersInStore(id: string): readonly Document[] {
    return this.#store.view('raw').find('\0references', [id])
  }
}

/** Whether two states are the same. The revision of a published document is a digest of its content. */
function isSame(a: Document | undefined, b: Document | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a === b || (a._rev === b._rev && isPublishedId(a._id))
}
