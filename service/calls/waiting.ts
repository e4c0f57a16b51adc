import {randomUUID} from 'node:crypto'
import {DURATION_BOUNDS, type Outcome} from '../../schemas/calls/counts.ts'
import type {Batch, CallCounts, ErrorCounts} from './store.ts'

type Tool = {readonly publicId: string; readonly hour: number; readonly tool: string}

/** Counts that wait until they are stored. */
export class WaitingCounts {
  /** The number of counters. */
  size = 0
  readonly #sites = new Map<string, {calls: Map<string, CallCounts>; errors: Map<string, ErrorCounts>}>()

  addCalls({publicId, hour, tool}: Tool, outcome: Outcome, bucket: number, count: number): void {
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

  addError({publicId, hour, tool}: Tool, hash: string, count: number): void {
    const {errors} = this.#ofSite(publicId)
    const key = `${hour} ${tool} ${hash}`
    const known = errors.get(key)
    if (!known) this.size += 1
    errors.set(key, {hour, tool, hash, count: count + (known?.count ?? 0)})
  }

  toBatch(): Batch {
    const sites = Array.from(this.#sites, ([publicId, {calls, errors}]) => ({
      publicId,
      calls: [...calls.values()],
      errors: [...errors.values()],
    }))
    return {id: randomUUID(), sites}
  }

  #ofSite(publicId: string) {
    const known = this.#sites.get(publicId)
    if (known) return known
    const site = {calls: new Map<string, CallCounts>(), errors: new Map<string, ErrorCounts>()}
    this.#sites.set(publicId, site)
    return site
  }
}
