import {SiteError} from '../errors.ts'
import type {ServiceEvents} from '../events.ts'
import {type CompiledSite, compileSite} from '../site/compile.ts'
import type {UpstreamCircuitBreaker, Way} from '../upstream/circuitBreaker.ts'
import {revisionOf} from '../upstream/siteDocument.ts'
import type {SiteAnswer, SiteSource} from '../upstream/source.ts'
import type {Entries, Entry} from './entries.ts'
import {ExpectedRevisions} from './expectedRevisions.ts'
import {SiteBackoff} from './siteBackoff.ts'

/** A conversation with the lake about one public identifier, and what happened to its content meanwhile. */
type Refresh = {answer: Promise<Entry>; missed: {tags: Set<string>; changed: boolean; doubted: boolean}}

export type RefresherOptions = {
  source: SiteSource
  gate: Pick<UpstreamCircuitBreaker, 'refusal'>
  entries: Entries
  events: ServiceEvents
  clock: () => number
  /** How much memory one site may take. */
  maxSiteBytes: number
  /** Whether a public identifier that is not cached is known all the same to have, or to have had, a site. */
  isKnown: (publicId: string) => boolean
  /** Told of each entry that the lake confirmed or gave. */
  onConfirmed: (entry: Entry) => void
}

/** Milliseconds between two attempts for one entry while the lake fails, at most. */
const RETRY_AFTER = 1_000

/** Rounds of one refresh while its content keeps changing under it. */
const ROUNDS = 3

/** Asks the lake for entries: one query in flight for each, and again while what it says is overtaken on its way. */
export class Refresher {
  readonly #options: RefresherOptions
  readonly #refreshes = new Map<string, Refresh>()
  readonly #backoff = new SiteBackoff()

  constructor(options: RefresherOptions) {
    this.#options = options
  }

  /**
   * Asks for a public identifier, or joins whoever asks already.
   * @throws when the lake cannot be asked.
   */
  refresh(publicId: string): Promise<Entry> {
    const running = this.#refreshes.get(publicId)
    if (running) return running.answer
    const pending = this.#backoff.pending(publicId, this.#options.clock())
    if (pending) return Promise.reject(pending)
    const refusal = this.#options.gate.refusal(this.#wayOf(publicId))
    if (refusal) return Promise.reject(this.#failed(publicId, refusal))
    const missed = {tags: new Set<string>(), changed: false, doubted: false}
    const answer = this.#askUntilSettled(publicId, missed).finally(() => this.#refreshes.delete(publicId))
    this.#refreshes.set(publicId, {answer, missed})
    return answer
  }

  /** How many sites cannot be refreshed, while upstream is well. */
  get failing(): number {
    return this.#backoff.size
  }

  /** Whether this site cannot be refreshed, while upstream is well. */
  isFailing(publicId: string): boolean {
    return this.#backoff.has(publicId)
  }

  /** Ends the back-off of a site that changed. */
  retryNow(publicId: string): void {
    this.#backoff.retryNow(publicId)
  }

  /** Whether the lake is being asked for a public identifier. */
  isAsking(publicId: string): boolean {
    return this.#refreshes.has(publicId)
  }

  /** Asks without anybody waiting, where it is not too early to ask again. */
  refreshBehind({publicId, retryAt}: Entry): void {
    if (this.#options.clock() >= retryAt) this.refresh(publicId).catch(() => {})
  }

  /** Content behind these tags changed: answers on their way may be from before. */
  missTags(tags: readonly string[]): void {
    for (const {missed} of this.#refreshes.values()) for (const tag of tags) missed.tags.add(tag)
  }

  /** The content of this public identifier changed. */
  missChange(publicId: string): void {
    const refresh = this.#refreshes.get(publicId)
    if (refresh) refresh.missed.changed = true
  }

  /** Anything may have changed. */
  missAll(): void {
    for (const {missed} of this.#refreshes.values()) missed.doubted = true
  }

  async #askUntilSettled(publicId: string, missed: Refresh['missed']): Promise<Entry> {
    try {
      for (let round = 1; ; round++) {
        missed.tags.clear()
        missed.changed = missed.doubted = false
        const entry = await this.#ask(publicId)
        if (this.#backoff.recover(publicId)) this.#options.events.emit('recovered', publicId)
        if (missed.changed || entry.syncTags.some((tag) => missed.tags.has(tag))) entry.state = 'outdated'
        else if (missed.doubted) entry.state = 'doubted'
        else return entry
        if (round === ROUNDS) return entry
      }
    } catch (error) {
      throw this.#failed(publicId, error)
    }
  }

  /** Backs off: a site that fails alone for longer each time, and any other for a moment, as the gate has its own back-off. */
  #failed(publicId: string, error: unknown): unknown {
    const {entries, events, clock} = this.#options
    const entry = entries.peek(publicId)
    const retryAt =
      error instanceof SiteError
        ? this.#backoff.fail(publicId, error, clock())
        : clock() + RETRY_AFTER * (0.5 + Math.random() / 2)
    if (entry) entry.retryAt = retryAt
    events.emit('failed', publicId, error)
    return error
  }

  #wayOf(publicId: string): Way {
    const {entries, isKnown} = this.#options
    return entries.peek(publicId)?.site || isKnown(publicId) ? 'known' : 'unknown'
  }

  async #ask(publicId: string): Promise<Entry> {
    const {source, entries, events, clock, maxSiteBytes, onConfirmed} = this.#options
    // The moment of asking, not of the answer: what changed in between is not in it.
    const askedAt = clock()
    const known = entries.peek(publicId)
    const way = this.#wayOf(publicId)
    const {documentIds = [], unseen = []} = known?.expectations.due(askedAt) ?? {}
    if (unseen.length > 0) events.emit('unseen', publicId, unseen)
    if (known && known.state !== 'outdated' && documentIds.length === 0) {
      const revision = await source.fetchRevision(publicId, way)
      if (revision === known.revision) {
        Object.assign(known, {validatedAt: askedAt, state: 'current', fromSnapshot: false, retryAt: 0})
        onConfirmed(known)
        return known
      }
    }
    const answer = await source.fetchSite(publicId, way, documentIds)
    const before = entries.peek(publicId)?.site
    const site = answer.document && (await compileSite(answer.document, before, maxSiteBytes))
    return this.#take(publicId, askedAt, answer, site, documentIds)
  }

  /** Makes an answer the entry, unless it is older than the one that is there. */
  #take(
    publicId: string,
    askedAt: number,
    answer: SiteAnswer,
    site: CompiledSite | null,
    documentIds: readonly string[],
  ): Entry {
    const {entries, events, clock, onConfirmed} = this.#options
    const {document, syncTags} = answer
    const before = entries.peek(publicId)
    const expectations = before?.expectations ?? new ExpectedRevisions()
    const verdict = expectations.judge(answer, documentIds, clock())
    if (before && verdict === 'older') return this.#lookAgain(before)

    if (site) events.emit('compiled', publicId, site)
    const entry: Entry = {
      publicId,
      site,
      revision: revisionOf(document),
      syncTags,
      expectations,
      validatedAt: askedAt,
      usedAt: before?.usedAt ?? askedAt,
      state: 'current',
      fromSnapshot: false,
      retryAt: 0,
    }
    entries.set(entry)
    onConfirmed(entry)
    return verdict === 'lagging' ? this.#lookAgain(entry) : entry
  }

  /** The lake does not show yet what was announced: what is there is served meanwhile, and nobody waits. */
  #lookAgain(entry: Entry): Entry {
    const {entries, clock} = this.#options
    const pause = entry.expectations.nextLook()
    entry.state = 'outdated'
    entry.retryAt = clock() + pause
    setTimeout(() => {
      const now = entries.peek(entry.publicId)
      if (now && now.state !== 'current') this.refresh(entry.publicId).catch(() => {})
    }, pause).unref()
    return entry
  }
}
