import {type ChangesResponse, MAX_CHANGED} from './responses.ts'
import type {SiteSource} from './source.ts'

/**
 * How far a query looks back before the previous one, in milliseconds of upstream's clock. Hosted Sanity may
 * return a change some time after its date.
 */
const OVERLAP = 120_000

/**
 * Interval in milliseconds after which a deletion counts as possible if anything changed. A deletion can hide:
 * another document that was published for the first time, from an old draft, keeps the number of documents.
 */
const HIDDEN_FOR = 3_600_000

/** A document that changed, and the public ID of the site that it is or belongs to. */
export type Changed = {readonly documentId: string; readonly publicId: string | undefined}

/**
 * Finds what changed upstream, with one query for all sites: which documents changed since the previous query, and
 * how many there are.
 */
export class Changes {
  readonly #source: Pick<SiteSource, 'fetchChanges'>
  readonly #clock: () => number
  #before: ChangesResponse | undefined
  #hasChanges = false
  /** When the result was last `any`. */
  #anyAt: number

  constructor(source: Pick<SiteSource, 'fetchChanges'>, clock: () => number) {
    this.#source = source
    this.#clock = clock
    this.#anyAt = clock()
  }

  /**
   * Returns what changed since the previous query; or `any` if another document may have changed or was deleted. Undefined
   * for the first query, with which the next one compares.
   * @throws UpstreamError when upstream is unavailable or refuses the query.
   */
  async next(): Promise<readonly Changed[] | 'any' | undefined> {
    const before = this.#before
    const previously = before ? Date.parse(before.now) : this.#clock()
    const since = new Date(previously - OVERLAP).toISOString()
    const response = await this.#source.fetchChanges(since)
    this.#before = response
    this.#hasChanges ||= response.changed.length > 0
    const isDue = this.#hasChanges && this.#clock() - this.#anyAt >= HIDDEN_FOR
    if (!before) return undefined
    if (!isDue && areAll(before, response, since)) return newIn(response, before)
    this.#anyAt = this.#clock()
    this.#hasChanges = false
    return 'any'
  }
}

/** Whether a response has all documents that changed since the one before, none was deleted, and none came without a trace. */
function areAll(before: ChangesResponse, response: ChangesResponse, since: string): boolean {
  const {now, count, changed, undated} = response
  // Upstream's clock was set back, so a change may have a date before `since`.
  if (Date.parse(now) < Date.parse(since) || changed.length === MAX_CHANGED) return false
  const seen = new Set(before.changed.map(({_id}) => _id))
  const unseen = changed.filter(({_id}) => !seen.has(_id))
  const created = unseen.filter(({_createdAt}) => _createdAt > since)
  const grown = count - before.count
  return undated === before.undated && grown >= created.length && grown <= unseen.length
}

/** The documents of a response that the one before did not have in this revision. */
function newIn({changed}: ChangesResponse, before: ChangesResponse): Changed[] {
  const seen = new Set(before.changed.map(({_id, _rev}) => `${_id}@${_rev}`))
  return changed
    .filter(({_id, _rev}) => !seen.has(`${_id}@${_rev}`))
    .map(({_id, publicId}) => ({
      documentId: _id,
      publicId: typeof publicId === 'string' ? publicId : undefined,
    }))
}
