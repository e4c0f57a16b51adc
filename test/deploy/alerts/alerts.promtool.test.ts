import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import {describe, test} from 'node:test'
import {recordOf} from '../../support/answers.ts'
import {membersIn, projectFile, readManifests, readYaml} from '../support/files.ts'
import {CASES, gauge, LAKE_IS_DOWN, PLANNED_RESTARTS} from './cases.ts'
import {alertsAt, type Labels, RULES, type Series} from './promtool.ts'
import {notInhibited, readInhibitions, readRules} from './rules.ts'

/** Returns the texts of all members with this name. */
async function textsIn(path: string, name: string): Promise<string[]> {
  return [...membersIn(await readYaml(path))]
    .filter(([member]) => member === name)
    .map(([, text]) => String(text))
}

/** Which alerts fire for a target with these labels while its process is down. */
async function alertsFor(labels: Labels): Promise<string[]> {
  const known = [
    {job: 'handrail', instance: 'other'},
    {job: 'handrail-lake', instance: 'other'},
  ]
  const series = [
    gauge('up', {...labels, instance: 'this'}, [0, 10]),
    ...known.map((one) => gauge('up', one, [1, 10])),
  ]
  const [active = []] = await alertsAt(series, [9])
  return active.filter(({labels: {instance}}) => instance === 'this').map(({alert}) => alert)
}

/** The labels that targets have: by static configuration, by Prometheus Operator, and by the job for annotated Pods. */
async function targetsOf(workload: string, job: string): Promise<Labels[]> {
  const resources = await readManifests('deploy/kubernetes/base')
  const template = resources
    .filter(({metadata, spec}) => recordOf(metadata).name === workload && 'template' in recordOf(spec))
    .map(({spec}) => recordOf(recordOf(recordOf(spec).template).metadata))
  assert.equal(template.length, 1)
  const {app} = recordOf(template[0]?.labels)
  return [{job}, {job: workload}, {job: `shop/${workload}`}, {job: 'kubernetes-pods', app: String(app)}]
}

describe('alerts', () => {
  test('have a case each, and at most 15 page a person', async () => {
    const rules = await readRules()
    const tested = new Set(Object.keys(CASES).map((name) => name.split(' ')[0]))
    assert.deepEqual([...tested].sort(), rules.map(({alert}) => alert).sort())
    for (const {alert, severity} of rules) assert.match(severity, /^(page|warning|info)$/, alert)
    assert.ok(rules.filter(({severity}) => severity === 'page').length <= 15)
  })

  test('fire while their cause lasts, and stop', async () => {
    for (const [name, {series, fires}] of Object.entries(CASES)) {
      const [first, last] = fires
      assert.ok(
        last < Math.max(...series.map(({values}) => values.length)) - 1,
        'the series show that it stops',
      )
      const found = await alertsAt(series, [first - 1, first, last, last + 1])
      const isFiring = found.map((active) => active.some(({alert}) => alert === name.split(' ')[0]))
      assert.deepEqual(isFiring, [false, true, true, false], name)
    }
  })

  test('are not sent for planned restarts, nor for errors that another replica healed', async () => {
    const sentAt = async (series: readonly Series[]) => {
      const up = gauge('up', {job: 'handrail', instance: 'a:3000'}, [1, 30])
      const [active = []] = await alertsAt([up, ...series], [12])
      return (await notInhibited(active)).map(({alert}) => alert)
    }
    assert.deepEqual(await sentAt(PLANNED_RESTARTS), [])
    assert.deepEqual(await sentAt(CASES.HandrailReplicaErrors?.series ?? []), ['HandrailReplicaErrors'])
    assert.deepEqual(await sentAt(CASES.HandrailErrors?.series ?? []), ['HandrailErrors'])
  })

  test('lead to the runbook', async () => {
    const urls = await textsIn(RULES, 'runbook_url')
    assert.equal(urls.length, (await readRules()).length)
    for (const url of urls) assert.match(url, /\/docs\/runbook\.md#alerts$/)
    assert.match(await readFile(projectFile('docs/runbook.md'), 'utf8'), /^## Alerts$/m)
  })

  test('for processes that are down match whatever way of scraping is used, and only their own', async () => {
    for (const labels of await targetsOf('handrail-service', 'handrail'))
      assert.deepEqual(await alertsFor(labels), ['HandrailDown'], JSON.stringify(labels))
    for (const labels of await targetsOf('handrail-lake', 'handrail-lake'))
      assert.deepEqual(await alertsFor(labels), ['LakeDown'], JSON.stringify(labels))
    for (const labels of [{job: 'kubernetes-pods', app: 'shop'}, {job: 'handrails'}, {job: 'node'}])
      assert.deepEqual(await alertsFor(labels), [], JSON.stringify(labels))
  })

  test('name no job otherwise, because process metrics are joined with those of Handrail', async () => {
    for (const query of await textsIn(RULES, 'expr')) {
      assert.doesNotMatch(query.replaceAll(/\bup\{[^}]*\}/g, ''), /job=/, query)
      if (/\b(nodejs|process)_/.test(query))
        assert.match(query, /and on \(job, instance\) \(handrail_info or lake_info\)/, query)
    }
  })

  test('that follow from others are silenced by alerts that exist', async () => {
    const known = (await readRules()).map(({alert}) => alert)
    const inhibitions = await readInhibitions()
    assert.ok(inhibitions.length > 0)
    for (const {sources, targets} of inhibitions)
      for (const name of [...sources, ...targets]) assert.ok(known.includes(name), name)
  })

  test('if the lake is down, one alert arrives, however many replicas there are', async () => {
    const [active = []] = await alertsAt(LAKE_IS_DOWN, [34])
    assert.equal(active.length, 7, 'without inhibitions')
    assert.deepEqual(
      (await notInhibited(active)).map(({alert}) => alert),
      ['LakeDown'],
    )
  })
})
