import {deepEqual, equal, match, ok} from 'node:assert/strict'
import {connect} from 'node:net'
import {type TestContext, test} from 'node:test'
import type {DocumentStore} from '../../../../content/store.ts'
import {recordOf} from '../../../support/answers.ts'
import {eventually} from '../../../support/eventually.ts'
import {serve, token} from '../../support/app.ts'
import {change, type document, storeOf} from '../../support/documents.ts'
import {openFrom, openMany, readEvents} from '../../support/events.ts'

const live = '/v2025-02-19/data/live/events/production'
const listen = '/v2025-02-19/data/listen/production?query=*'

/** Routes over a store, and a function that changes it like a commit. */
async function start(t: TestContext, store: DocumentStore = storeOf({_id: 'a', _type: 'x'})) {
  const {address, publish, app} = await serve(t, store)
  const write = (...given: Parameters<typeof document>[0][]) =>
    publish(change(store, ...given.map((one) => ({_updatedAt: new Date().toISOString(), ...one}))))
  return {address, write, app}
}

test('a stream sends its caching headers and its retry delay', async (t) => {
  const {address} = await start(t)
  for (const path of [live, listen]) {
    const {response, next} = await readEvents(t, address + path)
    equal(response.headers.get('cache-control'), 'no-cache, no-transform')
    equal(response.headers.get('x-accel-buffering'), 'no')
    match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
    equal((await next()).event, 'welcome')
  }
})

test('a client that reconnects is told to reload, unless it missed nothing', async (t) => {
  const {address, write} = await start(t)
  const first = await readEvents(t, address + live)
  await first.next()
  write({_id: 'b', _type: 'x'})
  const {id: seen = ''} = await first.next()
  first.close()
  write({_id: 'drafts.d', _type: 'x'})
  const second = await readEvents(t, address + live, {'last-event-id': seen})
  equal((await second.next()).event, 'welcome')
  write({_id: 'f', _type: 'x'})
  equal((await second.next()).event, 'message')

  for (const lastId of [seen, 'other-1', 'nonsense', `${seen}9`]) {
    const {next} = await readEvents(t, address + live, {'last-event-id': lastId})
    equal((await next()).event, 'welcome')
    equal((await next()).event, 'restart')
  }
})

test('draft events are sent to clients that request them', async (t) => {
  const {address, write} = await start(t)
  const published = await readEvents(t, address + live)
  const drafts = await readEvents(t, `${address}${live}?includeDrafts=true`)
  await published.next()
  await drafts.next()
  write({_id: 'drafts.a', _type: 'x'})
  write({_id: 'b', _type: 'x'})
  const [draft, both] = [await drafts.next(), await drafts.next()]
  const only = await published.next()
  equal(only.id, both.id)
  ok(draft.id !== both.id)
})

test('a listener that tries to resume receives a restart event', async (t) => {
  const {address} = await start(t)
  const {next} = await readEvents(t, `${address}${listen}&enableResume=true`, {'last-event-id': 'x'})
  equal((await next()).event, 'reset')
})

test('a listener receives only what it requested', async (t) => {
  const {address, write} = await start(t)
  const {next} = await readEvents(t, `${address}${listen}&includeMutations=false`)
  await next()
  write({_id: 'a', _type: 'x', n: 1})
  const {data} = await next()
  deepEqual(
    ['result', 'previous', 'mutations'].filter((key) => key in Object(data)),
    [],
  )
})

test('an event says whether a document enters, changes in or leaves the filter', async (t) => {
  const {address, write} = await start(t)
  const query = encodeURIComponent('*[title == "X"]')
  const {next} = await readEvents(t, `${address}/v1/data/listen/production?query=${query}`)
  await next()
  const transitions: unknown[] = []
  for (const post of [{title: 'X'}, {title: 'X', more: 1}, {title: 'Y'}]) {
    write({_id: 'a', _type: 'x', ...post})
    transitions.push(recordOf((await next()).data).transition)
  }
  deepEqual(transitions, ['appear', 'update', 'disappear'])
})

// Studio shows "Saving…" until it has as many events of a transaction as each of them says.
test('events are numbered among those of their transaction that the listener receives', async (t) => {
  const {address, write} = await start(t)
  const query = encodeURIComponent('*[_id in ["a", "drafts.a"]]')
  const {next} = await readEvents(t, `${address}/v1/data/listen/production?query=${query}`)
  await next()
  write(
    {_id: 'b', _type: 'x', n: 1},
    {_id: 'a', _type: 'x', n: 1},
    {_id: 'c', _type: 'x', n: 1},
    {_id: 'drafts.a', _type: 'x', n: 1},
  )
  const events = [recordOf((await next()).data), recordOf((await next()).data)]
  deepEqual(
    events.map((event) => [event.documentId, event.transactionCurrentEvent, event.transactionTotalEvents]),
    [
      ['a', 1, 2],
      ['drafts.a', 2, 2],
    ],
  )
})

test('a subquery in a listener’s filter sees the current documents', async (t) => {
  const store = storeOf({_id: 'a', _type: 'x'}, {_id: 'list', _type: 'list', ids: ['b']})
  const {address, write} = await start(t, store)
  const query = encodeURIComponent('*[_id in *[_id == "list"][0].ids]')
  const {next} = await readEvents(t, `${address}/v1/data/listen/production?query=${query}`)
  await next()
  write({_id: 'c', _type: 'x'})
  write({_id: 'b', _type: 'x'})
  match(JSON.stringify((await next()).data), /"documentId":"b"/)
})

test('closing ends all streams', async (t) => {
  const {address, app} = await start(t)
  const streams = [await readEvents(t, address + live), await readEvents(t, address + listen)]
  for (const {next} of streams) await next()
  await app.close()
  for (const {ended} of streams) await ended
})

test('a client that does not read is disconnected', async (t) => {
  const {address, write} = await start(t)
  const {hostname, port} = new URL(address)
  const socket = connect(Number(port), hostname)
  t.after(() => socket.destroy())
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => {})
  socket.write(
    `GET ${listen}&includeResult=true HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  )
  await new Promise((resolve) => socket.once('readable', resolve))
  socket.pause()
  const text = 'x'.repeat(500_000)
  for (let number = 0; number < 40; number += 1) {
    write({_id: 'a', _type: 'x', number, text})
    await new Promise((resolve) => setImmediate(resolve))
  }
  socket.resume()
  await closed
  ok(socket.bytesRead < 30 * 500_000)
})

test('a principal is limited to 256 streams over all addresses', async (t) => {
  const {address} = await start(t)
  const headers = {authorization: `Bearer ${token}`}
  equal(await openMany(200, t, '127.0.0.2', address + live, headers), 200)
  equal(await openMany(100, t, '127.0.0.3', address + live, headers), 56)
  equal((await openFrom(t, '127.0.0.3', address + live)).statusCode, 401, 'without a token, none')
})

test('an event larger than the limit reaches a client that reads', async (t) => {
  const {address, write} = await start(t)
  const url = `${address}${listen}&includeResult=true&includeMutations=false`
  const stream = await openFrom(t, '127.0.0.2', url, {authorization: `Bearer ${token}`})
  const size = 6 * 2 ** 20
  let received = 0
  stream.on('data', (chunk: Buffer) => {
    received += chunk.length
  })
  write({_id: 'a', _type: 'x', text: 'x'.repeat(size)})
  await eventually(
    async () => received,
    (bytes) => bytes > size,
  )
  write({_id: 'a', _type: 'x', text: 'short'})
  await eventually(
    async () => received,
    (bytes) => bytes > size + 100,
  )
  equal(stream.closed, false)
})
