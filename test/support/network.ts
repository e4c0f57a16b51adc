import {createServer, type IncomingMessage, request, type ServerResponse} from 'node:http'
import type {AddressInfo, Socket} from 'node:net'

/** What the network does with a request on its way to the lake. */
export type Fault =
  | {kind: 'none'}
  | {kind: 'refuse'}
  | {kind: 'hang'}
  | {kind: 'answer'; status: number; contentType: string; body: string}
  | {kind: 'half'; body: string}

/** A network of its own between the service and the lake: the one place where tests break things. */
export type FaultyNetwork = {
  address: string
  /** What happens to all but live events. */
  fault: Fault
  /** What happens to live events that are asked for from now on; `cut` ends those that flow. */
  liveFault: Fault
  /** Paths of the queries that the lake was asked, live events left out. */
  queries: string[]
  /** Breaks every open connection. */
  cut(): void
  close(): Promise<void>
}

/** Stands before `target` and forwards everything until it is told otherwise. */
export async function startFaultyNetwork(target: string): Promise<FaultyNetwork> {
  const sockets = new Set<Socket>()
  const server = createServer((incoming, answer) => {
    const isLive = incoming.url?.includes('/live/events') ?? false
    if (!isLive) network.queries.push(incoming.url ?? '')
    apply(isLive ? network.liveFault : network.fault, incoming, answer)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })

  function apply(fault: Fault, incoming: IncomingMessage, answer: ServerResponse): void {
    switch (fault.kind) {
      case 'none':
        forward(target, incoming, answer)
        return
      case 'refuse':
        incoming.socket.destroy()
        return
      case 'hang':
        return
      case 'answer':
        answer.writeHead(fault.status, {'content-type': fault.contentType}).end(fault.body)
        return
      case 'half':
        answer.writeHead(200, {'content-type': 'application/json', 'content-length': fault.body.length * 2})
        answer.write(fault.body, () => incoming.socket.destroy())
    }
  }

  const network: FaultyNetwork = {
    address: '',
    fault: {kind: 'none'},
    liveFault: {kind: 'none'},
    queries: [],
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    close() {
      network.cut()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  network.address = `http://127.0.0.1:${portOf(server.address())}`
  return network
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('not listening on TCP')
  return address.port
}

function forward(target: string, incoming: IncomingMessage, answer: ServerResponse): void {
  const onward = request(
    new URL(incoming.url ?? '/', target),
    {method: incoming.method, headers: {...incoming.headers, host: new URL(target).host}},
    (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
      reply.on('error', () => answer.destroy())
    },
  )
  onward.on('error', () => answer.destroy())
  answer.on('close', () => onward.destroy())
  incoming.pipe(onward)
}
