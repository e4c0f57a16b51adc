import {LRUCache} from 'lru-cache'
import type {CompiledSite} from '../site/compiledSite.ts'

/** The cached upstream response for one public ID, and how far to trust it. */
export type Entry = {
  readonly publicId: string
  /** `null` if no published site has this public ID. */
  readonly site: CompiledSite | null
  /** Revision of the whole site, see `siteRevisionOf`. */
  readonly revision: string
  /**
   * When this was last known to be what upstream has, in milliseconds of the clock. See `Entries.extend`.
   */
  validatedAt: number
  /** Time of the last request for this entry. */
  usedAt: number
  /** Whether it changed upstream. Requests wait for the new content. */
  isStale: boolean
  /** Whether the entry was read from disk and not yet confirmed by upstream. */
  fromSnapshot: boolean
  /** `validatedAt` when it was last offered to the snapshots. */
  keptAt: number
  /** Hashes of the IDs of its documents: 100,000 sites have a million, which would take more memory than the sites. */
  readonly documents: readonly number[]
}

/** An entry as upstream or a snapshot has it. */
export function newEntry(state: Omit<Entry, 'isStale' | 'documents'>): Entry {
  const {site} = state
  const documents = site ? [site, ...site.texts.served(), ...site.invalid] : []
  return {...state, isStale: false, documents: documents.map(({documentId}) => hashOf(documentId))}
}

/**
 * How long after its last use an entry is kept fresh in the background, in milliseconds: two polls of a page.
 */
const IN_USE = 600_000

/** Whether an entry was requested recently. */
export function isInUse({usedAt}: Entry, now: number): boolean {
  return now - usedAt < IN_USE
}

/** Maximum cached public IDs without a site. Clients can make these up, so they have a separate cache. */
const MAX_ABSENT = 10_000

/**
 * The cache entries, limited in size, and until when no change of any was missed: one that was validated since that is known, and
 * that no change touched, is valid until then.
 */
export class Entries {
  readonly #sites: LRUCache<string, Entry>
  readonly #absent: LRUCache<string, Entry>
  /** Entries that were validated before are not covered: something may have changed without a trace. */
  #since = Number.POSITIVE_INFINITY
  #until = Number.NEGATIVE_INFINITY

  /** @param maxBytes approximate limit for all sites together. */
  constructor(maxBytes: number) {
    this.#sites = new LRUCache({maxSize: maxBytes, sizeCalculation: ({site}) => site?.bytes ?? 0})
    this.#absent = new LRUCache({max: MAX_ABSENT})
  }

  /** Returns an entry and marks it as recently used. */
  get(publicId: string): Entry | undefined {
    return this.#sites.get(publicId) ?? this.#absent.get(publicId)
  }

  /** Returns an entry without marking it as used. */
  peek(publicId: string): Entry | undefined {
    return this.#sites.peek(publicId) ?? this.#absent.peek(publicId)
  }

  /** Stores an entry, replacing the one with the same public ID. A site larger than the whole cache is not stored. */
  set(entry: Entry): void {
    const {publicId} = entry
    const [target, other] = entry.site ? [this.#sites, this.#absent] : [this.#absent, this.#sites]
    other.delete(publicId)
    target.set(publicId, entry)
  }

  /** All entries that have a site. */
  sites(): IterableIterator<Entry> {
    return this.#sites.values()
  }

  /** All entries, with and without a site. */
  *all(): IterableIterator<Entry> {
    yield* this.#sites.values()
    yield* this.#absent.values()
  }

  /** Whether a change of this entry would be known. A snapshot may have changed while it was only on disk. */
  covers({isStale, fromSnapshot, validatedAt}: Entry): boolean {
    return !isStale && !fromSnapshot && validatedAt >= this.#since
  }

  /** Dates a covered entry to the time until which changes are known. */
  extend(entry: Entry): void {
    if (entry.validatedAt < this.#until && this.covers(entry)) entry.validatedAt = this.#until
  }

  /** All changes until this time are known. */
  advance(time: number): void {
    this.#until = Math.max(this.#until, time)
    this.#since = Math.min(this.#since, time)
  }

  /** Covers only what is validated from this time on: any entry may have changed before. */
  begin(time: number): void {
    for (const entry of this.all()) this.extend(entry)
    this.#since = this.#until = time
  }

  /** The public IDs of the sites that include any of these documents. Two hashes are rarely equal: then one more is found. */
  touchedBy(documentIds: readonly string[]): Set<string> {
    const hashes = new Set(documentIds.map(hashOf))
    const touched = new Set<string>()
    for (const {publicId, documents} of this.#sites.values())
      if (documents.some((hash) => hashes.has(hash))) touched.add(publicId)
    return touched
  }

  /**
   * Visits every entry.
   * @param isFailing whether a site cannot be refreshed although upstream works. Its age says nothing about
   * the others.
   */
  status(now: number, isFailing: (publicId: string) => boolean = () => false) {
    let oldest: number | undefined
    let fromSnapshot = 0
    let invalidDocuments = 0
    for (const entry of this.#sites.values()) {
      this.extend(entry)
      if (isInUse(entry, now) && !isFailing(entry.publicId))
        oldest = Math.min(oldest ?? entry.validatedAt, entry.validatedAt)
      if (entry.fromSnapshot) fromSnapshot += 1
      invalidDocuments += entry.site?.invalid.length ?? 0
    }
    return {
      sites: this.#sites.size,
      /** Cached public IDs without a site. */
      absent: this.#absent.size,
      /** Age of the least recently confirmed site in use, in milliseconds. Failing sites do not count. */
      oldestInUse: oldest === undefined ? undefined : Math.max(0, now - oldest),
      /** Sites loaded from a snapshot and not yet confirmed by upstream. */
      fromSnapshot,
      /** Documents left out because they break a rule, over all sites. */
      invalidDocuments,
    }
  }
}

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
