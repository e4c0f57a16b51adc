import {setImmediate} from 'node:timers/promises'
import {inBackground} from '../../common/background.ts'
import {wait} from '../../common/backoff.ts'
import {SiteError} from '../errors.ts'
import type {SiteSource} from '../upstream/source.ts'
import type {Entries, Entry} from './entries.ts'
import type {Refresher, RefresherOptions} from './refresher.ts'

/** Maximum sites of a query. The lake needs about 30 ms for so many. */
const MAX_SITES = 500

/** How long after a failure of upstream a batch is compared again, in milliseconds. The circuit breaker has its own. */
const RETRY_AFTER = 1_000

export type ComparisonsOptions = Pick<RefresherOptions, 'clock' | 'events' | 'closing'> & {
  readonly source: Pick<SiteSource, 'fetchRevisions'>
  readonly entries: Pick<Entries, 'peek'>
  readonly refresher: Pick<Refresher, 'refreshInBackground' | 'confirm' | 'fail'>
  /** Milliseconds of a clock that is never set. */
  readonly now?: () => number
  /** Waits between two batches, for so many milliseconds: by default in real time. */
  readonly pause?: (milliseconds: number) => Promise<unknown>
}

/**
 * Compares cached sites with upstream by revision, in large batches, and refetches those that differ. After a
 * batch it pauses for as long as the batch took, so that upstream has time for others. While upstream is unavailable, the
 * sites wait: live events cover none that was not compared since they began. If upstream refuses a batch or is too slow for it,
 * each of its sites is fetched.
 */
export class Comparisons {
  readonly #options: ComparisonsOptions
  /** Public IDs. */
  readonly #waiting = new Set<string>()
  #isRunning = false

  constructor(options: ComparisonsOptions) {
    this.#options = options
  }

  /** Compares an entry in the background. */
  add({publicId}: Entry): void {
    this.#waiting.add(publicId)
    if (this.#isRunning) return
    this.#isRunning = true
    const onFailure = (error: unknown) => this.#options.events.emit('workFailed', error)
    void inBackground(() => this.#run(), {onFailure})
  }

  async #run(): Promise<void> {
    const {closing, pause = (milliseconds) => wait(milliseconds, closing)} = this.#options
    // The entries of one turn of the event loop share a batch.
    await setImmediate()
    while (this.#waiting.size > 0 && !closing.aborted) {
      const batch = this.#nextBatch()
      await pause(batch.length === 0 ? 0 : await this.#compare(batch))
    }
    this.#isRunning = false
  }

  #nextBatch(): Entry[] {
    const batch: Entry[] = []
    for (const publicId of this.#waiting) {
      const entry = this.#options.entries.peek(publicId)
      if (!entry || entry.isStale) this.#waiting.delete(publicId)
      else if (batch.push(entry) === MAX_SITES) break
    }
    return batch
  }

  /** @returns how long to wait before the next batch, in milliseconds. */
  async #compare(batch: readonly Entry[]): Promise<number> {
    const {source, entries, clock, refresher, now = () => performance.now()} = this.#options
    const [began, askedAt] = [now(), clock()]
    const publicIds = batch.map(({publicId}) => publicId)
    try {
      const served = new Set(batch.flatMap(({site}) => site?.documentId ?? []))
      const revisions = await source.fetchRevisions(publicIds, 'known', served)
      for (const entry of batch) {
        if (entry.isStale || entries.peek(entry.publicId) !== entry) continue
        if (revisions.get(entry.publicId) === entry.revision) refresher.confirm(entry, askedAt)
        else {
          entry.isStale = true
          refresher.refreshInBackground(entry.publicId)
        }
      }
    } catch (error) {
      if (!(error instanceof SiteError)) {
        for (const publicId of publicIds) refresher.fail(publicId, error)
        return RETRY_AFTER
      }
      for (const publicId of publicIds) refresher.refreshInBackground(publicId)
    }
    for (const publicId of publicIds) this.#waiting.delete(publicId)
    return now() - began
  }
}
