import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {errorOf, recordOf} from '../../support/answers.ts'
import type {House} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {codeFor, exchange, PAGE, reportsCodeFor, startPreviewHouse} from '../preview/support.ts'

const documents = [siteDocument(), toolDocument({_id: 'cart', name: 'getCart', pathPattern: '/cart'})]

/** What a script of a page sends. */
const FROM_PAGE = {headers: {origin: PAGE}}

describe('visits', {concurrency: false}, () => {
  let house: House
  let code: string

  before(async () => {
    house = await startPreviewHouse(documents)
    code = await reportsCodeFor(house)
  })
  after(() => house.close())

  const ask = (bearer: string, publicId = 'shop-public', address = house.serviceAddress) =>
    fetch(`${address}/api/sites/${publicId}/visits`, {headers: {authorization: `Bearer ${bearer}`}})

  async function visits(address = house.serviceAddress): Promise<Record<string, unknown>> {
    const response = await ask(code, 'shop-public', address)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    return recordOf(await response.json())
  }

  test('are those of scripts on pages: no checks, no programs, no requests for all tools', async () => {
    const config = `${house.serviceAddress}/api/sites/shop-public/config`
    const others: [url: string, init?: RequestInit][] = [
      [`${config}?path=/cart`],
      [`${config}?path=/cart&check=1`, FROM_PAGE],
      [config, FROM_PAGE],
    ]
    for (const other of others) assert.equal((await fetch(...other)).status, 200)
    const {now, ...unseen} = await visits()
    assert.deepEqual(unseen, {tools: []})

    assert.equal((await fetch(`${config}?path=/`, FROM_PAGE)).status, 200)
    const {seenAt, tools} = await visits()
    assert.deepEqual(tools, [], 'no tool is on this page')
    assert.ok(Math.abs(Date.parse(String(seenAt)) - Date.parse(String(now))) <= 60_000)

    // Not changed, and through the router.
    const tag = (await house.config('shop-public', '/cart')).headers.get('etag') ?? ''
    const held = {headers: {'sec-fetch-dest': 'empty', 'if-none-match': tag, 'accept-encoding': 'identity'}}
    assert.equal((await fetch(`${config}?path=/cart&v=1`, held)).status, 304)
    const [tool] = [(await visits()).tools].flat()
    assert.equal(recordOf(tool).id, 'cart')
  })

  test('need the code of a valid secret of the site', async () => {
    const ofLink = await codeFor(house)
    assert.equal((await exchange(house, ofLink)).status, 200)
    assert.equal((await errorOf(exchange(house, code))).code, 'PREVIEW_ENDED', 'and it opens no preview')
    for (const bearer of ['', 'a-code-that-was-guessed', ofLink])
      assert.equal((await errorOf(ask(bearer))).code, 'PREVIEW_ENDED')
    assert.equal((await errorOf(ask(code, 'other-shop'))).code, 'PREVIEW_ENDED')
    assert.equal((await errorOf(ask(code, 'no'))).code, 'NOT_FOUND')
  })
})
