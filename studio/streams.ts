/** The receiving end of a stream: the socket calls it. */
type Stream = {
  answer(status: number, contentType: string): void
  write(text: string): void
  end(): void
  fail(reason: Error): void
}

/** The session of the socket has ended. */
class OutdatedError extends Error {}

/**
 * Milliseconds of silence after which a socket counts as dead. Every stream sends a comment each 10 seconds.
 */
const SILENCE = 35_000
const STREAM_PATH = /^\/v[^/]+\/data\/(?:listen|live\/events)\//
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
    return new Promise((resolve, reject) => {
      let body: ReadableStreamDefaultController<Uint8Array> | undefined
      const encoder = new TextEncoder()
      const fail = (reason: unknown) => {
        this.#open.delete(id)
        signal?.removeEventListener('abort', abort)
        // No effect if the promise is settled or the body has ended.
        reject(reason)
        body?.error(reason)
      }
      const abort = () => {
        this.#close(id)
        fail(signal?.reason)
      }
      signal?.addEventListener('abort', abort)
      this.#open.set(id, {
        answer: (status, contentType) => {
          const stream = new ReadableStream<Uint8Array>({
            start: (controller) => {
              body = controller
            },
            cancel: () => {
              this.#close(id)
              signal?.removeEventListener('abort', abort)
            },
          })
          resolve(new Response(stream, {status, headers: {'content-type': contentType}}))
        },
        write: (text) => body?.enqueue(encoder.encode(text)),
        end: () => {
          if (body === undefined) return fail(new TypeError('The lake did not respond'))
          this.#open.delete(id)
          signal?.removeEventListener('abort', abort)
          body.close()
        },
        fail,
      })
      const sent = FORWARDED.flatMap((name) => {
        const value = headers.get(name)
        return value === null ? [] : [[name, value]]
      })
      this.#send(socket, {id, open: path, headers: Object.fromEntries(sent)})
    })
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
    for (const stream of [...this.#open.values()]) stream.fail(reason)
  }

  #receive(text: unknown): void {
    if (typeof text !== 'string') return
    const frame: unknown = JSON.parse(text)
    if (typeof frame !== 'object' || frame === null || !('id' in frame) || typeof frame.id !== 'number')
      return
    const stream = this.#open.get(frame.id)
    if (stream === undefined) return
    if ('data' in frame && typeof frame.data === 'string') stream.write(frame.data)
    else if ('status' in frame && typeof frame.status === 'number') {
      stream.answer(frame.status, 'type' in frame ? String(frame.type) : '')
    } else if ('end' in frame) stream.end()
  }
}
