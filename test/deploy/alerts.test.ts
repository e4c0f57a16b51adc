import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {recordOf} from '../support/answers.ts'
import {membersIn, readYaml} from './support/files.ts'
import {kustomize} from './support/kustomize.ts'

type Labels = Readonly<Record<string, string>>

/** Returns the texts of all members with this name. */
async function textsIn(path: string, name: string): Promise<string[]> {
  return [...membersIn(await readYaml(path))]
    .filter(([member]) => member === name)
    .map(([, text]) => String(text))
}

/** The rule of an alert. */
async function ruleOf(alert: string): Promise<string> {
  const found = [...membersIn(await readYaml('deploy/prometheus/alerts.yaml'))]
    .filter(([name]) => name === 'rules')
    .flatMap(([, rules]) => (Array.isArray(rules) ? rules.map(recordOf) : []))
    .filter((rule) => rule.alert === alert)
  assert.equal(found.length, 1, alert)
  return String(found[0]?.expr)
}

/** Whether one of the selectors `up{name="value"}` and `up{name=~"pattern"}` matches labels. Patterns are anchored. */
function selects(query: string, labels: Labels): boolean {
  return Array.from(query.matchAll(/\bup\{(\w+)(=~?)"([^"]+)"\} == 0/g)).some(
    ([, name = '', operator, text = '']) =>
      operator === '=' ? labels[name] === text : new RegExp(`^(?:${text})$`).test(labels[name] ?? ''),
  )
}

/** The labels that targets have: by static configuration, by Prometheus Operator, and by the job for annotated Pods. */
async function targetsOf(workload: string, job: string): Promise<Labels[]> {
  const resources = await kustomize('deploy/kubernetes/base')
  const template = resources
    .filter(({metadata, spec}) => recordOf(metadata).name === workload && 'template' in recordOf(spec))
    .map(({spec}) => recordOf(recordOf(recordOf(spec).template).metadata))
  assert.equal(template.length, 1)
  const {app} = recordOf(template[0]?.labels)
  return [{job}, {job: workload}, {job: `shop/${workload}`}, {job: 'kubernetes-pods', app: String(app)}]
}

describe('alerts', () => {
  test('for processes that are down match whatever way of scraping is used, and only their own', async () => {
    const service = await targetsOf('handrail-service', 'handrail')
    const lake = await targetsOf('handrail-lake', 'handrail-lake')
    const [serviceRule, lakeRule] = [await ruleOf('HandrailDown'), await ruleOf('LakeDown')]
    for (const labels of service)
      assert.deepEqual(
        [selects(serviceRule, labels), selects(lakeRule, labels)],
        [true, false],
        JSON.stringify(labels),
      )
    for (const labels of lake)
      assert.deepEqual(
        [selects(serviceRule, labels), selects(lakeRule, labels)],
        [false, true],
        JSON.stringify(labels),
      )
    for (const labels of [{job: 'kubernetes-pods', app: 'shop'}, {job: 'handrails'}, {job: 'node'}])
      assert.deepEqual([selects(serviceRule, labels), selects(lakeRule, labels)], [false, false])
  })

  test('name no job otherwise, because process metrics are joined with those of Handrail', async () => {
    for (const query of await textsIn('deploy/prometheus/alerts.yaml', 'expr')) {
      assert.doesNotMatch(query.replaceAll(/\bup\{[^}]*\}/g, ''), /job=/, query)
      if (/\b(nodejs|process)_/.test(query))
        assert.match(query, /and on \(job, instance\) \(handrail_info or lake_info\)/, query)
    }
  })

  test('that follow from others are silenced by alerts that exist', async () => {
    const known = await textsIn('deploy/prometheus/alerts.yaml', 'alert')
    const matchers = [...membersIn(await readYaml('deploy/prometheus/inhibit.yaml'))]
      .filter(([name]) => name.endsWith('_matchers'))
      .flatMap(([, list]) => (Array.isArray(list) ? list.map(String) : []))
    assert.ok(matchers.length > 0)
    for (const matcher of matchers) {
      const [, names = ''] = /^alertname=~?"([\w|]+)"$/.exec(matcher) ?? []
      for (const name of names.split('|')) assert.ok(known.includes(name), matcher)
    }
  })
})
