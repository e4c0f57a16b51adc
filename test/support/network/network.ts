import {once} from 'node:events'
import {createServer, type IncomingMessage, request, type ServerResponse} from 'node:http'
import type {Socket} from 'node:net'
import {portOf} from './ports.ts'

/** What the network does with a request. "The lake" is the server behind this network. */
export type Fault =
  | {kind: 'none'}
  /** The connection is closed without a response. */
  | {kind: 'refuse'}
  /** No response arrives. */
  | {kind: 'hang'}
  /** The response begins, and its body never arrives. */
  | {kind: 'stall'}
  /** The lake's own response, delayed by this many milliseconds. */
  | {kind: 'slow'; milliseconds: number}
  /** The lake's own response, once a promise has settled. */
  | {kind: 'hold'; until: Promise<unknown>}
  /** The first half of the lake's own response; then the connection is closed. */
  | {kind: 'truncate'}
  /** A response that is not the lake's. */
  | {kind: 'answer'; status: number; contentType: string; body: string; headers?: Record<string, string>}
  /** A body that is shorter than announced. */
  | {kind: 'half'; body: string}
  /** Headers, and then the connection is reset. */
  | {kind: 'reset'}
  /** Bytes that are not HTTP. */
  | {kind: 'bytes'; bytes: Buffer}
  /** Another lake responds. */
  | {kind: 'elsewhere'; target: string}

/** A request, and the status of its response if one arrived. */
type Exchange = {method: string; url: string; status: number | undefined}

/** A network between service and lake, or browser and service: the one place where tests inject faults. */
export type FaultyNetwork = {
  address: string
  /** What happens to all requests but live events, or to each request by its path. */
  fault: Fault | ((url: string) => Fault)
  /** What happens to new streams of live events; `cut` ends open ones. */
  liveFault: Fault
  /** Drops everything that arrives on the streams of live events, which stay open. */
  isMuted: boolean
  /** Paths of the queries that the lake received, without live events, audits and probes. */
  queries: string[]
  /** Number of probes: queries about no site, which tell whether upstream works. */
  probes: number
  /** Number of audits: queries that ask what changed of all sites. */
  audits: number
  /** Every request and its response. */
  exchanges: Exchange[]
  /** Number of requests without a complete response, now and at most. */
  unanswered: number
  mostUnanswered: number
  /** Breaks every open connection. */
  cut(): void
  /** Closes the port, so that connections are refused, until it is opened again. */
  unplug(): Promise<void>
  plug(): Promise<void>
  close(): Promise<void>
}

/** Listens in front of `target` and forwards everything until told otherwise. */
export async function startFaultyNetwork(target: string): Promise<FaultyNetwork> {
  const sockets = new Set<Socket>()
  let port = 0

  const server = createServer((incoming, answer) => {
    const {method = '', url = ''} = incoming
    const isLive = url.includes('/live/events')
    const exchange: Exchange = {method, url, status: undefined}
    network.exchanges.push(exchange)
    answer.on('finish', () => {
      exchange.status = answer.statusCode
    })
    const fault = typeof network.fault === 'function' ? network.fault(url) : network.fault
    if (url.includes('tag=handrail.changes')) network.audits++
    else if (url.includes('tag=handrail.probe')) network.probes++
    else if (!isLive) {
      network.queries.push(url)
      network.unanswered++
      network.mostUnanswered = Math.max(network.mostUnanswered, network.unanswered)
      answer.on('close', () => network.unanswered--)
    }
    apply(isLive ? network.liveFault : fault, incoming, answer, (chunk) => {
      if (!isLive) return chunk
      return network.isMuted ? Buffer.of() : chunk
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })

  function apply(fault: Fault, incoming: IncomingMessage, answer: ServerResponse, edit: Edit): void {
    switch (fault.kind) {
      case 'none':
        forward(target, incoming, answer, {edit})
        return
      case 'elsewhere':
        forward(fault.target, incoming, answer)
        return
      case 'slow':
        setTimeout(() => forward(target, incoming, answer), fault.milliseconds) // the delay of the fault
        return
      case 'hold':
        fault.until.then(() => forward(target, incoming, answer))
        return
      case 'truncate':
        forward(target, incoming, answer, {part: 0.5})
        return
      case 'refuse':
        incoming.socket.destroy()
        return
      case 'hang':
        return
      case 'stall':
        answer.writeHead(200, {'content-type': 'application/json'}).flushHeaders()
        return
      case 'reset':
        answer.writeHead(200, {'content-type': 'application/json'}).flushHeaders()
        incoming.socket.resetAndDestroy()
        return
      case 'bytes':
        incoming.socket.end(fault.bytes)
        return
      case 'answer':
        answer.writeHead(fault.status, {'content-type': fault.contentType, ...fault.headers}).end(fault.body)
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
    isMuted: false,
    queries: [],
    probes: 0,
    audits: 0,
    exchanges: [],
    unanswered: 0,
    mostUnanswered: 0,
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    async unplug() {
      const closed = once(server, 'close')
      server.close()
      network.cut()
      await closed
    },
    async plug() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    async close() {
      if (server.listening) await network.unplug()
    },
  }
  await network.plug()
  port = portOf(server)
  network.address = `http://127.0.0.1:${port}`
  return network
}

/** Changes a part of a response. */
type Edit = (chunk: Buffer) => Buffer

/** How the lake's own response is passed on. */
type Passing = {edit?: Edit; part?: number}

function forward(
  target: string,
  incoming: IncomingMessage,
  answer: ServerResponse,
  passing: Passing = {},
): void {
  const onward = request(
    new URL(incoming.url ?? '/', target),
    {method: incoming.method, headers: {...incoming.headers, host: new URL(target).host}},
    async (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      try {
        if (passing.part !== undefined) {
          const body = Buffer.concat(await reply.toArray())
          answer.write(body.subarray(0, body.length * passing.part), () => answer.destroy())
          return
        }
        for await (const chunk of reply) answer.write(passing.edit?.(chunk) ?? chunk)
        answer.end()
      } catch {
        answer.destroy()
      }
    },
  )
  onward.on('error', () => answer.destroy())
  answer.on('close', () => onward.destroy())
  incoming.pipe(onward)
}
