import {deepEqual, equal, ok} from 'node:assert/strict'
import {once} from 'node:events'
import {createServer, type ServerResponse} from 'node:http'
import {type TestContext, test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {WebSocketServer} from 'ws'
import {relayStreams} from '../../../lake/studio/relay.ts'
import {openSocket} from './socket.ts'

const stream = '/v1/data/listen/production?query=*'

/** A relay before a server that answers as it likes. */
async function relay(t: TestContext, answer: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1')
  const sockets = new WebSocketServer({host: '127.0.0.1', port: 0})
  t.after(() => {
    for (const socket of sockets.clients) socket.terminate()
    sockets.close()
    server.close()
    server.closeAllConnections()
  })
  await Promise.all([once(server, 'listening'), once(sockets, 'listening')])
  const portOf = (address: unknown) =>
    typeof address === 'object' && address !== null && 'port' in address ? Number(address.port) : 0
  const port = portOf(server.address())
  sockets.on('connection', (socket) => relayStreams(socket, {host: '127.0.0.1', port, headers: {}}))
  return openSocket(t, `ws://127.0.0.1:${portOf(sockets.address())}`, {})
}

test('a browser that reads nothing holds the lake back, and gets all of it once it reads', async (t) => {
  const total = 64 * 1024 * 1024
  const chunk = 'x'.repeat(64 * 1024)
  let written = 0
  const {socket, say, hear} = await relay(t, (response) => {
    const fill = () => {
      while (written < total) {
        written += chunk.length
        if (!response.write(chunk)) return void response.once('drain', fill)
      }
      response.end()
    }
    fill()
  })
  say({id: 1, open: stream, headers: {}})
  await hear((frame) => frame.status === 200)
  socket.pause()
  await setTimeout(500)
  const stalledAt = written
  await setTimeout(200)
  equal(written, stalledAt, 'nothing is read on')
  ok(stalledAt < total / 2, `${stalledAt} bytes were read for a browser that reads none`)

  let received = 0
  socket.on('message', (data) => {
    const frame: unknown = JSON.parse(data.toString())
    if (typeof frame === 'object' && frame !== null && 'data' in frame) received += String(frame.data).length
  })
  socket.resume()
  await hear((frame) => frame.end === true)
  ok(received >= total - stalledAt)
})

test('a server that breaks off ends the stream, and one that does not answer as well', async (t) => {
  const {say, hear} = await relay(t, (response) => {
    response.writeHead(200)
    response.write('one', () => response.destroy())
  })
  say({id: 1, open: stream, headers: {}})
  await hear((frame) => frame.data === 'one')
  deepEqual(await hear((frame) => frame.id === 1), {id: 1, end: true})

  const mute = await relay(t, (response) => response.destroy())
  mute.say({id: 1, open: stream, headers: {}})
  deepEqual(await mute.hear(() => true), {id: 1, end: true})
})

test('a socket that closes ends its requests', async (t) => {
  const gone = Promise.withResolvers<void>()
  const {socket, say, hear} = await relay(t, (response) => {
    response.once('close', gone.resolve)
    response.writeHead(200).flushHeaders()
  })
  say({id: 1, open: stream, headers: {}})
  await hear((frame) => frame.status === 200)
  socket.close()
  await gone.promise
})

test('text is not cut within a character', async (t) => {
  const bytes = Buffer.from('schöner Tee ☕')
  const {say, hear} = await relay(t, async (response) => {
    for (const byte of bytes) {
      response.write(Buffer.from([byte]))
      await setTimeout(2)
    }
    response.end()
  })
  say({id: 1, open: stream, headers: {}})
  let text = ''
  await hear((frame) => {
    text += 'data' in frame ? String(frame.data) : ''
    return frame.end === true
  })
  equal(text, 'schöner Tee ☕')
})
