import {Readable} from 'node:stream'
import {promisify} from 'node:util'
import {gunzip} from 'node:zlib'
import type {InitializedClientConfig} from '@sanity/client'
import {Agent, type Dispatcher, EnvHttpProxyAgent, interceptors, request} from 'undici'
import {currentRequestId} from '../../common/http/requestId.ts'
import {isLoopback} from '../../common/settings.ts'

/** Sends one request: what `@sanity/client` uses of `fetch`. */
export type Transport = ReturnType<NonNullable<InitializedClientConfig['resolveFetch']>>

const MAX_REDIRECTS = 5

/**
 * Creates a transport for queries and event streams, through the proxy of the environment if there is one and upstream is
 * on another machine. It costs less than `fetch`, whose objects stay in memory until a full garbage collection
 * (docs/decisions/0012-http-server-of-the-service.md).
 */
export function createTransport(): Transport {
  const redirect = interceptors.redirect({maxRedirections: MAX_REDIRECTS})
  const proxied = new EnvHttpProxyAgent().compose(redirect)
  const direct = new Agent().compose(redirect)
  return async (url, {method = 'GET', headers: given, body, signal} = {}) => {
    const headers = Object.fromEntries(new Headers(given))
    headers['accept-encoding'] ??= headers.accept === 'text/event-stream' ? 'identity' : 'gzip'
    const requestId = currentRequestId()
    if (requestId !== undefined) headers['x-request-id'] = requestId
    // Long queries are sent as JSON. There are no other bodies.
    const sent = typeof body === 'string' ? body : null
    // As in browsers, a proxy is for other machines. It would see the service's token.
    const dispatcher = isLoopback(new URL(url)) ? direct : proxied
    try {
      const response = await request(url, {dispatcher, method, headers, body: sent, signal: signal ?? null})
      return new Received(url, response)
    } catch (error) {
      const proxy = dispatcher === proxied ? proxyVariable(url) : undefined
      if (proxy === undefined || signal?.aborted) throw error
      throw new Error(`through the proxy of ${proxy}, unless NO_PROXY names the host`, {cause: error})
    }
  }
}

/** The variable that names the proxy for an address, and its host; undefined if there is none. */
function proxyVariable(url: string): string | undefined {
  const names = url.startsWith('https:') ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY']
  for (const name of names) {
    const value = process.env[name]
    // The address may contain a password.
    if (value) return `${name} (${URL.canParse(value) ? new URL(value).host : 'not an address'})`
  }
  return undefined
}

const decompress = promisify(gunzip)

/** A class, because V8 keeps the hidden class of an object with a getter of its own until a full garbage collection. */
class Received {
  readonly url: string
  readonly redirected = false
  readonly ok: boolean
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly #response: Dispatcher.ResponseData

  constructor(url: string, response: Dispatcher.ResponseData) {
    this.url = url
    this.ok = response.statusCode >= 200 && response.statusCode < 300
    this.status = response.statusCode
    this.statusText = response.statusText
    this.headers = headersOf(response.headers)
    this.#response = response
  }

  /** Not decompressed: what is read as a stream was not requested compressed. */
  get body(): ReadableStream<Uint8Array> {
    return Readable.toWeb(this.#response.body)
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.arrayBuffer())
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const {headers, body} = this.#response
    const received = await body.arrayBuffer()
    return headers['content-encoding'] === 'gzip'
      ? new Uint8Array(await decompress(received)).buffer
      : received
  }
}

function headersOf(fields: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(fields))
    for (const value of [values].flat()) headers.append(name, value)
  return headers
}
