import {Distribution} from './distribution.ts'

/** Bucket bounds in seconds. Clients give up after the last one. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counts responses by route and status, and measures how long they took. */
export class RequestTally {
  readonly #routes = new Map<
    string,
    {readonly byStatus: Map<number, number>; readonly durations: Distribution}
  >()

  /**
   * Counts a response.
   * @param route the route template, never the URL, which visitors choose.
   */
  count(route: string, status: number, milliseconds: number): void {
    let tally = this.#routes.get(route)
    if (!tally) {
      tally = {byStatus: new Map(), durations: new Distribution(DURATIONS)}
      this.#routes.set(route, tally)
    }
    tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1)
    tally.durations.observe(milliseconds / 1_000)
  }

  /** Returns all counts in Prometheus' text format. */
  exposition(): string {
    const lines = [
      '# HELP handrail_http_requests_total Responses, by route and status.',
      '# TYPE handrail_http_requests_total counter',
    ]
    for (const [route, {byStatus}] of this.#routes)
      for (const [status, count] of byStatus)
        lines.push(`handrail_http_requests_total{route="${route}",status="${status}"} ${count}`)
    const name = 'handrail_http_request_duration_seconds'
    lines.push(`# HELP ${name} Time from the arrival of a request until its response was sent.`)
    lines.push(`# TYPE ${name} histogram`)
    for (const [route, {durations}] of this.#routes)
      lines.push(...durations.samples(name, `route="${route}"`))
    return `${lines.join('\n')}\n`
  }
}
