import {recordOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import type {House} from '../../support/house.ts'
import {metricsOf} from '../../support/metrics.ts'
import {type Active, alertsAt, type Labels, type Series} from './promtool.ts'
import {notInhibited} from './rules.ts'

/** How Prometheus labels what it scrapes of a service, and of a lake. */
export const SERVICE = {job: 'handrail', instance: 'service:3000', namespace: 'shop'}
export const LAKE = {job: 'handrail-lake', instance: 'lake:3333', namespace: 'shop'}

/** What an operator sees of a process. */
export type Observation = {
  /** `/readyz`, as text. */
  readonly readyz: string
  readonly status: string
  readonly samples: ReadonlyMap<string, number>
}

/** Whether a service says that nothing is wrong. */
export const isQuiet = ({status, readyz}: Observation) =>
  status === 'ready' && /"warnings":\[\].*"invalidDocuments":0,"failing":0/.test(readyz)

export async function observe(address: string): Promise<Observation> {
  const report = recordOf(await (await fetch(`${address}/readyz`)).json())
  const {samples} = await metricsOf(address)
  return {readyz: JSON.stringify(report), status: String(report.status), samples}
}

/** Visitors of a site that the service knows, and of sites for which it has to ask the lake, as one that the lake fails for. */
export class Visitors {
  readonly #service: Pick<House, 'config' | 'serviceAddress'>
  #count = 0
  #failed: readonly string[] = []

  constructor(service: Pick<House, 'config' | 'serviceAddress'>) {
    this.#service = service
  }

  /** Visits until an operator sees something. */
  until(isSeen: (now: Observation) => boolean): Promise<Observation> {
    return eventually(async () => {
      const ids = ['shop-public', `unknown-site-${this.#count++}`, ...this.#failed]
      const statuses = await Promise.all(ids.map(async (id) => (await this.#service.config(id)).status))
      this.#failed = ids.filter((_, at) => statuses[at] === 500).slice(-5)
      return observe(this.#service.serviceAddress)
    }, isSeen)
  }
}

/** Minutes before, during and after a failure: longer than any rule waits that is about a failure. */
const MINUTES = [5, 70, 90] as const

/** The metric `up` of a process, before, during and after a failure. */
export function upOf(target: Labels, during = 1): Series {
  return {labels: {__name__: 'up', ...target}, values: [1, during, 1].flatMap(held)}
}

/** A value that is scraped each minute of a part of the time. */
function held(value: number | undefined, part: number): (number | undefined)[] {
  return new Array<number | undefined>(MINUTES[part] ?? 0).fill(value)
}

/**
 * What Prometheus scrapes of a process before, during and after a failure.
 * @param growing a counter that grows evenly as long as the failure lasts, because what fails is tried again.
 */
export function scraped(
  target: Labels,
  observations: readonly [Observation, Observation, Observation],
  growing?: string,
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
      values: observations.flatMap(({samples}, part) => {
        const value = samples.get(series)
        if (series !== growing || part !== 1) return held(value, part)
        const [from = 0, to = 0] = [observations[0].samples.get(series), value]
        return held(value, part).map((_, minute) => from + ((to - from) * (minute + 1)) / MINUTES[1])
      }),
    }
  })
}

/** The alerts that are sent at the end of the failure, and at the end of the series. */
export async function alertsOf(
  series: readonly Series[],
): Promise<{readonly during: readonly string[]; readonly after: readonly string[]}> {
  const [during, after] = await alertsAt(series.map(fromNow), [MINUTES[0] + MINUTES[1] - 1, sum(MINUTES) - 1])
  const sent = async (active: readonly Active[] = []) =>
    [...new Set((await notInhibited(active)).map(({alert}) => alert))].sort()
  return {during: await sent(during), after: await sent(after)}
}

/** For promtool, it is 1970: the time of a series begins at 0. */
function fromNow({labels, values}: Series): Series {
  const start = labels.__name__?.endsWith('_timestamp_seconds') ? Date.now() / 1_000 : 0
  return {labels, values: values.map((value) => (value ? value - start : value))}
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
