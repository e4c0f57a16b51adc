import type {Server} from 'node:http'
import type {Socket} from 'node:net'
import {compile} from '@fastify/proxy-addr'
import {Tally} from '../../common/tally.ts'
import {clientOf} from './client.ts'

/** Connections in all, and of one client: some tabs of Studio hold a hundred. */
const maxConnections = 5_000
const maxOfClient = 500

/** What a request may take: editors send little, Git hosts up to 5 MB. Node looks after it every half a minute otherwise. */
export const serverLimits = {
  requestTimeout: 30_000,
  http: {headersTimeout: 5_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000},
}

/** This machine: `npm start` asks, and the lake itself asks for the streams that it carries to a tab. */
const thisMachine = ['127.0.0.1/32', '::1/128']

/** Bounds the connections of a server, those of a client by its address. Proxies that are trusted may have all. */
export function boundConnections(server: Server, trustedProxies: readonly string[]): void {
  const mayHaveAll = compile([...thisMachine, ...trustedProxies])
  const open = new Tally()
  server.maxConnections = maxConnections
  server.on('connection', (socket: Socket) => {
    const {remoteAddress = ''} = socket
    if (mayHaveAll(remoteAddress, 0)) return
    const client = clientOf({ip: remoteAddress})
    if (open.of(client) >= maxOfClient) {
      socket.destroy()
      return
    }
    open.add(client)
    socket.once('close', () => open.remove(client))
  })
}
