import assert from 'node:assert/strict'
import test from 'node:test'
import {createUpstreamClient} from '../../../service/upstream/client.ts'

test('a hosted project is queried at its own host name, another lake at the configured address', () => {
  const hosted = createUpstreamClient({
    projectId: 'abc123',
    dataset: 'production',
    apiHost: undefined,
    apiToken: 'secret',
    serviceTokenFile: undefined,
  })
  assert.match(hosted.getUrl('/data/query/production'), /^https:\/\/abc123\.api\.sanity\.io\/v2025-02-19\//)
  const embedded = createUpstreamClient({
    projectId: 'local',
    dataset: 'production',
    apiHost: 'http://localhost:3333',
    apiToken: undefined,
    serviceTokenFile: undefined,
  })
  assert.match(embedded.getUrl('/data/query/production'), /^http:\/\/localhost:3333\/v2025-02-19\//)
})

test('queries are for published content, past the CDN, without stega, and the client never retries by itself', () => {
  const config = createUpstreamClient({
    projectId: 'abc123',
    dataset: 'x',
    apiHost: undefined,
    apiToken: undefined,
    serviceTokenFile: undefined,
  }).config()
  assert.equal(config.perspective, 'published')
  assert.equal(config.useCdn, false)
  assert.equal(config.stega.enabled, false)
  assert.equal(config.maxRetries, 0)
})
