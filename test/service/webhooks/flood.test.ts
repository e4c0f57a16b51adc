import assert from 'node:assert/strict'
import {test} from 'node:test'
import {askFrom, statusesFrom} from '../../support/client.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {documentOf, requestOf, webhookHouse} from './support.ts'

const ATTACKER = '127.0.0.2'
const SANITY = '127.0.0.3'
const VISITOR = '127.0.0.4'

test('forged deliveries are refused, while Sanity’s own are accepted and visitors served', async (t) => {
  const house = await webhookHouse(t, [siteDocument(), toolDocument()], {RATE_LIMIT_MAX: '100'})
  const url = `${house.serviceAddress}/webhooks/sanity`
  const payload = await documentOf(house, 'search')
  const deliver = async (address: string, signedWith?: string, sent: unknown = payload) => {
    const {headers, body} = await requestOf({
      payload: sent,
      ...(signedWith === undefined ? {} : {signedWith}),
    })
    const options = {method: 'POST', headers: Object.fromEntries(new Headers(headers)), body: String(body)}
    return (await askFrom(address, url, options)).status
  }

  const announce = async (length: number, headers = {}) => {
    const sent = {'content-type': 'application/json', 'content-length': length, expect: '100-continue'}
    return (await askFrom(VISITOR, url, {method: 'POST', headers: {...sent, ...headers}})).status
  }
  assert.equal(await announce(200_000), 401, 'refused before a byte of the body is sent')
  assert.equal(await announce(300_000, {'sanity-webhook-signature': 't=1,v1=x'}), 413)

  const refused: number[] = []
  for (let forged = 0; forged < 120; forged++) refused.push(await deliver(ATTACKER, 'guessed'))
  assert.deepEqual(new Set(refused.slice(-20)), new Set([429]))
  for (let delivery = 0; delivery < 20; delivery++) assert.equal(await deliver(SANITY), 200)
  const config = `${house.serviceAddress}/api/sites/shop-public/config`
  assert.deepEqual(new Set(await statusesFrom(VISITOR, config, 50)), new Set([200]))
})
