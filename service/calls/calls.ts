import type {Outcome} from '../../schemas/calls/counts.ts'
import type {Counts} from '../counts/counts.ts'
import {HOUR} from '../counts/store.ts'
import type {ServiceEvents} from '../events.ts'
import type {CompiledSite} from '../site/compiledSite.ts'
import {keyOfCalls} from './keys.ts'
import type {ReportedCalls} from './report.ts'

/** Maximum different errors that count in an hour, of a tool and of all: strangers can invent hashes. */
const MAX_ERRORS_OF_TOOL = 20
const MAX_ERRORS = 50_000

/**
 * Counts the calls that pages report, by tool, hour, outcome and duration. Strangers can send reports, too: what they
 * can invent is a wrong number for a tool of the site, and memory is bounded whatever they send.
 */
export class Calls {
  readonly #counts: Pick<Counts, 'add' | 'now'>
  readonly #events: ServiceEvents
  #errors = {hour: 0, size: 0, byTool: new Map<string, Set<string>>()}

  constructor(counts: Pick<Counts, 'add' | 'now'>, events: ServiceEvents) {
    this.#counts = counts
    this.#events = events
  }

  /** Counts what a page reports. Names that the site does not have are ignored. */
  add(publicId: string, site: CompiledSite, report: readonly ReportedCalls[]): void {
    const hour = Math.floor(this.#counts.now() / HOUR)
    const ids = new Map(site.texts.served().map(({name, documentId}) => [name, documentId]))
    const sums = new Map<Outcome, number>()
    for (const {name, outcome, bucket, count, hash} of report) {
      const tool = ids.get(name)
      if (tool === undefined) continue
      if (!this.#counts.add(publicId, {tool, hour, key: keyOfCalls(outcome, bucket), number: count})) break
      if (hash !== undefined && this.#admitsError(hour, `${publicId} ${tool}`, hash))
        this.#counts.add(publicId, {tool, hour, key: hash, number: count})
      sums.set(outcome, count + (sums.get(outcome) ?? 0))
    }
    for (const [outcome, count] of sums) this.#events.emit('calls', outcome, count)
  }

  #admitsError(hour: number, tool: string, hash: string): boolean {
    if (hour !== this.#errors.hour) this.#errors = {hour, size: 0, byTool: new Map()}
    const hashes = this.#errors.byTool.get(tool) ?? new Set()
    if (hashes.has(hash)) return true
    if (hashes.size >= MAX_ERRORS_OF_TOOL || this.#errors.size >= MAX_ERRORS) return false
    this.#errors.byTool.set(tool, hashes.add(hash))
    this.#errors.size += 1
    return true
  }
}
