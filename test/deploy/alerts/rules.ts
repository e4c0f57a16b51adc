import assert from 'node:assert/strict'
import {recordOf} from '../../support/answers.ts'
import {membersIn, readYaml} from '../support/files.ts'
import {type Active, RULES} from './promtool.ts'

/** One alert of `alerts.yaml`. */
export type Rule = {
  readonly alert: string
  readonly expr: string
  readonly severity: string
}

export async function readRules(): Promise<Rule[]> {
  return [...membersIn(await readYaml(RULES))]
    .filter(([name]) => name === 'rules')
    .flatMap(([, rules]) => (Array.isArray(rules) ? rules.map(recordOf) : []))
    .map(({alert, expr, labels}) => ({
      alert: String(alert),
      expr: String(expr),
      severity: String(recordOf(labels).severity),
    }))
}

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
