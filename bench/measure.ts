import {median, quantile} from './median.ts'
import {type Table, within} from './report.ts'

/** Repeated measurements of the same operation, in milliseconds. */
export type Samples = {readonly name: string; readonly times: readonly number[]}

/** Number of measurements, and of warm-up runs before them. */
export type Often = {readonly times: number; readonly warmUp: number}

/** Measures `work`. The first runs warm up and are not counted. */
export async function measure(
  name: string,
  {times, warmUp}: Often,
  work: (number: number) => Promise<(() => Promise<unknown>) | undefined>,
): Promise<Samples> {
  const samples: number[] = []
  for (let number = 0; number < warmUp + times; number += 1) {
    const timed = await work(number)
    const started = performance.now()
    await timed?.()
    if (number >= warmUp) samples.push(performance.now() - started)
  }
  return {name, times: samples}
}

/** Creates a table of medians and 99th percentiles, compared with a baseline from the same run. */
export function timesTable(
  title: string,
  rows: readonly {readonly samples: Samples; readonly baseline?: Samples; readonly limit?: number}[],
): Table {
  return {
    title,
    rows: rows.map(({samples: {name, times}, baseline, limit}) => ({
      what: name,
      'median ms': median(times),
      'p99 ms': quantile(times, 0.99),
      runs: times.length,
      ...(baseline && {baseline: baseline.name, ratio: median(times) / median(baseline.times)}),
      ...(limit !== undefined && within(median(times), limit, ' ms')),
    })),
  }
}
