/** How long something took, again and again: milliseconds. */
export type Samples = {readonly name: string; readonly times: readonly number[]}

/** Runs `work` and takes its time; what comes first warms up and is not counted. */
export async function measure(
  name: string,
  {times, warmUp}: {readonly times: number; readonly warmUp: number},
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

/** The time below which this part of the samples lies. */
export function quantile({times}: Samples, part: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN
}

/** Prints medians and the slowest hundredth, each against its baseline of the same run. */
export function printTable(rows: readonly {readonly samples: Samples; readonly baseline?: Samples}[]): void {
  console.table(
    Object.fromEntries(
      rows.map(({samples, baseline}) => [
        samples.name,
        {
          'median ms': rounded(quantile(samples, 0.5)),
          'p99 ms': rounded(quantile(samples, 0.99)),
          runs: samples.times.length,
          baseline: baseline?.name ?? '',
          ratio: baseline === undefined ? '' : rounded(quantile(samples, 0.5) / quantile(baseline, 0.5)),
        },
      ]),
    ),
  )
}

function rounded(number: number): number {
  return Math.round(number * 100) / 100
}
