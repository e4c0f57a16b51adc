import assert from 'node:assert/strict'
import {test} from 'node:test'
import {readLakeSettings} from '../../../../lake/settings.ts'

test('webhooks are a list of addresses, and need a secret', () => {
  const {webhooks, webhookSecret} = readLakeSettings({
    LAKE_WEBHOOKS: 'https://a.example/hook  http://127.0.0.1:9/purge',
    LAKE_WEBHOOK_SECRET: 'secret',
  })
  assert.deepEqual(webhooks, ['https://a.example/hook', 'http://127.0.0.1:9/purge'])
  assert.equal(webhookSecret, 'secret')
  assert.deepEqual(readLakeSettings({}).webhooks, [])
  for (const name of ['LAKE_WEBHOOKS', 'LAKE_REVIEW_WEBHOOKS', 'LAKE_AUDIT_WEBHOOKS'])
    assert.throws(() => readLakeSettings({[name]: 'https://a.example/hook'}), {
      message: `LAKE_WEBHOOK_SECRET: must be set with ${name}, because it signs their requests`,
    })
})

test('an invalid address is refused without repeating it', () => {
  for (const address of ['ftp://a.example/path', '/path', 'https://user:path@a.example'])
    assert.throws(
      () => readLakeSettings({LAKE_WEBHOOKS: `https://ok.example ${address}`, LAKE_WEBHOOK_SECRET: 'secret'}),
      (error) =>
        error instanceof Error &&
        /LAKE_WEBHOOKS: entry 2 is not/.test(error.message) &&
        !error.message.includes('path'),
    )
})
