import {setImmediate} from 'node:timers/promises'
import {inBackground} from '../../common/background.ts'
import {backoffDelay, wait} from '../../common/backoff.ts'
import {SiteError} from '../errors.ts'
import type {ServiceEvents} from '../events.ts'
import type {SiteSource} from '../upstream/source.ts'
import type {Entries, Entry} from './entries.ts'
import type {Refresher} from './refresher.ts'

/** Maximum sites of a query, and of documents in them. The lake needs about 30 ms for so many. */
const MAX_SITES = 500
const MAX_DOCUMENTS = 5_000

/** How long after a failure of upstream a batch is compared again, in milliseconds. The circuit breaker has its own. */
const RETRY_AFTER = 1_000

/**
 * How long after a batch that upstream refused, or did not compare in time, a smaller one is sent, in milliseconds: longer
 * with each of them.
 */
const AFTER_FAILURE = {first: 20, longest: 1_000}

/** A batch that takes longer is not followed by a larger one, in milliseconds: well below the timeout of a query. */
const QUICK = 1_000

export type ComparisonsOptions = {
  readonly source: Pick<SiteSource, 'fetchRevisions'>
  readonly entries: Pick<Entries, 'peek'>
  readonly clock: () => number
  readonly events: ServiceEvents
  readonly refresher: Pick<Refresher, 'refreshInBackground' | 'confirm' | 'fail'>
  /** Aborts when the service is closed: nothing is compared any more. */
  readonly closing: AbortSignal
  /** Milliseconds of a clock that is never set. */
  readonly now?: () => number
  /** Waits between two batches, for so many milliseconds: by default in real time. */
  readonly pause?: (milliseconds: number) => Promise<unknown>
}

/**
 * Compares cached sites with upstream by revision, in large batches, and refetches those that differ. After a
 * batch it pauses for as long as the batch took, so that upstream has time for others. While upstream is unavailable, the
 * sites wait: live events cover none that was not compared since they began. If upstream refuses a batch or is too slow for it,
 * other sites come first, in smaller batches, until the site that is at fault is alone.
 */
export class Comparisons {
  readonly #options: ComparisonsOptions
  readonly #pause: (milliseconds: number) => Promise<unknown>
  readonly #now: () => number
  /** Public IDs. */
  readonly #waiting = new Set<string>()
  #isRunning = false
  /** Sites of the next batch. */
  #size = MAX_SITES
  /** Batches that failed since upstream compared one. */
  #failures = 0

  constructor(options: ComparisonsOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.#pause = options.pause ?? ((milliseconds) => wait(milliseconds, options.closing))
  }

  /** Compares an entry in the background. */
  add({publicId}: Entry): void {
    this.#waiting.add(publicId)
    if (this.#isRunning) return
    this.#isRunning = true
    const {events, closing: signal} = this.#options
    void inBackground(() => this.#run(), {
      onFailure: (error) => events.emit('workFailed', error),
      retry: {first: RETRY_AFTER, longest: RETRY_AFTER, signal},
    })
  }

  async #run(): Promise<void> {
    // The entries of one turn of the event loop share a batch.
    await setImmediate()
    while (this.#waiting.size > 0 && !this.#options.closing.aborted) {
      const batch = this.#nextBatch()
      await this.#pause(batch.length === 0 ? 0 : await this.#compare(batch))
    }
    this.#isRunning = false
  }

  #nextBatch(): Entry[] {
    const batch: Entry[] = []
    let documents = 0
    for (const publicId of this.#waiting) {
      const entry = this.#options.entries.peek(publicId)
      if (!entry || entry.isStale) {
        this.#waiting.delete(publicId)
        continue
      }
      documents += 1 + (entry.site?.count ?? 0) + (entry.site?.invalid.length ?? 0)
      if (batch.length === this.#size || (batch.length > 0 && documents > MAX_DOCUMENTS)) break
      batch.push(entry)
    }
    return batch
  }

  /** @returns how long to wait before the next batch, in milliseconds. */
  async #compare(batch: readonly Entry[]): Promise<number> {
    const {source, entries, clock, refresher} = this.#options
    const [began, askedAt] = [this.#now(), clock()]
    try {
      const publicIds = batch.map(({publicId}) => publicId)
      const served = new Set(batch.flatMap(({site}) => site?.documentId ?? []))
      const revisions = await source.fetchRevisions(publicIds, 'known', served)
      for (const entry of batch) {
        this.#waiting.delete(entry.publicId)
        if (entry.isStale || entries.peek(entry.publicId) !== entry) continue
        if (revisions.get(entry.publicId) === entry.revision) refresher.confirm(entry, askedAt)
        else {
          entry.isStale = true
          refresher.refreshInBackground(entry.publicId)
        }
      }
      const took = this.#now() - began
      this.#failures = 0
      if (took < QUICK) this.#size = Math.min(MAX_SITES, this.#size * 2)
      return took
    } catch (error) {
      if (error instanceof SiteError) return this.#divide(batch)
      for (const {publicId} of batch) refresher.fail(publicId, error)
      return RETRY_AFTER
    }
  }

  /** Upstream works, but refuses a query because of one of its sites, or is too slow for it. */
  #divide(batch: readonly Entry[]): number {
    for (const {publicId} of batch) {
      this.#waiting.delete(publicId)
      if (batch.length > 1) this.#waiting.add(publicId)
      else this.#options.refresher.refreshInBackground(publicId)
    }
    this.#size = Math.ceil(batch.length / 2)
    this.#failures += 1
    return backoffDelay(this.#failures, AFTER_FAILURE)
  }
}
