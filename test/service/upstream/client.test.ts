import assert from 'node:assert/strict'
import test from 'node:test'
import {createUpstreamClient} from '../../../service/upstream/client.ts'

const clientOf = (projectId: string, apiHost?: string) =>
  createUpstreamClient({
    ...{projectId, dataset: 'production', apiHost},
    apiToken: undefined,
    serviceTokenFile: undefined,
  })

test('a hosted project is queried at its own host name, another lake at the configured address', () => {
  for (const [client, address] of [
    [clientOf('abc123'), /^https:\/\/abc123\.api\.sanity\.io\/v2025-02-19\//],
    [clientOf('local', 'http://localhost:3333'), /^http:\/\/localhost:3333\/v2025-02-19\//],
  ] as const)
    assert.match(client.getUrl('/data/query/production'), address)
})

test('queries are for published content, past the CDN, without stega, and the client never retries by itself', () => {
  const {perspective, useCdn, stega, maxRetries} = clientOf('abc123').config()
  assert.deepEqual([perspective, useCdn, stega.enabled, maxRetries], ['published', false, false, 0])
})
