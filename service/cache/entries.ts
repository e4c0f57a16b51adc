import {LRUCache} from 'lru-cache'
import {type CompiledSite, revisionsIn} from '../site/compiledSite.ts'
import {KeyIndex} from './keyIndex.ts'

/** The cached upstream response for one public ID, and how far to trust it. */
export type Entry = {
  readonly publicId: string
  /** `null` if no published site has this public ID. */
  readonly site: CompiledSite | null
  /** Revision of the whole site, see `revisionOf`. */
  readonly revision: string
  /**
   * When this was last known to be what upstream has, in milliseconds of the clock. See `Freshness.extend`.
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
  /** Bytes of `site.configs` when `Entries` last counted them. */
  countedConfigBytes: number
}

/** An entry as upstream or a snapshot has it. */
export function entryOf(state: Omit<Entry, 'isStale' | 'countedConfigBytes'>): Entry {
  return {...state, isStale: false, countedConfigBytes: 0}
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

/** The cache entries: limited in size, indexed by document. */
export class Entries {
  readonly #sites: LRUCache<string, Entry>
  readonly #absent: LRUCache<string, Entry>
  /** The entry that is being deleted and added again, to update its size. */
  #recounted: Entry | undefined
  readonly #index = new KeyIndex()

  /** @param maxBytes approximate limit for all sites together. */
  constructor(maxBytes: number) {
    const dispose = (entry: Entry) => {
      if (entry !== this.#recounted) this.#index.remove(entry.publicId, keysOf(entry))
    }
    this.#sites = new LRUCache({maxSize: maxBytes, sizeCalculation: sizeOf, dispose})
    this.#absent = new LRUCache({max: MAX_ABSENT, dispose})
  }

  /** Returns an entry and marks it as recently used. */
  get(publicId: string): Entry | undefined {
    const entry = this.#sites.get(publicId)
    if (!entry) return this.#absent.get(publicId)
    if (entry.site && entry.site.configs.bytes !== entry.countedConfigBytes) this.#recount(entry, entry.site)
    return entry
  }

  /** Returns an entry without marking it as used. */
  peek(publicId: string): Entry | undefined {
    return this.#sites.peek(publicId) ?? this.#absent.peek(publicId)
  }

  /** Stores an entry, replacing the one with the same public ID. */
  set(entry: Entry): void {
    const {publicId} = entry
    const [target, other] = entry.site ? [this.#sites, this.#absent] : [this.#absent, this.#sites]
    other.delete(publicId)
    entry.countedConfigBytes = entry.site?.configs.bytes ?? 0
    target.set(publicId, entry)
    // A site larger than the whole cache is not stored.
    if (target.peek(publicId) === entry) this.#index.add(publicId, keysOf(entry))
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

  /** Returns the public IDs whose responses include any of these documents. */
  touchedBy(keys: readonly string[]): Set<string> {
    return this.#index.touchedBy(keys)
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

  /** Configs are built on request, after their site was measured. */
  #recount(entry: Entry, {configs}: CompiledSite): void {
    // lru-cache does not recompute the size of a value that it already holds.
    this.#recounted = entry
    this.#sites.delete(entry.publicId)
    entry.countedConfigBytes = configs.bytes
    this.#sites.set(entry.publicId, entry)
    this.#recounted = undefined
  }
}

function keysOf({site}: Entry): string[] {
  return site ? revisionsIn(site).map(({documentId}) => documentId) : []
}

/** Approximate size of an entry in bytes: the site, its cached configs and its index keys. */
export function sizeOf({site, countedConfigBytes}: Entry): number {
  return site ? site.bytes + countedConfigBytes : 0
}
