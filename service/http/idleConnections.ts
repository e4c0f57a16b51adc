import type {Server} from 'node:http'
import type {Socket} from 'node:net'

/** How long an idle connection is kept open, in seconds. Longer than the minute of common proxies. */
const KEPT_FOR = 72

/** The header that tells clients (RFC 2068 §19.7.1.1). */
export const KEEP_ALIVE = `timeout=${KEPT_FOR}`

/** Longer than clients are told, in milliseconds: their request may already be on its way. */
export const CHECK_EVERY = (KEPT_FOR + 1) * 1_000

/**
 * Closes connections on which nothing arrived between two checks. Node's `keepAliveTimeout` would start and stop a
 * timer for each request, which takes a twentieth of its CPU time. No response of the service takes as long as a
 * check: what is left to write belongs to a slow reader.
 */
export function closeIdleConnections(server: Server): void {
  /** Open connections, and the bytes that each had received at the last check. */
  const received = new Map<Socket, number>()
  server.on('connection', (socket: Socket) => {
    received.set(socket, Number.NaN)
    socket.once('close', () => received.delete(socket))
  })
  const timer = setInterval(() => {
    for (const [socket, before] of received) {
      const {bytesRead, writableLength} = socket
      if (bytesRead === before && writableLength === 0) socket.destroy()
      else received.set(socket, bytesRead)
    }
  }, CHECK_EVERY).unref()
  server.once('close', () => clearInterval(timer))
}
