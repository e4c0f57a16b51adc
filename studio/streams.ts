/** A stream that was asked for. */
type Stream = {
  answer(response: Response): void
  fail(reason: unknown): void
  /** Where its text goes, once it was answered. */
  body?: ReadableStreamDefaultController<Uint8Array>
}

/** The session of the socket has ended. */
class OutdatedError extends Error {}

/**
 * Milliseconds of silence after which a socket counts as dead. Every stream sends a comment each 10 seconds.
 */
const SILENCE = 35_000
const STREAM_PATH = /^\/v[^/]+\/data\/(?:listen|live\/events)\//
const ENCODER = new TextEncoder()
const FORWARDED = ['accept', 'authorization', 'last-event-id']

/**
 * A `fetch` that sends all event streams of this tab through one WebSocket, and passes other requests on.
 *
 * Why: a tab with one open document holds six event streams. That is the maximum number of connections that
 * Chromium and Firefox open to one host over HTTP/1.1, so a seventh request, such as saving an edit, would
 * never be sent. HTTP/2 has no such limit, but browsers use it only over TLS, and a lake on localhost has no
 * certificate.
 *
 * Frames are JSON. To the lake: `{id, open: path, headers}` and `{id, close: true}`. From it: `{id, status,
 * type}`, then any number of `{id, data}`, then `{id, end: true}`. When the socket breaks, its streams fail
 * like a broken connection. Their readers reconnect, which opens a new socket. So does a 401 on a socket that was open
 * before: it has the session of that time, and a person who sets a password gets another one.
 * @param connect opens a socket to the lake
 * @param inner handles the other requests
 */
export function tunnelStreams(connect: () => WebSocket, origin: string, inner: typeof fetch): typeof fetch {
  const streams = new Streams(connect)
  return (input, init) => {
    if (input instanceof Request) return inner(input, init)
    const url = new URL(input, origin)
    const tunnelled =
      url.origin === origin &&
      STREAM_PATH.test(url.pathname) &&
      (init?.method ?? 'GET').toUpperCase() === 'GET'
    return tunnelled
      ? streams.open(url.pathname + url.search, new Headers(init?.headers), init?.signal)
      : inner(input, init)
  }
}

class Streams {
  readonly #newSocket: () => WebSocket
  readonly #open = new Map<number, Stream>()
  #socket: WebSocket | undefined
  /** Frames that wait until the socket is open. */
  #waiting: string[] = []
  #lastId = 0
  #heardAt = 0
  #watch: ReturnType<typeof setInterval> | undefined

  constructor(newSocket: () => WebSocket) {
    this.#newSocket = newSocket
  }

  async open(path: string, headers: Headers, signal: AbortSignal | null | undefined): Promise<Response> {
    for (let isRetry = false; ; isRetry = true) {
      signal?.throwIfAborted()
      const isKept = this.#socket !== undefined
      const socket = this.#connect()
      try {
        const response = await this.#request(socket, path, headers, signal)
        if (response.status !== 401 || isRetry || !isKept) return response
        await response.body?.cancel()
        this.#lose(socket, new OutdatedError())
      } catch (error) {
        if (isRetry || !(error instanceof OutdatedError)) throw error
      }
    }
  }

  #request(
    socket: WebSocket,
    path: string,
    headers: Headers,
    signal: AbortSignal | null | undefined,
  ): Promise<Response> {
    this.#lastId += 1
    const id = this.#lastId
    const {promise, resolve, reject} = Promise.withResolvers<Response>()
    const stream: Stream = {
      answer: resolve,
      fail: (reason) => {
        this.#open.delete(id)
        // No effect if the promise is settled or the body has ended.
        reject(reason)
        stream.body?.error(reason)
      },
    }
    this.#open.set(id, stream)
    signal?.addEventListener('abort', () => {
      this.#close(id)
      stream.fail(signal.reason)
    })
    const sent = FORWARDED.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    })
    this.#send(socket, {id, open: path, headers: Object.fromEntries(sent)})
    return promise
  }

  #close(id: number): void {
    if (this.#open.delete(id) && this.#socket !== undefined) this.#send(this.#socket, {id, close: true})
  }

  #send(socket: WebSocket, frame: object): void {
    const text = JSON.stringify(frame)
    if (socket.readyState === WebSocket.OPEN) socket.send(text)
    else this.#waiting.push(text)
  }

  #connect(): WebSocket {
    if (this.#socket !== undefined) return this.#socket
    const socket = this.#newSocket()
    this.#socket = socket
    this.#waiting = []
    this.#heardAt = Date.now()
    socket.addEventListener('open', () => {
      for (const text of this.#waiting.splice(0)) socket.send(text)
    })
    socket.addEventListener('message', ({data}) => {
      this.#heardAt = Date.now()
      this.#receive(data)
    })
    // A socket that cannot be opened also emits `close`.
    socket.addEventListener('close', () => this.#lose(socket))
    this.#watch = setInterval(() => {
      if (this.#open.size === 0 || Date.now() - this.#heardAt > SILENCE) this.#lose(socket)
    }, SILENCE / 4)
    return socket
  }

  #lose(socket: WebSocket, reason: Error = new TypeError('Lost the connection to the lake')): void {
    if (this.#socket !== socket) return
    this.#socket = undefined
    clearInterval(this.#watch)
    socket.close()
    for (const stream of this.#open.values()) stream.fail(reason)
  }

  #receive(text: unknown): void {
    if (typeof text !== 'string') return
    const frame: unknown = JSON.parse(text)
    if (typeof frame !== 'object' || frame === null || !('id' in frame) || typeof frame.id !== 'number')
      return
    const {id} = frame
    const stream = this.#open.get(id)
    if (stream === undefined) return
    if ('data' in frame && typeof frame.data === 'string') stream.body?.enqueue(ENCODER.encode(frame.data))
    else if ('status' in frame && typeof frame.status === 'number') {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          stream.body = controller
        },
        cancel: () => this.#close(id),
      })
      const headers = {'content-type': 'type' in frame ? String(frame.type) : ''}
      stream.answer(new Response(body, {status: frame.status, headers}))
    } else if ('end' in frame) {
      this.#open.delete(id)
      if (stream.body === undefined) stream.fail(new TypeError('The lake did not respond'))
      else stream.body.close()
    }
  }
}
