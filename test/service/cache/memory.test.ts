import assert from 'node:assert/strict'
import {randomBytes} from 'node:crypto'
import {test} from 'node:test'
import {configOf} from '../../support/answers.ts'
import {runHouse} from '../../support/house.ts'
import {metricsOf} from '../../support/metrics.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

test('more sites than SITE_MEMORY_MB can hold are all served, and the most recently used are kept', async (t) => {
  // Incompressible, and longer than deflate looks back: each site takes at least 65 KB.
  const scripts = Array.from({length: 24}, () => `return "${randomBytes(65_000).toString('base64')}"`)
  const documents = scripts.flatMap((executeJs, number) => [
    siteDocument({_id: `shop-${number}`, publicId: `site-${number}`}),
    toolDocument({
      _id: `tool-${number}`,
      site: {_ref: `shop-${number}`, _type: 'reference'},
      executeJs,
    }),
  ])
  const house = await runHouse(t, documents, {SITE_MEMORY_MB: '1'})
  for (const [number, executeJs] of scripts.entries()) {
    const {tools} = await configOf(house.config(`site-${number}`))
    assert.equal(tools[0]?.executeJs, executeJs)
  }
  const {samples} = await metricsOf(house.serviceAddress)
  const held = samples.get('handrail_sites') ?? 0
  assert.ok(held >= 4 && held <= 2 ** 20 / 65_000, `${held} sites in memory`)

  const asked = house.network.queries.length
  await house.config('site-23')
  assert.equal(house.network.queries.length, asked, 'it is in memory')
  const {tools} = await configOf(house.config('site-0'))
  assert.equal(tools[0]?.executeJs, scripts[0], 'it is fetched again')
  assert.ok(house.network.queries.length > asked)
})
