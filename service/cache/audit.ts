import {revisionsIn} from '../site/compiledSite.ts'
import {type ChangedDocument, type ChangesResponse, MAX_CHANGED} from '../upstream/responses.ts'
import type {SiteSource} from '../upstream/source.ts'
import type {Entries, Entry} from './entries.ts'

/**
 * How far an audit looks back before the previous one, in milliseconds of upstream's clock. Hosted Sanity may
 * return a change some time after its date.
 */
const OVERLAP = 120_000

/**
 * Interval in milliseconds after which all sites are doubtful if anything changed. A deletion can hide: another
 * document that was published for the first time, from an old draft, keeps the number of documents.
 */
const HIDDEN_FOR = 3_600_000

export type AuditOptions = {
  source: Pick<SiteSource, 'fetchChanges'>
  entries: Pick<Entries, 'peek' | 'touchedBy'>
  clock: () => number
}

/**
 * Finds changes that no live event reported, with one query for all sites: which documents changed since the
 * previous audit, and how many there are.
 */
export class Audit {
  readonly #options: AuditOptions
  #before: ChangesResponse | undefined
  #hasChanges = false
  #allDoubtedAt: number

  constructor(options: AuditOptions) {
    this.#options = options
    this.#allDoubtedAt = options.clock()
  }

  /**
   * Returns the public IDs whose cached content differs from upstream's, or `all` if any may differ.
   * @throws LakeError when upstream is unavailable or refuses the query.
   */
  async run(): Promise<ReadonlySet<string> | 'all'> {
    const {source, clock} = this.#options
    const before = this.#before
    const previously = before ? Date.parse(before.now) : clock()
    const since = new Date(previously - OVERLAP).toISOString()
    const response = await source.fetchChanges(since)
    this.#before = response
    if (!before) return new Set()
    this.#hasChanges ||= response.changed.length > 0
    const isDue = this.#hasChanges && clock() - this.#allDoubtedAt >= HIDDEN_FOR
    if (!isDue && canLocateChanges(before, response, since)) return this.#doubtful(response.changed)
    this.#allDoubtedAt = clock()
    this.#hasChanges = false
    return 'all'
  }

  #doubtful(changed: readonly ChangedDocument[]): Set<string> {
    const {entries} = this.#options
    const doubtful = new Set<string>()
    const held = new Map<string, ReadonlyMap<string, string>>()
    for (const document of changed) {
      const touched = entries.touchedBy([document._id, String(document.siteId)])
      if (typeof document.publicId === 'string') touched.add(document.publicId)
      for (const publicId of touched) {
        const entry = entries.peek(publicId)
        if (!entry || entry.isStale || doubtful.has(publicId)) continue
        const revisions = held.get(publicId) ?? revisionsOf(entry)
        held.set(publicId, revisions)
        if (revisions.get(document._id) !== expectedRevision(document, entry)) doubtful.add(publicId)
      }
    }
    return doubtful
  }
}

/** Whether what changed between two audits is known, and no document was deleted. */
function canLocateChanges(before: ChangesResponse, {now, count, changed}: ChangesResponse, since: string) {
  // Upstream's clock was set back, so a change may have a date before `since`.
  if (Date.parse(now) < Date.parse(since) || changed.length === MAX_CHANGED) return false
  const seen = new Set(before.changed.map(({_id}) => _id))
  const created = changed.filter(({_id, _createdAt}) => _createdAt > since && !seen.has(_id))
  return count >= before.count + created.length
}

function revisionsOf({site}: Entry): Map<string, string> {
  const revisions = site ? revisionsIn(site) : []
  return new Map(revisions.map(({documentId, revision}) => [documentId, revision]))
}

/** The revision of a document that an entry must have; undefined if it must not have the document. */
function expectedRevision(document: ChangedDocument, {site, publicId}: Entry): string | undefined {
  const {_rev, siteId, enabled} = document
  const isPart = document.publicId === publicId || (enabled === true && siteId === site?.documentId)
  return isPart ? _rev : undefined
}
