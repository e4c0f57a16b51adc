import {connect, createServer, type Socket} from 'node:net'
import {portOf} from './ports.ts'

/** A network between a client and a server of any protocol over TCP. */
export type Relay = {
  port: number
  /** The port of the server for new connections, as a name that moves. */
  target: number
  /** Delay of what the server sends from now on, in milliseconds. */
  delay: number
  /** Breaks every open connection. */
  cut(): void
  close(): Promise<void>
}

/** Listens in front of a port of this machine. */
export async function startRelay(targetPort: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  const server = createServer((incoming) => {
    const onward = connect(relay.target, '127.0.0.1')
    for (const [socket, other] of [
      [incoming, onward],
      [onward, incoming],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    incoming.pipe(onward)
    onward.on('data', (chunk: Buffer) => {
      if (relay.delay === 0) incoming.write(chunk)
      else setTimeout(() => incoming.write(chunk), relay.delay) // the delay of the network
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const relay: Relay = {
    port: portOf(server),
    target: targetPort,
    delay: 0,
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    close() {
      relay.cut()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return relay
}
