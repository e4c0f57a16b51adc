import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {mkdtemp, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {projectFile} from '../support/files.ts'

export const RULES = 'deploy/prometheus/alerts.yaml'

export type Labels = Readonly<Record<string, string>>

/** A series with a value for each minute; undefined: it was not scraped. */
export type Series = {readonly labels: Labels; readonly values: readonly (number | undefined)[]}

/** An alert that fires, for what these labels say. */
export type Active = {readonly alert: string; readonly labels: Labels}

/** What promtool reports as firing, and what a test expects: no sample has this value. */
const UNEXPECTED = -1

/**
 * The alerts that fire in some minutes, by promtool. The series begin at the time 0.
 * https://prometheus.io/docs/prometheus/latest/configuration/unit_testing_rules/
 */
export async function alertsAt(
  series: readonly Series[],
  minutes: readonly number[],
): Promise<readonly (readonly Active[])[]> {
  const folder = await mkdtemp(join(tmpdir(), 'promtool-'))
  try {
    const file = join(folder, 'tests.json')
    const test = {
      interval: '1m',
      input_series: series.map(inputOf),
      promql_expr_test: minutes.map((minute) => ({
        expr: 'ALERTS{alertstate="firing"}',
        eval_time: `${minute}m`,
        exp_samples: [{labels: '{}', value: UNEXPECTED}],
      })),
    }
    const tests = {rule_files: [projectFile(RULES)], evaluation_interval: '1m', tests: [test]}
    // JSON is YAML.
    await writeFile(file, JSON.stringify(tests))
    const error: unknown = await promisify(execFile)('promtool', ['test', 'rules', file]).catch(
      (error: unknown) => error,
    )
    const said = error instanceof Error && 'stderr' in error ? `${error.stderr}` : ''
    const found = [...said.matchAll(/^ +got: *(.*)$/gm)].map(([, line = '']) => activeIn(line))
    assert.equal(found.length, minutes.length, said)
    return found
  } finally {
    await rm(folder, {recursive: true, force: true})
  }
}

/** A series in promtool's notation. */
function inputOf({labels: {__name__: name, ...labels}, values}: Series) {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`)
  return {series: `${name}{${pairs.join(',')}}`, values: values.map((value) => value ?? 'stale').join(' ')}
}

function activeIn(line: string): Active[] {
  return Array.from(line.matchAll(/\{([^}]*)\} 1E\+00/g), ([, pairs = '']) => {
    const entries = Array.from(pairs.matchAll(/(\w+)="([^"]*)"/g), ([, name = '', value = '']) => [
      name,
      value,
    ])
    const {alertname = '', ...labels}: Record<string, string> = Object.fromEntries(entries)
    return {alert: alertname, labels}
  })
}
