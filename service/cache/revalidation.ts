import {inBackground} from '../../common/background.ts'
import {wait} from '../../common/backoff.ts'
import {SiteError} from '../errors.ts'
import {type Changed, Changes} from '../upstream/changes.ts'
import {MAX_SILENCE} from '../upstream/eventStream.ts'
import {Comparisons, type ComparisonsOptions} from './comparisons.ts'
import {type Entry, isInUse} from './entries.ts'
import type {Refresher, RefresherOptions} from './refresher.ts'

/** How long after its last query upstream is asked again without an event, in milliseconds; and while no stream is open. */
const ASK_EVERY = 45_000
const ASK_EVERY_WITHOUT_STREAM = 10_000

/** The least time between two queries, in milliseconds. The events of a burst share one. */
const PAUSE = 300

/** How long hosted Sanity may return what was there before a change, in milliseconds: it is asked once more then. */
const LAG = 5_000

export type RevalidationOptions = RefresherOptions &
  Pick<ComparisonsOptions, 'now' | 'pause'> & {
    readonly refresher: Refresher
    /** Whether upstream acknowledges a change before all of its replicas return it, as hosted Sanity does. */
    readonly mayLag?: boolean | undefined
  }

/** What may have changed: documents that a query by date finds, or any. */
export type ChangeScope = 'dated' | 'any'

/**
 * Learns of changes in one way: whatever says that something changed wakes one query for what changed of all sites, which
 * names the sites to fetch again. Nothing is deleted: the old response is served until upstream returns a new one.
 */
export class Revalidation {
  readonly #options: RevalidationOptions
  readonly #comparisons: Comparisons
  readonly #changes: Changes
  readonly #pause: (milliseconds: number) => Promise<unknown>
  #isConnected = false
  /** The last sign of life of the stream of live events. */
  #aliveAt = Number.NEGATIVE_INFINITY
  #askedAt = Number.NEGATIVE_INFINITY
  /** Whether the last query found out what changed. */
  #isInformed = false
  /** What the next query is about, if one is due. */
  #due: ChangeScope | undefined
  #isAsking = false
  /** Settles when nothing is asked any more. */
  #asked: Promise<void> = Promise.resolve()
  /** Whether upstream is asked once more after a change, because it may lag, and which sites were fetched again since. */
  #isFollowing = false
  readonly #refetched = new Set<string>()

  constructor(options: RevalidationOptions) {
    this.#options = options
    this.#pause = options.pause ?? ((milliseconds) => wait(milliseconds, options.closing))
    this.#comparisons = new Comparisons(options)
    this.#changes = new Changes(options.source, options.clock)
  }

  /** Whether it is known what changed. If not, a site that a visitor asks for is compared with upstream. */
  get isInformed(): boolean {
    return this.#isInformed && this.#due === undefined
  }

  /** Revalidates an entry in the background. One that fails is fetched alone, unless it backs off. */
  revalidate(entry: Entry): void {
    const {refresher} = this.#options
    const isFailing = refresher.isFailing(entry.publicId)
    if (!entry.site || entry.isStale || isFailing) refresher.refreshInBackground(entry.publicId)
    else this.#comparisons.add(entry)
  }

  /** The stream of live events has connected or ended. What changed before may have no date since. */
  setConnected(isConnected: boolean): void {
    this.#isConnected = isConnected
    this.#aliveAt = this.#options.clock()
    this.wake(isConnected ? 'any' : 'dated')
  }

  /** Something arrived on the stream, after what it reported. */
  signOfLife(): void {
    const now = this.#options.clock()
    const silence = now - this.#aliveAt
    this.#aliveAt = now
    if (silence > MAX_SILENCE) this.wake('any')
    else if (this.#isConnected && this.isInformed && !this.#isAsking) this.#options.entries.advance(now)
  }

  /** A live event or a webhook says that something changed. */
  changed(): void {
    this.wake()
    if (!this.#options.mayLag || this.#isFollowing) return
    this.#isFollowing = true
    const onFailure = (error: unknown) => this.#options.events.emit('workFailed', error)
    void inBackground(() => this.#askOnceMore(), {onFailure})
  }

  async #askOnceMore(): Promise<void> {
    await this.#pause(LAG)
    this.#isFollowing = false
    if (this.#refetched.size === 0) this.wake()
    for (const publicId of this.#refetched) {
      const entry = this.#options.entries.peek(publicId)
      if (entry && isInUse(entry, this.#options.clock())) this.revalidate(entry)
    }
    this.#refetched.clear()
  }

  /** Something may have changed: asks upstream what. Never throws. */
  wake(scope: ChangeScope = 'dated'): void {
    if (this.#due !== 'any') this.#due = scope
    if (!this.#isAsking) this.#asked = this.#askWhileDue()
  }

  /** Asks for the first time when the first site is requested: later queries ask what changed since. */
  start(): void {
    if (this.#askedAt === Number.NEGATIVE_INFINITY) this.wake()
  }

  /** Asks again if that is due while sites are in use. Called every few seconds. Never rejects. */
  async keepFresh(): Promise<void> {
    const now = this.#options.clock()
    const longest = this.#isConnected ? ASK_EVERY : ASK_EVERY_WITHOUT_STREAM
    if (this.isInformed && now - this.#askedAt < longest) return
    if (![...this.#options.entries.all()].some((entry) => isInUse(entry, now))) return
    this.wake(this.#due)
    await this.#asked
  }

  /** Never rejects. */
  async #askWhileDue(): Promise<void> {
    const {breaker, closing} = this.#options
    this.#isAsking = true
    while (this.#due && !closing.aborted && !breaker.refusal('known')) {
      const rest = this.#askedAt + PAUSE - this.#options.clock()
      if (rest > 0) await this.#pause(Math.min(rest, PAUSE))
      const scope = this.#due
      this.#due = undefined
      if (await this.#ask(scope)) continue
      this.#due = this.#due === 'any' ? 'any' : scope
      break
    }
    this.#isAsking = false
  }

  /** @returns whether upstream said what changed. */
  async #ask(scope: ChangeScope): Promise<boolean> {
    const {clock, entries} = this.#options
    const askedAt = clock()
    this.#askedAt = askedAt
    try {
      const changed = await this.#changes.next()
      this.#isInformed = true
      if (!changed) entries.begin(clock())
      else {
        if (changed !== 'any') this.#refetch(changed)
        if (scope === 'any' || changed === 'any') this.#doubtAll(askedAt)
        else entries.advance(askedAt)
      }
    } catch (error) {
      this.#isInformed = false
      // Upstream works, but refuses this query or is too slow for it.
      if (error instanceof SiteError) this.#compareInUse()
    }
    return this.#isInformed
  }

  /** Fetches the sites again that a change affects: those in use at once, so that no visitor waits. */
  #refetch(changed: readonly Changed[]): void {
    const {clock, entries, mayLag, refresher} = this.#options
    const affected = entries.touchedBy(changed.map(({documentId}) => documentId))
    for (const {publicId} of changed) if (publicId !== undefined) affected.add(publicId)
    refresher.overtake(affected)
    for (const publicId of affected) {
      refresher.retryNow(publicId)
      const entry = entries.peek(publicId)
      if (!entry) continue
      entries.extend(entry)
      entry.isStale = true
      if (entry.site && isInUse(entry, clock())) refresher.refreshInBackground(publicId)
    }
    if (mayLag) for (const publicId of affected) this.#refetched.add(publicId)
  }

  /** Any site may have changed: compares those in use now, and fetches others when they are requested. */
  #doubtAll(askedAt: number): void {
    const {clock, entries, refresher} = this.#options
    entries.begin(askedAt)
    refresher.overtake()
    for (const entry of entries.all()) {
      // The change may be of the same millisecond.
      entry.validatedAt = Math.min(entry.validatedAt, askedAt - 1)
      if (!entry.site || !isInUse(entry, clock())) entry.isStale = true
    }
    this.#compareInUse()
  }

  /** Sites that earlier comparisons did not reach come first, then those that were requested last. */
  #compareInUse(): void {
    const {clock, entries} = this.#options
    const inUse = [...entries.sites()].filter((entry) => isInUse(entry, clock()))
    const uncovered = inUse.filter((entry) => !this.isInformed || !entries.covers(entry))
    for (const entry of uncovered.sort((a, b) => a.validatedAt - b.validatedAt)) this.revalidate(entry)
  }
}
