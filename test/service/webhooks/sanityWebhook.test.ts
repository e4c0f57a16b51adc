import assert from 'node:assert/strict'
import {test} from 'node:test'
import {encodeSignatureHeader} from '@sanity/webhook'
import {SanityWebhook} from '../../../service/webhooks/sanityWebhook.ts'
import {secret} from './support.ts'

const body = '{"_id": "search", "_rev": "announced"}'
const now = Date.parse('2026-11-21T00:00:00Z')

async function headers(signedAt = now) {
  return {
    'sanity-webhook-signature': await encodeSignatureHeader(body, signedAt, secret),
    'idempotency-key': 'one',
    'sanity-project-id': 'local',
    'sanity-dataset': 'production',
  }
}

test('a delivery that failed in the service may be sent again, and is accepted once', async () => {
  let heard = 0
  let fails = true
  const webhook = new SanityWebhook({
    secrets: [secret],
    content: {projectId: 'local', dataset: 'production'},
    onChange() {
      if (fails) throw new Error('out of memory')
      heard += 1
    },
    clock: () => now,
  })
  await assert.rejects(webhook.take(await headers(), body), /out of memory/)
  fails = false
  await webhook.take(await headers(), body)
  await assert.rejects(webhook.take(await headers(), body), {code: 'WEBHOOK_REPLAYED'})
  await assert.rejects(webhook.take(await headers(now + 1_000), body), {code: 'WEBHOOK_REPLAYED'})
  assert.equal(heard, 1)
})

test('a delivery may be signed with the secret from before', async () => {
  const options = {
    content: {projectId: 'local', dataset: 'production'},
    onChange() {},
    clock: () => now,
  }
  const rotating = new SanityWebhook({...options, secrets: ['new', secret]})
  assert.deepEqual(await rotating.take(await headers(), body), {result: 'asking'})
  for (const secrets of [['new', 'old'], ['new']]) {
    const other = new SanityWebhook({...options, secrets})
    await assert.rejects(other.take(await headers(), body), {code: 'WEBHOOK_SIGNATURE_WRONG'})
  }
})
