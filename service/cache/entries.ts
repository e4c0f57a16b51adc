import {LRUCache} from 'lru-cache'
import {type CompiledSite, revisionsIn} from '../site/compile.ts'
import type {ExpectedRevisions} from './expectedRevisions.ts'
import {KeyIndex} from './keyIndex.ts'

/** What the lake said of one public identifier, and how far that is to be trusted. */
export type Entry = {
  readonly publicId: string
  /** `null`: no published site has this public identifier. */
  readonly site: CompiledSite | null
  /** Of the whole site: see `revisionOf`. */
  readonly revision: string
  readonly syncTags: readonly string[]
  /** Revisions that were announced, and that the next answers must show. */
  readonly expectations: ExpectedRevisions
  /** When the lake last confirmed this, in milliseconds of the clock. */
  validatedAt: number
  /** When somebody last asked for it. */
  usedAt: number
  /** After a change, or where one may have been missed, a request waits for the lake. */
  state: 'current' | 'doubted' | 'outdated'
  /** It was read from disk, and the lake has not confirmed it since. */
  fromSnapshot: boolean
  /** The lake is left alone with this until then: after a failed attempt, or while it lags behind. */
  retryAt: number
  /** Bytes of `site.configs` when `Entries` last counted them. */
  countedConfigBytes?: number
}

/** What the cache holds. */
export type SitesStatus = {
  sites: number
  /** Public identifiers that are remembered to have no site. */
  absent: number
  /** Milliseconds since the lake confirmed the site in use whose confirmation is the oldest, failing ones left out. */
  oldestInUse: number | undefined
  /** Sites that come from a snapshot and that the lake has not confirmed since. */
  fromSnapshot: number
  /** Documents of all sites that break a rule and are left out. */
  invalidDocuments: number
  /** Sites that cannot be refreshed while upstream is well. */
  failing: number
}

/** Milliseconds after its last use that an entry is still kept fresh ahead of requests: two polls of a page. */
const IN_USE = 600_000

/** Says whether somebody asked for an entry not long ago. */
export function isInUse({usedAt}: Entry, now: number): boolean {
  return now - usedAt < IN_USE
}

/** Public identifiers that are remembered to have no site. Strangers make them up, so they have a place of their own. */
const MAX_ABSENT = 10_000

/** The entries, bounded, and found by what they rest on. */
export class Entries {
  readonly #sites: LRUCache<string, Entry>
  readonly #absent: LRUCache<string, Entry>
  /** The entry that leaves its cache and comes back in the same moment. */
  #recounted: Entry | undefined
  readonly #byTag = new KeyIndex()
  readonly #byDocument = new KeyIndex()

  /** @param maxBytes of all sites together, roughly. */
  constructor(maxBytes: number) {
    const dispose = (entry: Entry) => {
      if (entry !== this.#recounted) this.#unlist(entry)
    }
    this.#sites = new LRUCache({maxSize: maxBytes, sizeCalculation: sizeOf, dispose})
    this.#absent = new LRUCache({max: MAX_ABSENT, dispose})
  }

  /** An entry that somebody asks for: what is asked for is kept longest. */
  get(publicId: string): Entry | undefined {
    const entry = this.#sites.get(publicId)
    if (!entry) return this.#absent.get(publicId)
    if (entry.site && entry.site.configs.bytes !== entry.countedConfigBytes) this.#recount(entry, entry.site)
    return entry
  }

  /** An entry, without a change to how long it is kept. */
  peek(publicId: string): Entry | undefined {
    return this.#sites.peek(publicId) ?? this.#absent.peek(publicId)
  }

  /** Takes an entry in place of the one with its public identifier. */
  set(entry: Entry): void {
    const {publicId} = entry
    const [target, other] = entry.site ? [this.#sites, this.#absent] : [this.#absent, this.#sites]
    other.delete(publicId)
    entry.countedConfigBytes = entry.site?.configs.bytes ?? 0
    target.set(publicId, entry)
    // A site larger than all of the cache is not kept.
    if (target.peek(publicId) === entry) this.#list(entry)
  }

  /** Every entry that has a site. */
  sites(): IterableIterator<Entry> {
    return this.#sites.values()
  }

  /** Every entry. */
  *all(): IterableIterator<Entry> {
    yield* this.#sites.values()
    yield* this.#absent.values()
  }

  /** The public identifiers whose answers rest on any of these sync tags. */
  restingOnTags(tags: readonly string[]): Set<string> {
    return this.#byTag.touchedBy(tags)
  }

  /** The public identifiers whose answers are made of any of these documents. */
  madeOf(documentIds: readonly string[]): Set<string> {
    return this.#byDocument.touchedBy(documentIds)
  }

  /**
   * Looks at every entry.
   * @param isFailing whether a site cannot be refreshed while upstream is well: its age says nothing of the others.
   */
  status(now: number, isFailing: (publicId: string) => boolean = () => false): Omit<SitesStatus, 'failing'> {
    let oldest: number | undefined
    let fromSnapshot = 0
    let invalidDocuments = 0
    for (const entry of this.#sites.values()) {
      if (isInUse(entry, now) && !isFailing(entry.publicId))
        oldest = Math.min(oldest ?? entry.validatedAt, entry.validatedAt)
      if (entry.fromSnapshot) fromSnapshot++
      invalidDocuments += entry.site?.invalid.length ?? 0
    }
    return {
      sites: this.#sites.size,
      absent: this.#absent.size,
      oldestInUse: oldest === undefined ? undefined : Math.max(0, now - oldest),
      fromSnapshot,
      invalidDocuments,
    }
  }

  /** Configs are made as they are asked for, after their site was counted. */
  #recount(entry: Entry, {configs}: CompiledSite): void {
    // lru-cache would not count the value again that it has already.
    this.#recounted = entry
    this.#sites.delete(entry.publicId)
    entry.countedConfigBytes = configs.bytes
    this.#sites.set(entry.publicId, entry)
    this.#recounted = undefined
  }

  #list({publicId, syncTags, site}: Entry): void {
    this.#byTag.add(publicId, syncTags)
    this.#byDocument.add(publicId, documentIdsOf(site))
  }

  #unlist({publicId, syncTags, site}: Entry): void {
    this.#byTag.remove(publicId, syncTags)
    this.#byDocument.remove(publicId, documentIdsOf(site))
  }
}

function documentIdsOf(site: CompiledSite | null): string[] {
  return site ? revisionsIn(site).map(({documentId}) => documentId) : []
}

/** Bytes of a sync tag in the entry and in the index of all. That of each document is counted with its tool. */
const TAG_BYTES = 100

/** Bytes of an entry, roughly: the site itself, the configs that were asked for, and what it is found by. */
function sizeOf({site, syncTags, countedConfigBytes = 0}: Entry): number {
  if (!site) return 0
  const moreTags = Math.max(0, syncTags.length - site.tools.length - 1)
  return site.bytes + countedConfigBytes + TAG_BYTES * moreTags
}
