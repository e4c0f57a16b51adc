/** Bucket bounds in seconds. Clients give up after the last one. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Bucket bounds in seconds. Live events keep ages below ten or so, revalidation below 60; beyond that, responses
 * are stale.
 */
const AGES = [1, 5, 10, 30, 60, 300, 3_600, 21_600, 86_400]

/**
 * Counts responses by route and status, how long they took, and the ages of configs. prom-client takes a third of the CPU of a
 * request for that, because it looks up labels by their text.
 */
export class RequestTally {
  readonly #routes = new Map<
    string,
    {readonly byStatus: Map<number, number>; readonly durations: Distribution}
  >()
  /** Ages of the configs sent, in seconds. */
  readonly ages = new Distribution(AGES)

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

  /** Returns all counts in Prometheus' text format (https://prometheus.io/docs/instrumenting/exposition_formats/). */
  exposition(): string {
    const [requests, duration, age] = [
      'handrail_http_requests_total',
      'handrail_http_request_duration_seconds',
      'handrail_config_age_seconds',
    ]
    const head = (name: string, type: string, help: string) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
    ]
    const routes = [...this.#routes]
    const lines = [
      ...head(requests, 'counter', 'Responses, by route and status.'),
      ...routes.flatMap(([route, {byStatus}]) =>
        Array.from(
          byStatus,
          ([status, count]) => `${requests}{route="${route}",status="${status}"} ${count}`,
        ),
      ),
      ...head(duration, 'histogram', 'Time from the arrival of a request until its response was sent.'),
      ...routes.flatMap(([route, {durations}]) => durations.samples(duration, `route="${route}"`)),
      ...head(age, 'histogram', 'Age of the configs that are sent: time since upstream confirmed them.'),
      ...this.ages.samples(age),
    ]
    return `${lines.join('\n')}\n`
  }
}

/** A histogram. */
class Distribution {
  readonly #bounds: readonly number[]
  /** The number of values in each bucket, not cumulative. The last one counts values beyond all bounds. */
  readonly #counts: number[]
  #sum = 0

  /** @param bounds inclusive upper bounds of the buckets, ascending. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = Array.from({length: bounds.length + 1}, () => 0)
  }

  observe(value: number): void {
    let bucket = 0
    for (const bound of this.#bounds) {
      if (value <= bound) break
      bucket += 1
    }
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#sum += value
  }

  /** @param labels as text, such as `route="/snippet.js"`. */
  samples(name: string, labels = ''): string[] {
    let count = 0
    const buckets = [...this.#bounds, '+Inf'].map((bound, bucket) => {
      count += this.#counts[bucket] ?? 0
      return `${name}_bucket{${labels}${labels && ','}le="${bound}"} ${count}`
    })
    const braces = labels && `{${labels}}`
    return [...buckets, `${name}_sum${braces} ${this.#sum}`, `${name}_count${braces} ${count}`]
  }
}
