import {recordOf} from '../../support/answers.ts'
import {metricsOf} from '../../support/metrics.ts'
import type {Labels, Series} from './promql.ts'
import {firing, notInhibited, readRules} from './rules.ts'

/** What an operator sees of a process. */
export type Observation = {
  /** `/readyz`, as text. */
  readonly readyz: string
  readonly status: string
  readonly samples: ReadonlyMap<string, number>
}

export async function observe(address: string): Promise<Observation> {
  const report = recordOf(await (await fetch(`${address}/readyz`)).json())
  const {samples} = await metricsOf(address)
  return {readyz: JSON.stringify(report), status: String(report.status), samples}
}

/** Minutes before, during and after a failure: longer than any rule waits that is about a failure. */
export const MINUTES = [5, 70, 90] as const

/** What Prometheus scrapes of a process before, during and after a failure. */
export function scraped(
  target: Labels,
  observations: readonly [Observation, Observation, Observation],
): Series[] {
  // A busy machine makes the event loop of the tests lag.
  const names = new Set(
    observations.flatMap(({samples}) => [...samples.keys()].filter((name) => !name.startsWith('nodejs_'))),
  )
  return [...names].map((series) => {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? []
    const pairs = labels.matchAll(/(\w+)="([^"]*)"/g)
    return {
      labels: {
        __name__: name,
        ...Object.fromEntries(Array.from(pairs, ([, label = '', value]) => [label, value])),
        ...target,
      },
      values: observations.flatMap(({samples}, at) => new Array(MINUTES[at] ?? 0).fill(samples.get(series))),
    }
  })
}

/** The alerts that are sent at the end of the failure, and at the end of the series. */
export async function alertsOf(
  series: readonly Series[],
): Promise<{readonly during: readonly string[]; readonly after: readonly string[]}> {
  const start = Date.now() / 1_000
  const fires = (await readRules()).map((rule) => ({rule, minutes: firing(rule, series, start)}))
  const sentAt = async (minute: number) => {
    const active = fires.flatMap(({rule: {alert}, minutes}) =>
      (minutes.at(minute) ?? []).map((labels) => ({alert, labels})),
    )
    return [...new Set((await notInhibited(active)).map(({alert}) => alert))]
  }
  return {during: await sentAt(MINUTES[0] + MINUTES[1] - 1), after: await sentAt(-1)}
}
