import {deepEqual, equal, rejects} from 'node:assert/strict'
import {createServer} from 'node:http'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {type WebSocket as ServerSocket, WebSocketServer} from 'ws'
import {tunnelStreams} from '../../studio/streams.ts'
import {token} from '../lake/support/app.ts'
import {temporaryFolder} from '../lake/support/git.ts'
import {type RunningLake, runLake} from '../lake/support/lake.ts'
import {listen} from '../support/network/ports.ts'

const authorization = `Bearer ${token}`

/** Studio's `fetch` for a lake, and the number of sockets it opened. */
async function studioOf(t: TestContext) {
  const lake = await runLake(t, {}, {studioDir: join(await temporaryFolder(t), 'studio')})
  const sockets: WebSocket[] = []
  const connect = () => {
    // A browser sends the page's origin and the session's cookie by itself.
    const options = {headers: {origin: lake.address, authorization}}
    const socket = new WebSocket(`${lake.address.replace('http', 'ws')}/_streams`, options)
    sockets.push(socket)
    return socket
  }
  t.after(() => {
    for (const socket of sockets) socket.close()
  })
  return {lake, sockets, fetch: tunnelStreams(connect, lake.address, globalThis.fetch)}
}

const listenUrl = ({address}: RunningLake) =>
  `${address}/v2025-02-19/data/listen/production?query=${encodeURIComponent('*[_type == "post"]')}`

/** Reads a stream until its text matches. */
async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, pattern: RegExp): Promise<string> {
  const decoder = new TextDecoder()
  for (let text = ''; ; ) {
    const {value, done} = await reader.read()
    if (done) throw new Error(`the stream ended without ${pattern}`)
    text += decoder.decode(value, {stream: true})
    if (pattern.test(text)) return text
  }
}

function readerOf({body}: Response): ReadableStreamDefaultReader<Uint8Array> {
  if (body === null) throw new Error('no body')
  return body.getReader()
}

/** A server of sockets that does what a test says. */
async function socketServer(t: TestContext): Promise<{sockets: WebSocketServer; origin: string}> {
  const server = createServer()
  const sockets = new WebSocketServer({server})
  t.after(() => {
    for (const socket of sockets.clients) socket.terminate()
    server.close()
  })
  return {sockets, origin: `http://127.0.0.1:${await listen(server)}`}
}

test('twelve event streams and a query need one socket and no other connection for streams', async (t) => {
  const {lake, sockets, fetch} = await studioOf(t)
  const streams = await Promise.all(
    Array.from({length: 12}, () => fetch(listenUrl(lake), {headers: {authorization}})),
  )
  const readers = streams.map(readerOf)
  for (const [at, reader] of readers.entries()) {
    equal(streams[at]?.status, 200)
    await readUntil(reader, /event: welcome/)
  }
  equal(sockets.length, 1)
  await lake.repository.commit({'post/a.json': {_id: 'a', _type: 'post'}})
  for (const reader of readers) await readUntil(reader, /"documentId":"a"/)
  const query = `${lake.address}/v2025-02-19/data/query/production?query=${encodeURIComponent('*[_id == "a"]._type')}`
  const answer = await fetch(query, {headers: {authorization}})
  deepEqual(Object(await answer.json()).result, ['post'])
})

test('a response other than a stream is returned with its status', async (t) => {
  const {lake, fetch} = await studioOf(t)
  const answer = await fetch(listenUrl(lake), {headers: {authorization: 'Bearer wrong'}})
  equal(answer.status, 401)
  equal(Object(await answer.json()).statusCode, 401)
})

test('aborting ends a stream, before and after its response', async (t) => {
  const {lake, sockets, fetch} = await studioOf(t)
  const early = new AbortController()
  const opening = fetch(listenUrl(lake), {headers: {authorization}, signal: early.signal})
  early.abort()
  await rejects(opening, {name: 'AbortError'})
  await rejects(fetch(listenUrl(lake), {signal: AbortSignal.abort()}), {name: 'AbortError'})

  const late = new AbortController()
  const reader = readerOf(await fetch(listenUrl(lake), {headers: {authorization}, signal: late.signal}))
  await readUntil(reader, /welcome/)
  late.abort()
  await rejects(reader.read(), {name: 'AbortError'})
  equal(sockets.length, 1)
})

test('a stream that is cancelled is closed at the lake, and its number is free', async (t) => {
  const {lake, fetch} = await studioOf(t)
  // More than a socket may hold at once.
  for (let count = 0; count < 100; count++) {
    const answer = await fetch(listenUrl(lake), {headers: {authorization}})
    equal(answer.status, 200)
    await answer.body?.cancel()
  }
})

test('a broken socket fails its streams, and the next stream opens a new one', async (t) => {
  const {lake, sockets, fetch} = await studioOf(t)
  const reader = readerOf(await fetch(listenUrl(lake), {headers: {authorization}}))
  await readUntil(reader, /welcome/)
  sockets[0]?.close()
  await rejects(reader.read(), TypeError)
  const again = readerOf(await fetch(listenUrl(lake), {headers: {authorization}}))
  await readUntil(again, /welcome/)
  equal(sockets.length, 2)
})

test('while the lake is unavailable, streams fail as requests do', async () => {
  const nowhere = 'http://127.0.0.1:9'
  const fetch = tunnelStreams(() => new WebSocket('ws://127.0.0.1:9/_streams'), nowhere, globalThis.fetch)
  await rejects(fetch(`${nowhere}/v1/data/listen/production?query=*`), TypeError)
})

test('a stream that ends without a response fails', async (t) => {
  const {sockets, origin} = await socketServer(t)
  sockets.on('connection', (socket: ServerSocket) => {
    socket.on('message', () => socket.send(JSON.stringify({id: 1, end: true})))
  })
  const connect = () => new WebSocket(origin.replace('http', 'ws'))
  const fetch = tunnelStreams(connect, origin, globalThis.fetch)
  await rejects(fetch(`${origin}/v1/data/live/events/production`), TypeError)
})

test('a stream that the session of the socket does not allow any more is opened on a new socket, once', async (t) => {
  const {sockets, origin} = await socketServer(t)
  let isSignedIn = true
  let connections = 0
  sockets.on('connection', (socket: ServerSocket) => {
    connections += 1
    const isFirst = connections === 1
    let opened = 0
    socket.on('message', (text) => {
      const {id, open} = JSON.parse(String(text))
      if (open === undefined) return
      opened += 1
      const isAllowed = isSignedIn && (!isFirst || opened === 1)
      socket.send(JSON.stringify({id, status: isAllowed ? 200 : 401, type: 'text/plain'}))
      socket.send(JSON.stringify({id, data: `${isAllowed}`}))
    })
  })
  const connect = () => new WebSocket(origin.replace('http', 'ws'))
  const fetch = tunnelStreams(connect, origin, globalThis.fetch)
  const url = `${origin}/v1/data/listen/production?query=*`
  const before = readerOf(await fetch(url))
  await readUntil(before, /true/)
  const after = await Promise.all([fetch(url), fetch(url)])
  for (const response of after) {
    equal(response.status, 200)
    await readUntil(readerOf(response), /true/)
  }
  await rejects(async () => before.read())
  equal(connections, 2)
  isSignedIn = false
  equal((await fetch(url)).status, 401)
  equal(connections, 3)
})
