import assert from 'node:assert/strict'
import {readFile} from 'node:fs/promises'
import {after, before, describe, test} from 'node:test'
import {parser} from '@prometheus-io/lezer-promql'
import {type House, startHouse} from '../support/house.ts'
import {metricsOf} from '../support/metrics.ts'
import {siteDocument} from '../support/shop.ts'
import {membersIn, projectFile, readYaml} from './support/files.ts'

/** Process metrics that prom-client and Node provide. */
const OF_PROCESS = /^(?:process|nodejs)_/

/** The metrics that a PromQL query names. @throws if the query is invalid. */
function metricsIn(query: string): string[] {
  const plain = query.replaceAll('$__rate_interval', '5m').replaceAll(/\$\w+/g, 'x')
  const found: string[] = []
  parser.parse(plain).iterate({
    enter({name, from, to, node}) {
      assert.ok(!node.type.isError, `cannot parse, at ${from}: ${plain}`)
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') found.push(plain.slice(from, to))
    },
  })
  return found
}

/** The name in `/metrics` of a queried metric: queries name the parts of histograms. */
const familyOf = (metric: string) => metric.replace(/_(?:bucket|sum|count)$/, '')

describe('monitoring files for operators', () => {
  let house: House
  /** Names in `/metrics` of the lake and of the service. */
  let measured: string[]
  let documentation: string

  before(async () => {
    house = await startHouse([siteDocument()])
    await house.config('shop-public')
    const [service, lake] = await Promise.all([
      metricsOf(house.serviceAddress),
      metricsOf(String(house.client.config().apiHost)),
    ])
    measured = [...service.types.keys(), ...lake.types.keys()]
    documentation = await readFile(projectFile('docs/monitoring.md'), 'utf8')
  })
  after(() => house.close())

  test('docs/monitoring.md lists exactly the metrics that exist', () => {
    const documented = [...documentation.matchAll(/^- (`(?:handrail|lake)_.*?):/gm)].flatMap(
      ([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    )
    assert.deepEqual(documented.sort(), measured.filter((name) => !OF_PROCESS.test(name)).sort())
  })

  test('docs/runbook.md explains what to do for exactly the alerts that exist', async () => {
    const [rules] = await readYaml('deploy/prometheus/alerts.yaml')
    const alerts = [...membersIn(rules)].filter(([name]) => name === 'alert').map(([, alert]) => alert)
    const [, list = ''] = (await readFile(projectFile('docs/runbook.md'), 'utf8')).split('\n## Alerts\n')
    const documented = [...list.matchAll(/^- (`\w+`.*?):/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    )
    assert.deepEqual(documented.sort(), alerts.sort())
  })

  test('alerts query only metrics that exist', async () => {
    const [rules] = await readYaml('deploy/prometheus/alerts.yaml')
    const queries = [...membersIn(rules)].filter(([name]) => name === 'expr').map(([, expr]) => String(expr))
    assert.ok(queries.length > 0)
    for (const query of queries)
      for (const metric of metricsIn(query))
        assert.ok(metric === 'up' || measured.includes(familyOf(metric)), `${metric} in ${query}`)
  })

  test('the dashboard shows every Handrail metric except the version, and only metrics that exist', async () => {
    const dashboard: unknown = JSON.parse(await readFile(projectFile('deploy/grafana/handrail.json'), 'utf8'))
    const queries = [...membersIn(dashboard)]
      .filter(([name]) => name === 'expr')
      .map(([, expr]) => String(expr))
    const shown = new Set(queries.flatMap(metricsIn).map(familyOf))
    assert.deepEqual(
      [...shown].filter((metric) => !measured.includes(metric)),
      [],
    )
    const ours = measured.filter((name) => !OF_PROCESS.test(name) && name !== 'handrail_info')
    assert.deepEqual(
      ours.filter((metric) => !shown.has(metric)),
      [],
    )
  })
})
