import assert from 'node:assert/strict'
import {test} from 'node:test'
import {decoded, plainGet} from '../../support/network/plainGet.ts'
import {queryPath, token} from '../support/app.ts'
import {readEvents} from '../support/events.ts'
import {runLake} from '../support/lake.ts'

const files = Object.fromEntries(
  Array.from({length: 300}, (_, n) => [
    `post/p${n}.json`,
    {_id: `p${n}`, _type: 'post', text: 'some text '.repeat(20)},
  ]),
)

const authorization = `Bearer ${token}`

const get = (url: string, accepted?: string) => plainGet(url, accepted, undefined, {authorization})

test('JSON is compressed for clients that accept it, and is the same', async (t) => {
  const {address} = await runLake(t, files)
  for (const path of [queryPath('*'), '/data/export/production', '/data/doc/production/p1,p2,p3,p4,p5,p6']) {
    const url = `${address}/v2025-02-19${path}`
    const [plain, small] = [await get(url), await get(url, 'br;q=1, gzip;q=0.5')]
    assert.equal(plain.headers['content-encoding'], undefined, path)
    assert.equal(small.headers['content-encoding'], 'gzip', path)
    assert.match(String(plain.headers.vary), /accept-encoding/, path)
    const timeless = (text: string) => text.replace(/"ms":\d+/, '')
    assert.equal(timeless(decoded('gzip', small.body)), timeless(plain.body.toString()), path)
    assert.ok(small.body.length < plain.body.length / 4, path)
  }
})

test('short responses, and those for other clients, are not compressed', async (t) => {
  const {address} = await runLake(t, files)
  const asked: [query: string, accepted: string][] = [
    ['1', 'gzip'],
    ['*', 'gzip;q=0'],
    ['*', 'br'],
    ['*', 'identity'],
  ]
  for (const [query, accepted] of asked) {
    const {status, headers} = await get(`${address}/v2025-02-19${queryPath(query)}`, accepted)
    assert.deepEqual([status, headers['content-encoding']], [200, undefined], `${query} ${accepted}`)
  }
})

test('event streams are not compressed', async (t) => {
  const {address} = await runLake(t)
  const url = `${address}/v2025-02-19/data/live/events/production`
  const {response, next} = await readEvents(t, url, {'accept-encoding': 'gzip'})
  assert.equal((await next()).event, 'welcome')
  assert.equal(response.headers.get('content-encoding'), null)
})
