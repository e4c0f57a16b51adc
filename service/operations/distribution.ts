/**
 * How the values of something that is measured for every request are distributed. prom-client's histogram takes half
 * a microsecond for each value, because it looks the value's labels up by their text; this one adds.
 */
export class Distribution {
  readonly #bounds: readonly number[]
  /** For each bucket, how many values it holds that no smaller one does; the last one holds all beyond the bounds. */
  readonly #counts: number[]
  #sum = 0

  /** @param bounds of the buckets, inclusive and ascending. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = Array.from({length: bounds.length + 1}, () => 0)
  }

  observe(value: number): void {
    let bucket = 0
    for (const bound of this.#bounds) {
      if (value <= bound) break
      bucket++
    }
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#sum += value
  }

  /**
   * The samples of a histogram in Prometheus' text format, where a bucket counts whatever the smaller ones do.
   * https://prometheus.io/docs/instrumenting/exposition_formats/#histograms-and-summaries
   * @param labels written out, such as `route="/snippet.js"`.
   */
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
