import {randomUUID} from 'node:crypto'
import {DURATION_BOUNDS, type Outcome} from '../../schemas/calls/counts.ts'
import type {Batch, CallCounts, ErrorCounts} from './store.ts'

/** Maximum times of visits that wait. More are dropped: a store fails. */
const MAX_VISITS = 50_000

type Tool = {readonly publicId: string; readonly tool: string}
type ToolInHour = Tool & {readonly hour: number}

type SiteCounts = {
  readonly calls: Map<string, CallCounts>
  readonly errors: Map<string, ErrorCounts>
  readonly visits: Map<string, number>
}

/** Counts that wait until they are stored. */
export class WaitingCounts {
  /** The number of counters of calls. */
  size = 0
  #visits = 0
  readonly #sites = new Map<string, SiteCounts>()

  get isEmpty(): boolean {
    return this.#sites.size === 0
  }

  addCalls({publicId, hour, tool}: ToolInHour, outcome: Outcome, bucket: number, count: number): void {
    const {calls} = this.#ofSite(publicId)
    const key = `${hour} ${tool} ${outcome}`
    let counts = calls.get(key)
    if (!counts) {
      const durations = Array.from({length: DURATION_BOUNDS.length + 1}, () => 0)
      counts = {hour, tool, outcome, durations}
      calls.set(key, counts)
      this.size += 1
    }
    counts.durations[bucket] = (counts.durations[bucket] ?? 0) + count
  }

  addError({publicId, hour, tool}: ToolInHour, hash: string, count: number): void {
    const {errors} = this.#ofSite(publicId)
    const key = `${hour} ${tool} ${hash}`
    const known = errors.get(key)
    if (!known) this.size += 1
    errors.set(key, {hour, tool, hash, count: count + (known?.count ?? 0)})
  }

  /** @param at milliseconds since 1970. Of several, the newest counts. */
  addVisit({publicId, tool}: Tool, at: number): void {
    const {visits} = this.#ofSite(publicId)
    const known = visits.get(tool)
    if (known === undefined && this.#visits >= MAX_VISITS) return
    if (known === undefined) this.#visits += 1
    visits.set(tool, Math.max(at, known ?? at))
  }

  toBatch(): Batch {
    const sites = Array.from(this.#sites, ([publicId, {calls, errors, visits}]) => ({
      publicId,
      calls: [...calls.values()],
      errors: [...errors.values()],
      visits,
    }))
    return {id: randomUUID(), sites}
  }

  #ofSite(publicId: string): SiteCounts {
    const known = this.#sites.get(publicId)
    if (known) return known
    const site: SiteCounts = {calls: new Map(), errors: new Map(), visits: new Map()}
    this.#sites.set(publicId, site)
    return site
  }
}
