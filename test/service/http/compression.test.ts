import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {type House, startHouse} from '../../support/house.ts'
import {decoded, plainGet} from '../../support/network/plainGet.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

describe('a compressed config', () => {
  let house: House
  let url: string

  before(async () => {
    const description = 'Searches all products of the shop. '.repeat(50)
    house = await startHouse([siteDocument(), toolDocument({description, pathPattern: '/long'})])
    url = `${house.serviceAddress}/api/sites/shop-public/config`
  })
  after(() => house.close())

  test('uses the encoding that the client prefers, with its own tag for each encoding', async () => {
    const identity = await plainGet(`${url}?path=/long`, undefined)
    const br = await plainGet(`${url}?path=/long`, 'gzip, deflate, br, zstd')
    const gzip = await plainGet(`${url}?path=/long`, 'gzip, deflate')
    assert.equal(identity.headers['content-encoding'], undefined)
    const tag = identity.headers.etag?.slice(1, -1)
    for (const [encoding, answer] of [
      [undefined, identity],
      ['br', br],
      ['gzip', gzip],
    ] as const) {
      assert.equal(answer.status, 200)
      assert.equal(decoded(encoding, answer.body), identity.body.toString())
      assert.equal(answer.headers['content-length'], String(answer.body.byteLength))
      assert.equal(answer.headers.vary, 'Accept-Encoding')
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
      assert.equal(answer.headers.etag, encoding ? `"${tag}-${encoding}"` : `"${tag}"`)
    }
    assert.ok(br.body.byteLength < identity.body.byteLength / 4)
  })

  test('is not sent again to a client that has it in its encoding', async () => {
    const chromium = 'gzip, deflate, br, zstd'
    const {headers} = await plainGet(`${url}?path=/long`, chromium)
    const again = await plainGet(`${url}?path=/long`, chromium, headers.etag)
    assert.deepEqual([again.status, again.body.byteLength], [304, 0])
    assert.deepEqual([again.headers.etag, again.headers.vary], [headers.etag, 'Accept-Encoding'])
    assert.equal(again.headers['content-encoding'], undefined)
    const other = await plainGet(`${url}?path=/long`, 'gzip', headers.etag)
    assert.equal(other.status, 200, 'it has another encoding')
  })
})
