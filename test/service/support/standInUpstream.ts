import {SiteError, UpstreamError} from '../../../service/errors.ts'
import {siteRevisionOf} from '../../../service/upstream/siteDocument.ts'
import type {SiteSource} from '../../../service/upstream/source.ts'
import {toolOf} from './entries.ts'

/** A document as upstream has it. */
export type StandInDocument = {
  _id: string
  _type: 'site' | 'tool'
  _rev: string
  _createdAt: string
  _updatedAt: string
  enabled: boolean
  publicId?: string
  siteId?: string
  description?: string
}

/**
 * An upstream like hosted Sanity, with as many sites as a test needs, without a network. The test sets its clock
 * and its faults.
 */
export class StandInUpstream {
  readonly documents = new Map<string, StandInDocument>()
  /** Names of the queries that arrived: `site`, `revision`, `changes` or `probe`. */
  readonly queries: string[] = []
  /** Milliseconds since 1970. */
  time = Date.parse('2026-01-01T00:00:00Z')
  /** Whether changes are not reported. */
  isSwallowing = false
  /** Called for each reported change. */
  onEvent: () => void = () => {}
  /** What is returned instead of the current documents, as a replica that lags would. */
  oldState: ReadonlyMap<string, StandInDocument> | undefined
  refusesAudits = false
  isUnavailable = false
  /** The public ID of a site that upstream refuses to return. */
  refused: string | undefined
  /** Responses wait for it, as they would while upstream hangs. */
  responding: Promise<void> | undefined
  #revisions = 0
  #undated = 0
  #indexes = new WeakMap<object, Index>()

  /** Creates or changes a document. `_createdAt` is that of its first draft. With `_updatedAt`, it is a commit older than its push. */
  put(_id: string, fields: Partial<StandInDocument>): void {
    const date = new Date(this.time).toISOString().replace(/\.\d+Z/, 'Z')
    const before = this.documents.get(_id)
    const first: StandInDocument = {
      _id,
      _type: 'tool',
      _rev: '',
      _createdAt: date,
      _updatedAt: date,
      enabled: true,
    }
    const after = {...first, ...before, _updatedAt: date, ...fields, _rev: `r${++this.#revisions}`}
    if (fields._updatedAt !== undefined) this.#undated += 1
    this.documents.set(_id, after)
    this.#indexes = new WeakMap()
    this.#report()
  }

  delete(_id: string): void {
    this.documents.delete(_id)
    this.#indexes = new WeakMap()
    this.#report()
  }

  get #state(): ReadonlyMap<string, StandInDocument> {
    return this.oldState ?? this.documents
  }

  #report(): void {
    if (!this.isSwallowing) this.onEvent()
  }

  /** The bodies of responses to the queries of a service, by their tag. */
  bodyFor(tag: string, params: Readonly<Record<string, unknown>>): object {
    const {publicId, publicIds, since} = params
    if (tag === 'changes') return {result: this.#changes(String(since))}
    if (Array.isArray(publicIds)) return {result: {sites: this.#sites(publicIds)}}
    return {result: {site: this.#site(String(publicId))}}
  }

  /** Answers the queries of a service. */
  source(): SiteSource {
    return {
      fetchSite: async (publicId) => {
        this.queries.push('site')
        const document = this.#site(publicId)
        await this.#respond()
        if (publicId === this.refused) throw new SiteError('refused')
        return document
      },
      fetchRevisions: async (publicIds) => {
        this.queries.push('revision')
        await this.#respond()
        const sites = this.#sites(publicIds)
        const revisions = new Map(sites.map((site) => [site.publicId, siteRevisionOf(site)]))
        return new Map(
          publicIds.map((publicId) => [publicId, revisions.get(publicId) ?? siteRevisionOf(null)]),
        )
      },
      probe: async () => {
        this.queries.push('probe')
        await this.#respond()
      },
      fetchChanges: async (since) => {
        this.queries.push('changes')
        await this.#respond()
        if (this.refusesAudits) throw new SiteError('refused')
        return this.#changes(since)
      },
    }
  }

  async #respond(): Promise<void> {
    await this.responding
    if (this.isUnavailable) throw new UpstreamError('unavailable')
  }

  #changes(since: string) {
    const all = [...this.#state.values()]
    const changed = all.filter(({_updatedAt}) => _updatedAt > since)
    changed.sort((a, b) => (a._updatedAt < b._updatedAt ? 1 : -1))
    return {
      now: new Date(this.time).toISOString(),
      count: all.length,
      undated: `s1:undated-${this.#undated}`,
      changed: changed
        .slice(0, 1_000)
        .map(({siteId = '', publicId = this.#state.get(siteId)?.publicId, ...document}) => ({
          ...document,
          publicId: publicId ?? null,
        })),
    }
  }

  #site(publicId: string) {
    return this.#sites([publicId])[0] ?? null
  }

  #sites(publicIds: readonly string[]) {
    const {byPublicId, bySite} = this.#indexOf(this.#state)
    return publicIds
      .flatMap((publicId) => byPublicId.get(publicId) ?? [])
      .map(({publicId = '', ...site}) => ({
        ...site,
        publicId,
        pollInterval: 300,
        formTools: [],
        tools: (bySite.get(site._id) ?? []).map((tool) => ({
          ...toolOf(0),
          ...tool,
          name: tool._id,
          description: tool.description ?? null,
        })),
      }))
  }

  #indexOf(documents: ReadonlyMap<string, StandInDocument>): Index {
    const known = this.#indexes.get(documents)
    if (known) return known
    const all = [...documents.values()]
    const index: Index = {
      byPublicId: Map.groupBy(all, ({publicId}) => publicId),
      bySite: Map.groupBy(all, ({siteId, enabled}) => (enabled ? siteId : undefined)),
    }
    this.#indexes.set(documents, index)
    return index
  }
}

type Index = {
  byPublicId: ReadonlyMap<string | undefined, StandInDocument[]>
  bySite: ReadonlyMap<string | undefined, StandInDocument[]>
}
