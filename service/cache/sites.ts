import {LRUCache} from 'lru-cache'
import {revisionOf, type SiteSource} from '../content/source.ts'
import {type CompiledSite, compileSite} from '../site/compile.ts'
import {TagIndex} from './tagIndex.ts'

/** What is known of one public identifier. */
export type KnownSite = {
  /** `null`: the lake said that no published site has this identifier. */
  readonly site: CompiledSite | null
  /** When the lake last confirmed this, in milliseconds of the clock. */
  readonly validatedAt: number
}

type Entry = {
  site: CompiledSite | null
  validatedAt: number
  revision: string
  syncTags: readonly string[]
  /** After a change, or where one may have been missed, a request waits for the lake. */
  state: 'current' | 'doubted' | 'outdated'
  /** After a failed attempt the lake is left alone until then. */
  retryAt: number
}

/** A conversation with the lake about one public identifier, and what happened to its content meanwhile. */
type Refresh = {answer: Promise<Entry>; missed: {tags: Set<string>; all: boolean}}

export type SitesOptions = {
  source: SiteSource
  /** Bytes of compiled sites, roughly. */
  maxBytes: number
  /** Seconds that the last good answer may stand in while the lake cannot be asked. */
  maxStaleSeconds: number
  /** Told of each site as it is compiled, and of each attempt that failed. */
  observer: {
    compiled(publicId: string, site: CompiledSite): void
    failed(publicId: string, error: unknown): void
  }
  /** Milliseconds since some fixed moment. Tests move it. */
  clock?: () => number
}

/** Milliseconds after which an entry is confirmed with the lake in the background. */
const REVALIDATE_AFTER = 10_000

/** Milliseconds after which a request waits for that: `max-age`, so that nothing older passes for fresh. */
const CONFIRM_AFTER = 60_000

/** Milliseconds that a request waits for the lake where a last good answer exists. */
const PATIENCE = 500

/** Milliseconds between two attempts for one entry while the lake fails. */
const RETRY_AFTER = 1_000

/** Rounds of one refresh while its content keeps changing under it. */
const ROUNDS = 3

/**
 * The sites that the service serves, by public identifier: bounded, one query in flight for each, kept fresh by
 * live events, confirmed by age. An answer once given is given again, with its honest age, while the lake cannot
 * be asked.
 */
export class Sites {
  readonly #source: SiteSource
  readonly #observer: SitesOptions['observer']
  readonly #maxStale: number
  readonly #clock: () => number
  readonly #tags = new TagIndex()
  readonly #entries: LRUCache<string, Entry>
  readonly #refreshes = new Map<string, Refresh>()

  constructor({source, observer, maxBytes, maxStaleSeconds, clock = Date.now}: SitesOptions) {
    this.#source = source
    this.#observer = observer
    this.#maxStale = maxStaleSeconds * 1_000
    this.#clock = clock
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: sizeOf,
      dispose: (entry, publicId) => this.#tags.remove(publicId, entry.syncTags),
    })
  }

  /**
   * What is known of a public identifier: at once where that is fresh enough.
   * @param maxAge milliseconds since the lake last confirmed it, beyond which a request waits for the lake.
   * @throws when the lake cannot be asked and nothing good is left to stand in.
   */
  async get(publicId: string, maxAge = CONFIRM_AFTER): Promise<KnownSite> {
    const entry = this.#entries.get(publicId)
    if (!entry) return this.#refresh(publicId)

    const age = this.#clock() - entry.validatedAt
    if (age > this.#maxStale) return this.#refresh(publicId)
    const mayAsk = this.#clock() >= entry.retryAt
    if (entry.state === 'current' && age < maxAge) {
      if (age >= REVALIDATE_AFTER && mayAsk) this.#refresh(publicId).catch(() => {})
      return entry
    }
    return mayAsk ? this.#refreshOrStandIn(publicId, entry) : entry
  }

  /** Content behind these tags changed: the next request for each site that rests on one refetches it. */
  purgeTags(tags: readonly string[]): void {
    for (const publicId of this.#tags.touchedBy(tags)) {
      const entry = this.#entries.peek(publicId)
      if (entry) entry.state = 'outdated'
    }
    for (const {missed} of this.#refreshes.values()) for (const tag of tags) missed.tags.add(tag)
  }

  /** Changes may have been missed: the next request for each site compares its revision with the lake's. */
  doubtAll(): void {
    for (const entry of this.#entries.values()) if (entry.state === 'current') entry.state = 'doubted'
    for (const {missed} of this.#refreshes.values()) missed.all = true
  }

  async #refreshOrStandIn(publicId: string, lastGood: Entry): Promise<Entry> {
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<Entry>((resolve) => {
      timer = setTimeout(() => {
        // One visitor has waited in vain; the next ones need not.
        lastGood.retryAt = this.#clock() + RETRY_AFTER
        resolve(lastGood)
      }, PATIENCE)
    })
    return Promise.race([this.#refresh(publicId), patience])
      .catch(() => lastGood)
      .finally(() => clearTimeout(timer))
  }

  #refresh(publicId: string): Promise<Entry> {
    const running = this.#refreshes.get(publicId)
    if (running) return running.answer
    const missed = {tags: new Set<string>(), all: false}
    const answer = this.#askUntilSettled(publicId, missed).finally(() => this.#refreshes.delete(publicId))
    this.#refreshes.set(publicId, {answer, missed})
    return answer
  }

  /** Asks again while live events say that an answer was overtaken on its way. */
  async #askUntilSettled(publicId: string, missed: Refresh['missed']): Promise<Entry> {
    try {
      for (let round = 1; ; round++) {
        missed.tags.clear()
        missed.all = false
        const entry = await this.#ask(publicId)
        if (entry.syncTags.some((tag) => missed.tags.has(tag))) entry.state = 'outdated'
        else if (missed.all) entry.state = 'doubted'
        else return entry
        if (round === ROUNDS) return entry
      }
    } catch (error) {
      const entry = this.#entries.peek(publicId)
      if (entry) entry.retryAt = this.#clock() + RETRY_AFTER
      this.#observer.failed(publicId, error)
      throw error
    }
  }

  async #ask(publicId: string): Promise<Entry> {
    // The moment of asking, not of the answer: what changed in between is not in it.
    const askedAt = this.#clock()
    const known = this.#entries.peek(publicId)
    if (known && known.state !== 'outdated') {
      const revision = await this.#source.fetchRevision(publicId)
      if (revision === known.revision) return Object.assign(known, {validatedAt: askedAt, state: 'current'})
    }
    const {document, syncTags} = await this.#source.fetchSite(publicId)
    const site = document && compileSite(document)
    if (site) this.#observer.compiled(publicId, site)
    const entry: Entry = {
      site,
      validatedAt: askedAt,
      revision: revisionOf(document),
      syncTags,
      state: 'current',
      retryAt: 0,
    }
    this.#entries.set(publicId, entry)
    this.#tags.add(publicId, syncTags)
    return entry
  }
}

/** Bytes of an entry, roughly: two a character, and what the objects around them cost. */
function sizeOf(entry: Entry): number {
  const tools = entry.site?.tools ?? []
  return tools.reduce((sum, tool) => sum + 2 * tool.json.length + 512, 1_024)
}
