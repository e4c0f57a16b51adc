import type {Server} from 'node:http'
import type {Socket} from 'node:net'
import {compile} from '@fastify/proxy-addr'
import {clientKey} from './clientKey.ts'
import {Tally} from './tally.ts'

/** The share of all connections that one client may have. */
const SHARE = 1 / 10

/** Above this share of all connections, some are closed to make room for new ones. */
const CROWDED = 9 / 10

/**
 * Minimum interval between two closings of idle connections, in milliseconds: each visits every connection.
 */
const MAKE_ROOM_EVERY = 1_000

/** Interval of the checks for slow readers, in milliseconds. */
const CHECK_READERS_EVERY = 60_000

/** Which limit refused a connection: the one for all clients together, or the share of one client. */
export type ConnectionLimit = 'all' | 'client'

export type ConnectionLimits = {
  readonly maxConnections: number
  /** Addresses and networks without a limit per client, because each carries many clients. */
  readonly trustedProxies: readonly string[]
  readonly onRefused?: (limit: ConnectionLimit, address: string | undefined) => void
  /**
   * Whether a connection belongs to an authenticated client. If given, a new connection displaces the oldest
   * of an unknown client, in use or not, and never one of a known client. Otherwise idle connections are
   * closed to make room.
   */
  readonly isKnown?: (socket: Socket) => boolean
  /** Interval of the checks for slow readers, in milliseconds. For tests. */
  readonly checkReadersEvery?: number
}

/**
 * Limits the connections of a server: in total, to a tenth of that for each client, and none for clients that
 * do not read their responses. Refusing a connection costs a hundredth of a response.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const {maxConnections, trustedProxies, onRefused, isKnown, checkReadersEvery = CHECK_READERS_EVERY} = limits
  const isProxy = compile([...trustedProxies])
  const maxOfClient = Math.ceil(maxConnections * SHARE)
  const ofClient = new Tally()
  const open = new Set<Socket>()
  /** Oldest first. A connection that has become known is removed when it is visited. */
  const displaceable = new Set<Socket>()
  let madeRoomAt = Number.NEGATIVE_INFINITY

  server.maxConnections = maxConnections
  server.on('drop', (data) => onRefused?.('all', data?.remoteAddress))
  server.on('connection', (socket: Socket) => {
    const {remoteAddress = ''} = socket
    const client = clientKey(remoteAddress)
    const fromProxy = isProxy(remoteAddress, 0)
    if (ofClient.of(client) >= maxOfClient && !fromProxy) {
      socket.destroy()
      onRefused?.('client', remoteAddress)
      return
    }
    ofClient.add(client)
    open.add(socket)
    if (!fromProxy) displaceable.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      displaceable.delete(socket)
      ofClient.remove(client)
    })
    if (open.size < maxConnections * CROWDED) return
    if (isKnown) displaceOldest(socket, isKnown)
    else closeIdle()
  })

  /**
   * Node counts a connection as idle after a response. One that has sent nothing yet has `headersTimeout` to
   * do so.
   */
  function closeIdle(): void {
    const now = performance.now()
    if (now - madeRoomAt < MAKE_ROOM_EVERY) return
    madeRoomAt = now
    server.closeIdleConnections()
  }

  function displaceOldest(newcomer: Socket, isKnown: (socket: Socket) => boolean): void {
    for (const socket of displaceable) {
      if (socket === newcomer) return
      displaceable.delete(socket)
      if (isKnown(socket) || socket.destroyed) continue
      socket.destroy()
      onRefused?.('all', socket.remoteAddress)
      return
    }
  }

  const checking = setInterval(slowReaderCheck(open), checkReadersEvery).unref()
  server.once('close', () => clearInterval(checking))
}

/**
 * Makes a function that closes each connection whose client has read nothing since the last call. Node counts
 * a buffer as read once the operating system has accepted all of it.
 */
function slowReaderCheck(open: ReadonlySet<Socket>): () => void {
  let readBefore = new Map<Socket, number>()
  return () => {
    const waiting = new Map<Socket, number>()
    for (const socket of open) {
      const {writableLength, bytesWritten} = socket
      if (writableLength === 0) continue
      // `bytesWritten` includes buffered bytes: an event stream whose client does not read still grows with
      // each heartbeat.
      const read = bytesWritten - writableLength
      if (readBefore.get(socket) === read) socket.destroy()
      else waiting.set(socket, read)
    }
    readBefore = waiting
  }
}
