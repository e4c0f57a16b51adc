import assert from 'node:assert/strict'
import {once} from 'node:events'
import type {Socket} from 'node:net'
import {test} from 'node:test'
import Fastify from 'fastify'
import {State} from '../../../../content/state/state.ts'
import {Access} from '../../../../lake/access/access.ts'
import {limitConnections, SERVER_LIMITS} from '../../../../lake/http/limits/connections.ts'
import {connectFrom, statusesFrom} from '../../../support/client.ts'
import {eventually} from '../../../support/eventually.ts'
import {serve, token} from '../../support/app.ts'
import {storeOf} from '../../support/documents.ts'

test('a client is limited to 500 connections, and other clients are served', async (t) => {
  // Opening them takes longer than the usual limit on a busy machine.
  const http = {headersTimeout: 600_000, requestTimeout: 600_000}
  const {address} = await serve(t, storeOf(), {http})
  const kept = new Set<Socket>()
  for (let opened = 0; opened < 520; opened++) {
    const socket = await connectFrom('127.0.0.2', address)
    t.after(() => socket.destroy())
    kept.add(socket)
    socket.once('close', () => kept.delete(socket)).resume()
    socket.write('GET / HTTP/1.1\r\n')
  }
  await eventually(() => kept.size, 500)
  assert.deepEqual(new Set(await statusesFrom('127.0.0.3', `${address}/healthz`, 50)), new Set([200]))
})

test('a connection whose headers do not arrive in time is closed', async (t) => {
  const {address} = await serve(t, storeOf(), {
    http: {headersTimeout: 50, connectionsCheckingInterval: 20},
  })
  const socket = await connectFrom('127.0.0.2', address)
  t.after(() => socket.destroy())
  socket.resume().write('GET / HTTP/1.1\r\n')
  await once(socket, 'close')
})

test('1,100 idle connections from eleven addresses do not lock out a new client, with or without a token', async (t) => {
  const app = Fastify(SERVER_LIMITS)
  const access = new Access({state: State.inMemory(), apiTokens: [token]})
  limitConnections(app, {access, maxConnections: 1_000, trustedProxies: []})
  app.get('/', () => 'ok')
  const address = await app.listen({host: '127.0.0.1', port: 0})
  t.after(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  const request = (credentials = '') => `GET / HTTP/1.1\r\nhost: localhost\r\n${credentials}\r\n`
  const editor = await connectFrom('127.0.0.1', address)
  t.after(() => editor.destroy())
  const asEditor = request(`authorization: Bearer ${token}\r\n`)
  editor.write(asEditor)
  await once(editor, 'data')

  for (let opened = 0; opened < 1_100; opened++) {
    const socket = await connectFrom(`127.0.2.${1 + (opened % 11)}`, address)
    t.after(() => socket.destroy())
    socket.resume().write(request())
  }
  assert.deepEqual(new Set(await statusesFrom('127.0.0.3', address, 20)), new Set([200]))
  editor.write(asEditor)
  const [response]: Buffer[] = await once(editor, 'data')
  assert.match(String(response), /^HTTP\/1\.1 200 /)
})
