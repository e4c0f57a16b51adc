import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import {test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {Cleanup} from '../../bench/cleanup.ts'
import {CACHE_STATUS, startEdge} from '../../bench/http/cdn/edge.ts'

test('the simulated CDN keeps a config for the rest of its minute, and then revalidates it', async (t) => {
  const cleanup = new Cleanup()
  t.after(() => cleanup.run())
  let age = 59
  const held: unknown[] = []
  const origin = createServer((request, response) => {
    held.push(request.headers['if-none-match'])
    const isHeld = request.headers['if-none-match'] === '"1"'
    const headers = {
      etag: '"1"',
      age: String(age),
      'cache-control': 'public, max-age=60',
      'x-accel-expires': '0',
    }
    response.writeHead(isHeld ? 304 : 200, headers).end(isHeld ? undefined : '{}')
  })
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    origin.closeAllConnections()
    origin.close()
  })
  const address = origin.address()
  assert.ok(typeof address === 'object' && address !== null)
  const edge = await startEdge(`http://127.0.0.1:${address.port}`, {cleanup})
  const statusOf = async (path: string) => {
    const response = await fetch(edge.address + path)
    assert.equal(await response.text(), '{}')
    return response.headers.get(CACHE_STATUS)
  }
  assert.equal(await statusOf('/a'), 'MISS')
  await setTimeout(2_100) // what is left of the minute, which nginx counts in seconds
  age = 0
  assert.equal(await statusOf('/a'), 'REVALIDATED')
  assert.equal(await statusOf('/a'), 'HIT')
  assert.deepEqual(held, [undefined, '"1"'])

  age = 60
  assert.deepEqual(
    [await statusOf('/b'), await statusOf('/b')],
    ['MISS', 'MISS'],
    'nothing is left of its minute',
  )
})
