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
export function firing({expr, minutes}: Rule, series: readonly Series[]): readonly (readonly Labels[])[] {
  const evaluator = new Evaluator(expr, series)
  let since = new Map<string, number>()
  return Array.from({length: Math.max(...series.map(({values}) => values.length))}, (_, minute) => {
    const found = evaluator.at(minute).map(({labels: {__name__: _name, ...labels}}) => labels)
    since = new Map(found.map((labels) => [keyOf(labels), since.get(keyOf(labels)) ?? minute]))
    return found.filter((labels) => minute - (since.get(keyOf(labels)) ?? minute) >= minutes)
  })
}

function keyOf(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort())
}
