import type {ServiceEvents} from '../events.ts'
import type {TransportObserver} from '../upstream/transport.ts'

/** Difference of the clocks from which it is reported, in seconds. Links to previews last minutes. */
const CLOCK_LIMIT = 60

/** Duration of a query for which a visitor waits from which upstream counts as slow, in milliseconds. */
const SLOW = 1_000

/** Number of queries whose median is compared with the limit, so that a single one says nothing. */
const QUERIES = 3

/** What responses and connections tell about upstream besides documents: its clock, its certificate, how long it takes. */
export class UpstreamWatch implements TransportObserver {
  readonly #events: ServiceEvents
  readonly #clock: () => number
  readonly #limit: number
  #durations: number[] = []
  #slow: number | undefined
  #clockOffset: number | undefined
  #certificateEnd: number | undefined

  /**
   * @param clock milliseconds since 1970, by the clock of this machine
   * @param slow see `SLOW`
   */
  constructor(events: ServiceEvents, clock: () => number, slow = SLOW) {
    this.#events = events
    this.#clock = clock
    this.#limit = slow
    events.on('asked', (query, milliseconds, isAnswered) => {
      if (query === 'site' && isAnswered) this.#took(milliseconds)
    })
  }

  /** Seconds by which the clock of this machine is ahead of that of upstream; undefined until it responded. */
  get clockOffset(): number | undefined {
    return this.#clockOffset
  }

  /** When the certificate of the last connection ends, in seconds since 1970; undefined without TLS. */
  get certificateEnd(): number | undefined {
    return this.#certificateEnd
  }

  /** What is wrong although upstream responds. */
  warnings(): string[] {
    const warnings: string[] = []
    if (this.#slow !== undefined)
      warnings.push(
        `The content lake takes ${(this.#slow / 1_000).toFixed(1)} seconds for a site: the first visitors of a site wait.`,
      )
    if (this.#clockOffset !== undefined && isWrong(this.#clockOffset))
      warnings.push(
        `${describeOffset(this.#clockOffset)} Previews may not open. Correct the clock that is wrong.`,
      )
    return warnings
  }

  /** @param date the header `Date` (RFC 9110 §6.6.1), in whole seconds */
  responded(date: string | null): void {
    const theirs = date === null ? Number.NaN : Date.parse(date)
    if (Number.isNaN(theirs)) return
    const before = this.#clockOffset ?? 0
    this.#clockOffset = Math.floor((this.#clock() - theirs) / 1_000)
    if (isWrong(before) !== isWrong(this.#clockOffset))
      this.#events.emit('clock', this.#clockOffset, isWrong(this.#clockOffset))
  }

  secured(certificateEnd: string): void {
    const end = Date.parse(certificateEnd)
    this.#certificateEnd = Number.isNaN(end) ? undefined : end / 1_000
  }

  #took(milliseconds: number): void {
    this.#durations = [...this.#durations, milliseconds].slice(-QUERIES)
    if (this.#durations.length < QUERIES) return
    const median = this.#durations.toSorted((a, b) => a - b)[Math.floor(QUERIES / 2)] ?? 0
    const wasSlow = this.#slow !== undefined
    const isSlow = median > this.#limit
    this.#slow = isSlow ? median : undefined
    if (wasSlow !== isSlow) this.#events.emit('slow', isSlow, median)
  }
}

function isWrong(offset: number): boolean {
  return Math.abs(offset) > CLOCK_LIMIT
}

function describeOffset(offset: number): string {
  return `The clock of this machine is ${Math.abs(offset)} seconds ${offset > 0 ? 'ahead of' : 'behind'} that of the content lake.`
}
