import assert from 'node:assert/strict'
import {test} from 'node:test'
import {connectFrom, statusesFrom} from '../../support/client.ts'
import {eventually} from '../../support/house.ts'
import {queryPath, serve} from '../support/app.ts'
import {storeOf} from '../support/documents.ts'

test('one client has 500 connections, slow ones are cut, and neighbours are answered', async (t) => {
  const {address} = await serve(t, storeOf({_id: 'a', _type: 'post'}))
  const kept = new Set<unknown>()
  for (let opened = 0; opened < 520; opened++) {
    const socket = await connectFrom('127.0.0.2', address)
    t.after(() => socket.destroy())
    kept.add(socket)
    socket.once('close', () => kept.delete(socket)).resume()
    socket.write('GET / HTTP/1.1\r\n')
  }
  await eventually(
    async () => kept.size,
    (size) => size === 500,
  )
  const url = `${address}/v2025-02-19${queryPath('*[_id == "a"][0]._type')}`
  for (const neighbour of ['127.0.0.3', '127.0.0.1'])
    assert.deepEqual(new Set(await statusesFrom(neighbour, url, 50)), new Set([200]))
  // Their headers never end.
  await eventually(
    async () => kept.size,
    (size) => size === 0,
    30,
  )
  assert.deepEqual(await statusesFrom('127.0.0.2', url, 1), [200])
})
