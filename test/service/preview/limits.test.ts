import assert from 'node:assert/strict'
import {test} from 'node:test'
import {errorOf} from '../../support/answers.ts'
import {askFrom} from '../../support/client.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {codeFor, PAGE, preview, previewUrl, runPreviewHouse, tokenFor} from './support.ts'

test('a client that guesses is refused after thirty attempts, and other clients and visitors are not', async (t) => {
  const house = await runPreviewHouse(t, [siteDocument(), toolDocument()])
  const code = await codeFor(house)
  const options = {method: 'POST', headers: {origin: PAGE, 'content-type': 'application/json'}}
  const guess = (given: string, address = '127.0.0.2') =>
    askFrom(address, previewUrl(house), {...options, body: JSON.stringify({code: given})})
  const statuses: number[] = []
  for (let number = 0; number < 32; number++) statuses.push((await guess(`guess-number-${number}`)).status)
  assert.deepEqual(new Set(statuses.slice(0, 30)), new Set([401]))
  assert.deepEqual(statuses.slice(30), [429, 429])
  const refused = await guess(code)
  assert.equal(refused.status, 429)
  assert.match(String(refused.headers['retry-after']), /^\d+$/)
  assert.equal((await guess(code, '127.0.0.3')).status, 200)
  assert.equal(
    (await askFrom('127.0.0.2', `${house.serviceAddress}/api/sites/shop-public/config`)).status,
    200,
  )
  const asked = house.network.queries.filter((url) => url.includes('preview-url-secret')).length
  assert.ok(asked <= 34, `${asked} queries`)
})

test('requests for previews have a limit of their own', async (t) => {
  const house = await runPreviewHouse(t, [siteDocument(), toolDocument()], {RATE_LIMIT_MAX: '1'})
  const token = await tokenFor(house)
  const statuses: number[] = []
  for (let number = 0; number < 11; number++) statuses.push((await preview(house, token)).status)
  assert.deepEqual(
    statuses.map((status) => status === 429),
    [...Array(9).fill(false), true, true],
    'the exchange was the first of ten',
  )
  assert.equal((await house.config('shop-public')).status, 200)
})

test('a site that is too large is not previewed, and others are', async (t) => {
  const sites = [0, 1].map((number) => siteDocument({_id: `site-${number}`, publicId: `public-${number}`}))
  const large = toolDocument({
    site: {_type: 'reference', _ref: 'site-0'},
    executeJs: `return "${'x'.repeat(70_000)}"`,
  })
  const house = await runPreviewHouse(t, [...sites, large], {SITE_MEMORY_MB: '1'})
  const previewOf = async (publicId: string) =>
    preview(house, await tokenFor(house, publicId), '/', {publicId})
  const response = await previewOf('public-0')
  const {status, code, message} = await errorOf(response)
  assert.deepEqual([status, code, response.headers.get('retry-after')], [500, 'PREVIEW_NOT_LOADED', '5'])
  assert.match(String(message), /cannot be loaded\. The site and its drafts have .* raise SITE_MEMORY_MB/)
  assert.equal((await previewOf('public-1')).status, 200)
  const told = house.lines.filter(({publicId, reason}) => publicId === 'public-0' && reason !== undefined)
  assert.equal(told.length, 1)
  assert.match(String(told[0]?.reason), /limit of .* for a preview/)
})
