import type {Server} from 'node:http'
import type {Socket} from 'node:net'
import {compile} from '@fastify/proxy-addr'
import {clientKey} from '../../common/clientKey.ts'
import {Tally} from '../../common/tally.ts'
import type {ServiceEvents} from '../events.ts'
import type {ServiceSettings} from '../settings.ts'

/** The part of all connections that one client may have. Proxies that are trusted may have all. */
const SHARE = 1 / 10

/** The part of them from which on idle ones are closed, to make room for whoever comes. */
const CROWDED = 9 / 10

/** Milliseconds between two rounds of that: each looks at every connection. */
const MAKE_ROOM_EVERY = 1_000

/** Milliseconds for a client to take an answer, beside what the system keeps of it; it may be twice as long. */
const TAKE_WITHIN = 60_000

export type ConnectionsOptions = Pick<ServiceSettings, 'maxConnections' | 'trustedProxies'> & {
  events: ServiceEvents
  /** Milliseconds; tests have less time. */
  takeWithin?: number
}

/**
 * Bounds the connections of a server: so many in all, a tenth of them for one client, and none for whoever does not
 * take what it asked for. To refuse a connection costs a hundredth of what an answer would.
 */
export function boundConnections(server: Server, options: ConnectionsOptions): void {
  const {maxConnections, trustedProxies, events, takeWithin = TAKE_WITHIN} = options
  const isProxy = compile([...trustedProxies])
  const maxOfClient = Math.ceil(maxConnections * SHARE)
  const ofClient = new Tally()
  const open = new Set<Socket>()
  let madeRoomAt = Number.NEGATIVE_INFINITY

  server.maxConnections = maxConnections
  server.on('drop', (data) => events.emit('connectionRefused', 'all', data?.remoteAddress))
  server.on('connection', (socket: Socket) => {
    const {remoteAddress = ''} = socket
    const client = clientKey(remoteAddress)
    if (ofClient.of(client) >= maxOfClient && !isProxy(remoteAddress, 0)) {
      socket.destroy()
      events.emit('connectionRefused', 'client', remoteAddress)
      return
    }
    ofClient.add(client)
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      ofClient.remove(client)
    })
    if (open.size >= maxConnections * CROWDED) makeRoom()
  })

  /** Idle ones are those that had an answer. Whoever asked for nothing yet has seconds to do so. */
  function makeRoom(): void {
    const now = performance.now()
    if (now - madeRoomAt < MAKE_ROOM_EVERY) return
    madeRoomAt = now
    server.closeIdleConnections()
  }

  const taking = setInterval(cutSlowReaders(open), takeWithin).unref()
  server.once('close', () => clearInterval(taking))
}

/** Cuts whoever was about to take something at the last look already, and still is. */
function cutSlowReaders(open: ReadonlySet<Socket>): () => void {
  let waitingBefore = new Map<Socket, number>()
  return () => {
    const waiting = new Map<Socket, number>()
    for (const socket of open) {
      const {writableLength, bytesWritten} = socket
      if (writableLength === 0) continue
      if (waitingBefore.get(socket) === bytesWritten) socket.destroy()
      else waiting.set(socket, bytesWritten)
    }
    waitingBefore = waiting
  }
}
