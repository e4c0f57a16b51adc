import {IncomingMessage, ServerResponse} from 'node:http'
import type {FastifyInstance, FastifyRequest} from 'fastify'
import {isJsonObject} from '../../common/json.ts'

/**
 * The properties that access control and limits read: the client, its address and the page that sent the
 * request.
 */
const INHERITED = [
  'cookie',
  'host',
  'origin',
  'sec-fetch-site',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
] as const

/** Receives the response to an inner request as it is written. */
type Receiver = {
  start(status: number, contentType: string): void
  data(text: string): void
  /** Called once, also for a response that was aborted. */
  end(): void
}

/**
 * Makes a GET request of the lake to itself on behalf of another request. It passes through all hooks and
 * routes and counts for the same client, but uses no connection.
 * @returns the response; destroy it to abort the request. `send` starts the request.
 */
export function innerRequest(
  app: FastifyInstance,
  from: FastifyRequest,
  {path, headers}: {readonly path: string; readonly headers: Readonly<Record<string, string>>},
  receiver: Receiver,
): {readonly response: ServerResponse; send(): void} {
  const request = new IncomingMessage(from.raw.socket)
  request.method = 'GET'
  request.url = path
  request.httpVersion = '1.1'
  request.httpVersionMajor = 1
  request.httpVersionMinor = 1
  const inherited = INHERITED.map((name) => [name, from.headers[name]]).filter(
    ([, value]) => value !== undefined,
  )
  request.headers = {...Object.fromEntries(inherited), ...headers}
  for (const [name, value] of Object.entries(request.headers)) request.rawHeaders.push(name, String(value))
  request.complete = true
  request.push(null)
  const response = new InnerResponse(request, receiver)
  return {response, send: () => app.routing(request, response)}
}

/** A response that is written to a receiver instead of a connection. It buffers nothing. */
class InnerResponse extends ServerResponse {
  /** Node sets this only for responses that had a connection. */
  override closed = false
  readonly #receiver: Receiver

  constructor(request: IncomingMessage, receiver: Receiver) {
    super(request)
    this.#receiver = receiver
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    if (this.destroyed) return this
    const headers = rest.at(-1)
    const type = isJsonObject(headers) ? headers['content-type'] : this.getHeader('content-type')
    this.statusCode = status
    this.#receiver.start(status, typeof type === 'string' ? type : '')
    return this
  }

  override write(chunk: unknown, ...rest: unknown[]): boolean {
    if (!this.destroyed) this.#receiver.data(String(chunk))
    const written = rest.at(-1)
    if (typeof written === 'function') process.nextTick(written)
    return true
  }

  override end(chunk?: unknown): this {
    if (this.destroyed) return this
    if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) this.write(chunk)
    this.finished = true
    this.emit('finish')
    return this.destroy()
  }

  override destroy(): this {
    if (this.destroyed) return this
    this.destroyed = true
    this.closed = true
    this.#receiver.end()
    process.nextTick(() => this.emit('close'))
    return this
  }
}
