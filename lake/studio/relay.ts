import type {ServerResponse} from 'node:http'
import type {FastifyInstance} from 'fastify'
import {readFrame, type Told} from './frames.ts'
import {innerRequest} from './innerRequest.ts'
import type {OpenSocket} from './sockets.ts'

/**
 * Maximum streams of one socket. A tab holds six for its first document, and one or two for each further
 * pane.
 */
const MAX_STREAMS = 64

/**
 * Serves the event streams of one socket, each by an inner request, so the same access control applies as
 * over HTTP.
 */
export function relayStreams(app: FastifyInstance, {socket, request, send}: OpenSocket): void {
  const streams = new Map<number, ServerResponse>()
  const tell = (frame: Told) => send(JSON.stringify(frame))

  const open = (id: number, path: string, headers: Record<string, string>) => {
    if (streams.has(id)) return socket.close(1008, 'Another stream uses this number')
    if (streams.size >= MAX_STREAMS) {
      tell({id, status: 503, type: 'text/plain'})
      tell({id, end: true})
      return
    }
    const stream = innerRequest(
      app,
      request,
      {path, headers},
      {
        start: (status, type) => tell({id, status, type}),
        data: (data) => tell({id, data}),
        end: () => {
          if (streams.get(id) !== stream.response) return
          streams.delete(id)
          tell({id, end: true})
        },
      },
    )
    streams.set(id, stream.response)
    stream.send()
  }

  const close = (id: number) => {
    const response = streams.get(id)
    streams.delete(id)
    response?.destroy()
  }

  socket.on('message', (data, isBinary) => {
    const frame = isBinary ? undefined : readFrame(data.toString())
    if (frame === undefined) socket.close(1008, 'Not a valid frame of this protocol')
    else if ('close' in frame) close(frame.id)
    else open(frame.id, frame.open, frame.headers)
  })
  socket.once('close', () => {
    for (const id of [...streams.keys()]) close(id)
  })
}
