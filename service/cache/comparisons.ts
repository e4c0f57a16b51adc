import {setImmediate, setTimeout} from 'node:timers/promises'
import {SiteError} from '../errors.ts'
import type {SiteSource} from '../upstream/source.ts'
import type {Entries, Entry} from './entries.ts'
import type {Refresher} from './refresher.ts'

/** Maximum sites of a query, and of documents in them. The lake needs about 30 ms for so many. */
const MAX_SITES = 500
const MAX_DOCUMENTS = 5_000

/** How long after a failure of upstream a batch is compared again, in milliseconds. */
const RETRY_AFTER = 1_000

export type ComparisonsOptions = {
  source: Pick<SiteSource, 'fetchRevisions'>
  entries: Pick<Entries, 'peek'>
  clock: () => number
  refresher: Pick<Refresher, 'refreshInBackground' | 'confirm' | 'fail'>
}

/**
 * Compares cached sites with upstream by revision, in large batches, and refetches those that differ. After a
 * batch it pauses for as long as the batch took, so that upstream has time for others. While upstream is unavailable, the
 * sites wait: live events cover none that was not compared since they began.
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
    if (!this.#isRunning) void this.#run()
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    this.#isRunning = true
    // The entries of one turn of the event loop share a batch.
    await setImmediate()
    while (this.#waiting.size > 0) {
      const began = performance.now()
      const batch = this.#nextBatch()
      const isCompared = batch.length === 0 || (await this.#compare(batch))
      if (isCompared) for (const {publicId} of batch) this.#waiting.delete(publicId)
      await setTimeout(isCompared ? performance.now() - began : RETRY_AFTER, undefined, {ref: false})
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
      if (batch.length === MAX_SITES || (batch.length > 0 && documents > MAX_DOCUMENTS)) break
      batch.push(entry)
    }
    return batch
  }

  /** @returns whether the sites need not be compared again. */
  async #compare(batch: readonly Entry[]): Promise<boolean> {
    const {source, entries, clock, refresher} = this.#options
    const askedAt = clock()
    try {
      const revisions = await source.fetchRevisions(
        batch.map(({publicId}) => publicId),
        'known',
      )
      for (const entry of batch) {
        if (entry.isStale || entries.peek(entry.publicId) !== entry) continue
        if (revisions.get(entry.publicId) === entry.revision) refresher.confirm(entry, askedAt)
        else {
          entry.isStale = true
          refresher.refreshInBackground(entry.publicId)
        }
      }
      return true
    } catch (error) {
      // One of the sites makes upstream refuse the query. If each is fetched alone, the others succeed.
      const isRefused = error instanceof SiteError
      for (const {publicId} of batch) {
        if (isRefused) refresher.refreshInBackground(publicId)
        else refresher.fail(publicId, error)
      }
      return isRefused
    }
  }
}
