import {Readable} from 'node:stream'
import {promisify} from 'node:util'
import {gunzip} from 'node:zlib'
import type {InitializedClientConfig} from '@sanity/client'
import {type Dispatcher, EnvHttpProxyAgent, interceptors, request} from 'undici'

/** Sends one request: what `@sanity/client` uses of `fetch`. */
export type Transport = ReturnType<NonNullable<InitializedClientConfig['resolveFetch']>>

const MAX_REDIRECTS = 5

/**
 * Creates a transport for queries and event streams, through the proxy of the environment if there is one. It costs
 * less than `fetch`, whose objects stay in memory until a full garbage collection
 * (docs/decisions/0059-queries-without-fetch.md).
 */
export function createTransport(): Transport {
  const redirect = interceptors.redirect({maxRedirections: MAX_REDIRECTS})
  const dispatcher = new EnvHttpProxyAgent().compose(redirect)
  return async (url, {method = 'GET', headers: given, body, signal} = {}) => {
    const headers = Object.fromEntries(new Headers(given))
    headers['accept-encoding'] ??= headers.accept === 'text/event-stream' ? 'identity' : 'gzip'
    // Long queries are sent as JSON. There are no other bodies.
    const sent = typeof body === 'string' ? body : null
    return new Received(
      url,
      await request(url, {dispatcher, method, headers, body: sent, signal: signal ?? null}),
    )
  }
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
