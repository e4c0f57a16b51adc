import assert from 'node:assert/strict'
import {test} from 'node:test'
import {encodeSignatureHeader} from '@sanity/webhook'
import {errorOf} from '../../support/answers.ts'
import {runHouse} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'
import {type Delivery, deliver, documentOf, refusalOf, secret, send, webhookHouse} from './support.ts'

const documents = [siteDocument(), toolDocument()]
const payload = {_id: 'search', _type: 'tool', _rev: 'announced', site: {_ref: 'shop'}}

test('a delivery with a missing or wrong signature is refused by name', async (t) => {
  const house = await webhookHouse(t, documents)
  const body = JSON.stringify(payload)
  const now = Date.now()
  const signature = async (text = body, at = now, by = secret) => encodeSignatureHeader(text, at, by)
  const good = await signature()
  const header = (value: string | undefined) => ({headers: {'sanity-webhook-signature': value}})
  const changed = `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`
  const rows: [string, Delivery, number, string, RegExp][] = [
    ['no signature', header(undefined), 401, 'WEBHOOK_UNSIGNED', /sanity-webhook-signature is missing/],
    ['another secret', {signedWith: 'guessed'}, 401, 'WEBHOOK_SIGNATURE_WRONG', /SANITY_WEBHOOK_SECRET/],
    ['one character changed', header(changed), 401, 'WEBHOOK_SIGNATURE_WRONG', /./],
    ['another body', header(await signature('{}')), 401, 'WEBHOOK_SIGNATURE_WRONG', /./],
    [
      'the same JSON with other white space',
      {body: `${body} `, ...header(good)},
      401,
      'WEBHOOK_SIGNATURE_WRONG',
      /./,
    ],
  ]
  await house.config('shop-public')
  house.network.queries.length = 0
  for (const [why, delivery, status, code, message] of rows) {
    const refusal = await refusalOf(deliver(house, {payload, ...delivery}))
    assert.deepEqual(refusal.slice(0, 2), [status, code], why)
    assert.match(refusal[2], message, why)
  }
  await house.config('shop-public')
  assert.equal(house.network.queries.length, 0, 'nothing was invalidated')
})

test('a signed delivery wakes the service whatever its body is', async (t) => {
  const house = await webhookHouse(t, documents)
  await house.config('shop-public')
  for (const body of ['{"_id":', '[{}]', 'null', '{"_id": 7}', '{"transactionId": "t"}'])
    assert.deepEqual(await deliver(house, {body}), {status: 200, body: {result: 'asking'}}, body)
})

test('wrong signatures from one address are rate limited, logged, and not echoed in the log', async (t) => {
  const house = await webhookHouse(t, documents, {RATE_LIMIT_MAX: '20'})
  const statuses = new Set<number>()
  for (let count = 0; count < 25; count += 1) {
    const response = await send(house, {
      body: '{"_id":"\\u001b[2J\\n{\\"level\\":60}"}',
      signedWith: 'guessed',
    })
    statuses.add(response.status)
    if (response.status === 429) assert.ok(Number(response.headers.get('retry-after')) > 0)
    await response.body?.cancel()
  }
  assert.deepEqual([...statuses], [401, 429])
  assert.equal((await house.config('shop-public')).status, 200, 'sites are counted separately')
  const told = house.lines.filter(({msg}) => msg === 'request refused')
  assert.deepEqual(new Set(told.map(({code}) => code)), new Set(['WEBHOOK_SIGNATURE_WRONG', 'RATE_LIMITED']))
  const log = JSON.stringify(house.lines)
  for (const text of [secret, 'u001b', '[2J']) assert.ok(!log.includes(text), text)
})

test('a body that is too large, of the wrong type or missing is refused', async (t) => {
  const house = await webhookHouse(t, documents)
  const large = JSON.stringify({...payload, executeJs: 'x'.repeat(256 * 1_024)})
  assert.equal((await deliver(house, {body: large})).status, 413)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
    const {status, code} = await errorOf(send(house, {payload, headers: {'content-type': type}}))
    assert.deepEqual([status, code], [415, 'BAD_REQUEST'], type)
  }
  const whole = {...(await documentOf(house, 'search')), executeJs: 'x'.repeat(200 * 1_024)}
  assert.equal((await deliver(house, {payload: whole})).status, 200, 'a whole document of 200 kB')
})

test('without a secret, nothing is accepted, and the response says what is missing', async (t) => {
  const house = await runHouse(t, documents)
  const refusal = await refusalOf(deliver(house, {payload}))
  assert.deepEqual(refusal, [
    404,
    'WEBHOOK_OFF',
    'This service accepts no webhooks: SANITY_WEBHOOK_SECRET is not set.',
  ])
})

test('a delivery may be signed with the secret from before', async (t) => {
  const house = await webhookHouse(t, documents, {SANITY_WEBHOOK_SECRET: `new ${secret}`})
  assert.equal((await deliver(house, {payload})).status, 200)
  assert.equal((await deliver(house, {payload, signedWith: 'old'})).body.error !== undefined, true)
})
