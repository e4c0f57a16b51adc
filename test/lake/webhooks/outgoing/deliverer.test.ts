import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {isValidSignature} from '@sanity/webhook'
import type {HookSource} from '../../../../lake/webhooks/deliverer.ts'
import {eventually} from '../../../support/eventually.ts'
import {type RunningLake, runLake, runLakeOver} from '../../support/lake.ts'
import {delivererOf, PATH, receiver, SECRET, summary} from './receiver.ts'

const files = {'post/a.json': {_id: 'a', _type: 'post', title: 'A'}}

test('each change of a published document is posted once, signed and in order; drafts are not', async (t) => {
  const {deliveries, settings, until} = await receiver(t)
  const {client} = await runLake(t, files, settings)
  await client.create({_id: 'drafts.b', _type: 'post', title: 'B'})
  await client.action({actionType: 'sanity.action.document.publish', draftId: 'drafts.b', publishedId: 'b'})
  await until(1)
  await client.patch('b').set({title: 'B2'}).commit()
  await until(2)
  const published = await client.getDocument('b')
  await client.delete('b')
  await until(3)
  assert.deepEqual(deliveries.map(summary), ['create b', 'update b', 'delete b'])
  for (const {headers, body} of deliveries)
    assert.ok(await isValidSignature(body, String(headers['sanity-webhook-signature']), SECRET))
  const [, update, removal] = deliveries
  assert.deepEqual(JSON.parse(update?.body ?? ''), {
    kind: 'change',
    _id: 'b',
    _type: 'post',
    _rev: published?._rev,
    _createdAt: published?._createdAt,
    _updatedAt: published?._updatedAt,
  })
  assert.deepEqual(JSON.parse(removal?.body ?? ''), {kind: 'change', _id: 'b', _type: 'post'})
  assert.equal(update?.headers['sanity-dataset'], 'production')
  assert.equal(update?.headers['sanity-project-id'], 'local')
  assert.equal(new Set(deliveries.map(({headers}) => headers['idempotency-key'])).size, 3)
})

test('a failing address is retried; its latest state is delivered, and others do not wait', async (t) => {
  let isFailing = true
  const failing = await receiver(t, () => (isFailing ? 500 : 200))
  const working = await receiver(t)
  const webhooks = [...failing.settings.webhooks, ...working.settings.webhooks]
  const lake = await runLake(t, files, {webhooks, webhookSecrets: [SECRET]})
  await lake.client.create({_id: 'c', _type: 'post', title: '1'})
  await failing.until(1)
  await lake.client.patch('c').set({title: '2'}).commit()
  await lake.client.patch('a').set({title: 'A2'}).commit()
  await working.until(3)
  // The lake may read the response to the delivery later than this test learns of the request.
  const ready = await eventually(
    async () => (await fetch(`${lake.address}/readyz`)).text(),
    /WEBHOOK_FAILING/,
  )
  assert.match(await (await fetch(`${lake.address}/metrics`)).text(), /lake_webhook_pending [12]/)
  isFailing = false
  const {_rev: latest} = (await lake.client.getDocument('c')) ?? assert.fail()
  await eventually(
    async () =>
      failing.deliveries.map((delivery) => `${summary(delivery)} ${JSON.parse(delivery.body)._rev}`),
    (all) => all.some((one) => one.endsWith(` c ${latest}`)) && all.some((one) => one.startsWith('update a')),
  )
  await eventually(
    async () => (await fetch(`${lake.address}/readyz`)).text(),
    (text) => !text.includes('WEBHOOK_FAILING'),
  )
  for (const text of [ready, JSON.stringify(lake.warnings)])
    assert.ok(!text.includes(PATH) && !text.includes(SECRET), text)
})

/** Records changes by their names, of which a deliverer tells an address. */
function recording(t: TestContext, url: string) {
  const log: string[] = []
  const source: HookSource = {
    kind: 'change',
    now: () => `${log.length}`,
    since: (cursor) => ({
      cursor: `${log.length}`,
      deliveries: log.slice(Number(cursor)).map((transactionId) => () => {
        return {id: 'a', operation: 'update', transactionId, body: {}}
      }),
    }),
  }
  const hooks = delivererOf(t, source, {url})
  return (change: string) => {
    log.push(change)
    hooks.wake()
  }
}

test('a change during the delivery of the document is delivered after it', async (t) => {
  const {url, until, deliveries} = await receiver(t, () => {
    if (deliveries.length === 1) record('second')
    return 204
  })
  const record = recording(t, url)
  record('first')
  await until(2)
  const transactions = deliveries.map(({headers}) => headers['sanity-transaction-id'])
  assert.deepEqual(transactions, ['first', 'second'])
})

test('a redirect is a failure, and is not followed', async (t) => {
  const {deliveries, settings, until} = await receiver(t, () => 307)
  const {client} = await runLake(t, files, settings)
  await client.delete('a')
  await until(2)
  assert.deepEqual(new Set(deliveries.map(summary)), new Set(['delete a']))
})

/** Waits until everything was delivered and stored. */
const settled = ({address}: RunningLake) =>
  eventually(async () => (await fetch(`${address}/metrics`)).text(), /lake_webhook_pending 0/)

test('changes from before a restart and between two starts are delivered, and no others', async (t) => {
  let isFailing = false
  const {settings, seen, until} = await receiver(t, () => (isFailing ? 503 : 200))
  const long = {executeJs: 'return 1'}
  const textFiles = {post: {executeJs: 'js'}}
  const first = await runLake(t, files, {...settings, textFiles})
  await first.client.create({_id: 'b', _type: 'post', title: 'B', ...long})
  await until(1)
  await settled(first)
  isFailing = true
  await first.client.patch('a').set({title: 'A2'}).commit()
  await until(2)
  await first.close()
  await first.repository.commit({'post/b.js': 'return 2', 'post/c.json': {_id: 'c', _type: 'post'}})
  isFailing = false
  const delivered = seen().length
  const second = await runLakeOver(t, first.repository, {...settings, textFiles})
  await until(delivered + 3)
  await settled(second)
  assert.deepEqual(seen().slice(delivered).sort(), ['create c', 'update a', 'update b'])
  await second.close()
  const third = await runLakeOver(t, first.repository, settings)
  await third.client.delete('c')
  await until(delivered + 4)
  assert.deepEqual(seen().slice(delivered + 3), ['delete c'])
})
