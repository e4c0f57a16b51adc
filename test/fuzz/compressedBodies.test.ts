import assert from 'node:assert/strict'
import {test} from 'node:test'
import {brotliCompressSync, deflateSync, gzipSync} from 'node:zlib'
import {token} from '../lake/support/app.ts'
import {runLake} from '../lake/support/lake.ts'
import {runHouse} from '../support/house.ts'
import {siteDocument} from '../support/shop.ts'

/** A query that succeeds if a server decompresses it. */
const query = Buffer.from(JSON.stringify({query: '1'}))
/** 50 MB of zeros in 50 kB. */
const bomb = gzipSync(Buffer.alloc(50_000_000))

const encodings: [name: string, body: Buffer][] = [
  ['gzip', gzipSync(query)],
  ['deflate', deflateSync(query)],
  ['br', brotliCompressSync(query)],
  ['gzip, gzip', gzipSync(gzipSync(query))],
  ['gzip', bomb],
]

async function statusesOf(urls: string[], headers: Record<string, string>): Promise<[string, number][]> {
  const found: [string, number][] = []
  for (const url of urls)
    for (const [encoding, body] of encodings) {
      const response = await fetch(url, {
        method: 'POST',
        headers: {'content-type': 'application/json', 'content-encoding': encoding, ...headers},
        body: new Uint8Array(body),
      })
      await response.text()
      found.push([url, response.status])
    }
  return found
}

test('neither server decompresses request bodies', async (t) => {
  const lake = await runLake(t, {}, {gitWebhookSecret: 'secret'})
  const routes = ['/data/query/production', '/data/mutate/production', '/data/actions/production']
  const asked = routes.map((route) => `${lake.address}/v2025-02-19${route}`)
  const headers = {authorization: `Bearer ${token}`, 'x-hub-signature-256': 'sha256=0'}
  const house = await runHouse(t, [siteDocument()], {SANITY_WEBHOOK_SECRET: 'secret'})
  const statuses = [
    ...(await statusesOf([...asked, `${lake.address}/webhooks/git`], headers)),
    ...(await statusesOf([`${house.serviceAddress}/webhooks/sanity`, `${house.serviceAddress}/nowhere`], {
      'sanity-webhook-signature': 't=1,v1=x',
    })),
  ]
  for (const [url, status] of statuses) assert.ok(status >= 400 && status < 500, `${url}: ${status}`)
})
