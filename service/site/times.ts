/** When a tool is offered: from a time on, until a time; milliseconds since 1970. */
type Offer = {readonly from?: number | undefined; readonly until?: number | undefined}

/** Between two changes, all of a site's tools stay as they are. */
type Period = {
  readonly start: number
  readonly end: number
  /** The positions of the tools that are not offered. */
  readonly absent: ReadonlySet<number>
}

/** The times of a site's tools. Undefined: all tools are always offered. */
export function timesOf(offers: readonly Offer[]): Times | undefined {
  return offers.some(({from, until}) => from !== undefined || until !== undefined)
    ? new Times(offers)
    : undefined
}

/** Which of a site's tools are offered at a time. Requests of one period share the result, so that each costs nothing. */
export class Times {
  readonly #offers: readonly (readonly [position: number, from: number, until: number])[]
  #period: Period | undefined

  constructor(offers: readonly Offer[]) {
    this.#offers = offers.flatMap(({from, until}, position) =>
      from === undefined && until === undefined
        ? []
        : [[position, from ?? Number.NEGATIVE_INFINITY, until ?? Number.POSITIVE_INFINITY] as const],
    )
  }

  /** The period of a time. The clock may be set back, to an earlier period. */
  at(now: number): Period {
    if (this.#period === undefined || now < this.#period.start || now >= this.#period.end)
      this.#period = this.#periodOf(now)
    return this.#period
  }

  /** Seconds until a tool comes or goes, rounded down so that no cache has one for longer; at least 1. */
  secondsLeft(now: number): number {
    return Math.max(1, Math.floor((this.at(now).end - now) / 1_000))
  }

  /** When one of these tools comes or goes next. Undefined: never. */
  nextChange(positions: readonly number[] | undefined, now: number): number | undefined {
    const times = this.#offers
      .filter(([position]) => positions === undefined || positions.includes(position))
      .flatMap(([, from, until]) => [from, until])
      .filter((time) => time > now && Number.isFinite(time))
    return times.length > 0 ? Math.min(...times) : undefined
  }

  /** Those of some tools that go, and when, with the next one first. */
  endsOf(positions: readonly number[]): (readonly [position: number, until: number])[] {
    return this.#offers
      .flatMap(([position, , until]) =>
        positions.includes(position) && Number.isFinite(until) ? [[position, until] as const] : [],
      )
      .sort(([, one], [, other]) => one - other)
  }

  #periodOf(now: number): Period {
    const changes = this.#offers.flatMap(([, from, until]) => [from, until])
    const absent = this.#offers.filter(([, from, until]) => now < from || now >= until)
    return {
      start: Math.max(...changes.filter((time) => time <= now), Number.NEGATIVE_INFINITY),
      end: Math.min(...changes.filter((time) => time > now), Number.POSITIVE_INFINITY),
      absent: new Set(absent.map(([position]) => position)),
    }
  }
}
