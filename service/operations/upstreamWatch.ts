import type {ServiceEvents} from '../events.ts'
import type {TransportObserver} from '../upstream/transport.ts'

/** Difference of the clocks from which it is reported, in seconds. Links to previews last minutes. */
const CLOCK_LIMIT = 60

/** What responses and connections tell about upstream besides documents: its clock, and its certificate. */
export class UpstreamWatch implements TransportObserver {
  readonly #events: ServiceEvents
  readonly #clock: () => number
  #clockOffset: number | undefined
  #certificateEnd: number | undefined

  /** @param clock milliseconds since 1970, by the clock of this machine */
  constructor(events: ServiceEvents, clock: () => number) {
    this.#events = events
    this.#clock = clock
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
    const offset = this.#clockOffset ?? 0
    if (!isWrong(offset)) return []
    const relation = offset > 0 ? 'ahead of' : 'behind'
    return [
      `The clock of this machine is ${Math.abs(offset)} seconds ${relation} that of the content lake. Previews may not open. Correct the clock that is wrong.`,
    ]
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
}

function isWrong(offset: number): boolean {
  return Math.abs(offset) > CLOCK_LIMIT
}
