import assert from 'node:assert/strict'
import {recordOf} from '../../support/answers.ts'
import {membersIn, readYaml} from '../support/files.ts'
import {Evaluator, type Labels, type Series} from './promql.ts'

export const RULES = 'deploy/prometheus/alerts.yaml'

/** One alert of `alerts.yaml`. */
export type Rule = {
  readonly alert: string
  readonly expr: string
  /** For how many minutes the expression must hold before the alert fires. */
  readonly minutes: number
  readonly severity: string
}

export async function readRules(): Promise<Rule[]> {
  return [...membersIn(await readYaml(RULES))]
    .filter(([name]) => name === 'rules')
    .flatMap(([, rules]) => (Array.isArray(rules) ? rules.map(recordOf) : []))
    .map(({alert, expr, for: time = '0m', labels}) => {
      const [, count, unit] = /^(\d+)([mh])$/.exec(String(time)) ?? []
      assert.ok(count, String(alert))
      return {
        alert: String(alert),
        expr: String(expr),
        minutes: Number(count) * (unit === 'h' ? 60 : 1),
        severity: String(recordOf(labels).severity),
      }
    })
}

/** The labels of what an alert fires for, in each minute of the series. A rule is evaluated once a minute. */
export function firing(
  {expr, minutes}: Rule,
  series: readonly Series[],
  start = 0,
): readonly (readonly Labels[])[] {
  const evaluator = new Evaluator(expr, series, start)
  let since = new Map<string, number>()
  return Array.from({length: Math.max(...series.map(({values}) => values.length))}, (_, minute) => {
    const found = evaluator.at(minute).map(({labels: {__name__: _name, ...labels}}) => labels)
    since = new Map(found.map((labels) => [keyOf(labels), since.get(keyOf(labels)) ?? minute]))
    return found.filter((labels) => minute - (since.get(keyOf(labels)) ?? minute) >= minutes)
  })
}

/** An alert that fires, for what these labels say. */
export type Active = {readonly alert: string; readonly labels: Labels}

type Inhibition = {sources: readonly string[]; targets: readonly string[]; equal: readonly string[]}

/** The rules of `inhibit.yaml`, which name alerts only. */
export async function readInhibitions(): Promise<Inhibition[]> {
  const [file] = (await readYaml('deploy/prometheus/inhibit.yaml')).map(recordOf)
  assert.ok(Array.isArray(file?.inhibit_rules))
  return file.inhibit_rules.map(recordOf).map(({source_matchers, target_matchers, equal}) => ({
    sources: namesIn(source_matchers),
    targets: namesIn(target_matchers),
    equal: Array.isArray(equal) ? equal.map(String) : [],
  }))
}

function namesIn(matchers: unknown): string[] {
  const [, names = '', ...others] = /^alertname=~?"([\w|]+)"$/.exec(String(matchers)) ?? []
  assert.ok(names !== '' && others.length === 0, String(matchers))
  return names.split('|')
}

/** Those of the alerts that fire which Alertmanager sends, with `inhibit.yaml`. */
export async function notInhibited(active: readonly Active[]): Promise<readonly Active[]> {
  const inhibitions = await readInhibitions()
  return active.filter(
    (target) =>
      !inhibitions.some(
        ({sources, targets, equal}) =>
          targets.includes(target.alert) &&
          active.some(
            ({alert, labels}) =>
              sources.includes(alert) && equal.every((name) => labels[name] === target.labels[name]),
          ),
      ),
  )
}

function keyOf(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort())
}
