import assert from 'node:assert/strict'
import {test} from 'node:test'
import {readLakeSettings} from '../../../../lake/settings.ts'

test('webhooks are a list of addresses that say what they are told of, and need a secret', () => {
  const {webhooks, webhookSecrets} = readLakeSettings({
    LAKE_WEBHOOKS: 'https://a.example/hook  http://127.0.0.1:9/purge#audit,change',
    LAKE_WEBHOOK_SECRET: 'secret',
  })
  assert.deepEqual(webhooks, [
    {url: 'https://a.example/hook', kinds: ['change']},
    {url: 'http://127.0.0.1:9/purge', kinds: ['change', 'audit']},
  ])
  assert.deepEqual(webhookSecrets, ['secret'])
  assert.deepEqual(readLakeSettings({}).webhooks, [])
  assert.throws(() => readLakeSettings({LAKE_WEBHOOKS: 'https://a.example/hook'}), {
    message: 'LAKE_WEBHOOK_SECRET: must be set with LAKE_WEBHOOKS, because it signs their requests',
  })
})

test('an invalid address is refused without repeating it', () => {
  for (const address of [
    'ftp://a.example/path',
    '/path',
    'https://user:path@a.example',
    'https://a.example/path#other',
  ])
    assert.throws(
      () => readLakeSettings({LAKE_WEBHOOKS: `https://ok.example ${address}`, LAKE_WEBHOOK_SECRET: 'secret'}),
      (error) =>
        error instanceof Error &&
        /LAKE_WEBHOOKS: entry 2 (?:is not|must end like #review)/.test(error.message) &&
        !error.message.includes('path'),
    )
})
