import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {promisify} from 'node:util'
import {temporaryFolder} from '../../lake/support/git.ts'
import {projectFile} from '../support/files.ts'
import {CASES} from './cases.ts'
import type {Series} from './promql.ts'
import {RULES} from './rules.ts'

/** A series in promtool's notation. https://prometheus.io/docs/prometheus/latest/configuration/unit_testing_rules/#series */
function inputOf({labels: {__name__: name, ...labels}, values}: Series) {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`)
  return {series: `${name}{${pairs.join(',')}}`, values: values.map((value) => value ?? 'stale').join(' ')}
}

test('promtool finds that each alert fires and stops in the minutes of its case', async (t) => {
  const tests = Object.entries(CASES).map(([name, {series, fires}]) => {
    const expr = `count(ALERTS{alertname="${name.split(' ')[0]}",alertstate="firing"})`
    const [first, last] = fires
    const expectations = [
      ...[first - 1, last + 1].map((minute) => ({minute, samples: []})),
      ...[first, last].map((minute) => ({minute, samples: [{labels: '{}', value: 1}]})),
    ]
    return {
      interval: '1m',
      input_series: series.map(inputOf),
      promql_expr_test: expectations.map(({minute, samples}) => ({
        expr,
        eval_time: `${minute}m`,
        exp_samples: samples,
      })),
    }
  })
  const file = join(await temporaryFolder(t), 'tests.json')
  // JSON is YAML.
  await writeFile(file, JSON.stringify({rule_files: [projectFile(RULES)], evaluation_interval: '1m', tests}))
  const {stdout} = await promisify(execFile)('promtool', ['test', 'rules', file]).catch((error: unknown) =>
    assert.fail(String(error)),
  )
  assert.match(stdout, /SUCCESS/)
})
