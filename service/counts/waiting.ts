import {randomUUID} from 'node:crypto'
import type {Batch, Count} from './store.ts'

/** Maximum times of visits that wait. More are dropped: a store fails. */
const MAX_VISITS = 50_000

type SiteCounts = {readonly counts: Map<string, Count>; readonly visits: Map<string, number>}

/** Counts that wait until they are stored. */
export class WaitingCounts {
  /** The number of counts. */
  size = 0
  #visits = 0
  readonly #sites = new Map<string, SiteCounts>()

  get isEmpty(): boolean {
    return this.#sites.size === 0
  }

  add(publicId: string, {tool, hour, key, number}: Count): void {
    const {counts} = this.#ofSite(publicId)
    const id = `${hour} ${tool} ${key}`
    const known = counts.get(id)
    if (!known) this.size += 1
    counts.set(id, {tool, hour, key, number: number + (known?.number ?? 0)})
  }

  /** @param at milliseconds since 1970. Of several, the newest counts. */
  addVisit(publicId: string, tool: string, at: number): void {
    const {visits} = this.#ofSite(publicId)
    const known = visits.get(tool)
    if (known === undefined && this.#visits >= MAX_VISITS) return
    if (known === undefined) this.#visits += 1
    visits.set(tool, Math.max(at, known ?? at))
  }

  toBatch(): Batch {
    const sites = Array.from(this.#sites, ([publicId, {counts, visits}]) => ({
      publicId,
      counts: [...counts.values()],
      visits,
    }))
    return {id: randomUUID(), sites}
  }

  #ofSite(publicId: string): SiteCounts {
    const known = this.#sites.get(publicId)
    if (known) return known
    const site: SiteCounts = {counts: new Map(), visits: new Map()}
    this.#sites.set(publicId, site)
    return site
  }
}
