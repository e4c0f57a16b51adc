import type {FastifyInstance} from 'fastify'
import {inBackground} from '../../common/background.ts'
import {isJsonObject, jsonIn} from '../../common/json.ts'
import type {OpenSocket} from './sockets.ts'

/**
 * Maximum streams of one socket. A tab holds six for its first document, and one or two for each further
 * pane.
 */
const MAX_STREAMS = 64

/** What access control and limits read: the client, its address and the page that sent the request. */
const INHERITED = [
  'cookie',
  'host',
  'origin',
  'sec-fetch-site',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]

/**
 * Serves the event streams of one socket, each by a request of the lake to itself, so the same access control applies as
 * over HTTP.
 */
export function relayStreams(app: FastifyInstance, {socket, request, send}: OpenSocket): void {
  const streams = new Map<number, AbortController>()
  const tell = (frame: Told) => send(JSON.stringify(frame))
  const {remoteAddress} = request.raw.socket
  const inherited = Object.fromEntries(
    INHERITED.flatMap((name) => {
      const value = request.headers[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

  const relay = async (id: number, path: string, headers: Record<string, string>, signal: AbortSignal) => {
    // An aborted response emits an error, which ends the process if nothing listens: it is aborted only once something does.
    const ended = new AbortController()
    const response = await app.inject({
      method: 'GET',
      url: path,
      headers: {...inherited, ...headers},
      ...(remoteAddress !== undefined && {remoteAddress}),
      payloadAsStream: true,
      signal: ended.signal,
    })
    const body = response.stream().on('error', () => {})
    signal.addEventListener('abort', () => ended.abort(), {once: true})
    if (signal.aborted) return ended.abort()
    tell({id, status: response.statusCode, type: String(response.headers['content-type'] ?? '')})
    for await (const data of body.setEncoding('utf8')) tell({id, data: String(data)})
  }

  const open = (id: number, path: string, headers: Record<string, string>) => {
    if (streams.has(id)) return socket.close(1008, 'Another stream uses this number')
    if (streams.size >= MAX_STREAMS) {
      tell({id, status: 503, type: 'text/plain'})
      tell({id, end: true})
      return
    }
    const controller = new AbortController()
    const {signal} = controller
    streams.set(id, controller)
    // A stream that fails ends, and Studio opens it again.
    void inBackground(() => relay(id, path, headers, signal), {onFailure: () => {}}).then(() => {
      if (signal.aborted) return
      streams.delete(id)
      tell({id, end: true})
    })
  }

  const close = (id: number) => {
    const controller = streams.get(id)
    streams.delete(id)
    controller?.abort()
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

// The frames of the tunnel: JSON texts. Each belongs to one stream, which the browser numbers. Studio's side
// of the tunnel is its `fetch`.

/** A frame from the browser: opens or closes a stream. */
type Asked =
  | {readonly id: number; readonly open: string; readonly headers: Readonly<Record<string, string>>}
  | {readonly id: number; readonly close: true}

/** A frame from the lake: the response's status, then parts of the body, then the end. */
type Told =
  | {readonly id: number; readonly status: number; readonly type: string}
  | {readonly id: number; readonly data: string}
  | {readonly id: number; readonly end: true}

/** Request headers that a stream may carry. Cookies come with the WebSocket. */
const FORWARDED = new Set(['accept', 'authorization', 'last-event-id'])
/** Only event streams: the tunnel must not give access to any other route. */
const STREAM_PATH = /^\/v[\w.-]+\/data\/(?:listen|live\/events)\/[\w~.-]+(?:\?|$)/

/** Parses a frame from the browser; undefined if it is invalid. */
function readFrame(text: string): Asked | undefined {
  const frame = jsonIn(text)
  if (!isJsonObject(frame)) return undefined
  const {id, open, close, headers} = frame
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined
  if (close === true) return {id, close}
  // Node throws for a path with characters that a request line cannot hold.
  if (typeof open !== 'string' || !STREAM_PATH.test(open) || !/^[\x21-\x7e]+$/.test(open)) return undefined
  return {id, open, headers: pickHeaders(headers)}
}

function pickHeaders(headers: unknown): Record<string, string> {
  const picked: Record<string, string> = {}
  if (!isJsonObject(headers)) return picked
  for (const [name, value] of Object.entries(headers)) {
    if (FORWARDED.has(name) && typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)) picked[name] = value
  }
  return picked
}
