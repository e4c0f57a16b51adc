import type {InitializedClientConfig, SanityClient} from '@sanity/client'
import {reasonOf} from './upstreamFailure.ts'

type Transport = ReturnType<NonNullable<InitializedClientConfig['resolveFetch']>>

/** Milliseconds for a stream to open. */
const OPEN_TIMEOUT = 10_000

const EVENTS_PATH = '/live/events/'

/**
 * A client that tells when its stream of live events ends, for whatever reason, and that ends one which has fallen
 * silent. A connection that was lost without a word looks like a quiet one: for that the lake, as Sanity's, sends
 * comments, of which an `EventSource` says nothing
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#authoring-notes).
 *
 * `resolveFetch` is internal to the client. Nothing public shows the bytes of a stream.
 *
 * @param silence milliseconds without a byte.
 * @param onEnd told why, once for each attempt to open a stream.
 */
export function watchingStream(
  client: SanityClient,
  silence: number,
  onEnd: (reason: string) => void,
): SanityClient {
  const {resolveFetch} = client.config()
  return client.withConfig({
    resolveFetch: (proxy) => {
      const transport: Transport = resolveFetch?.(proxy) ?? globalThis.fetch
      return (url, init) =>
        url.includes(EVENTS_PATH) ? openStream(transport, url, init, silence, onEnd) : transport(url, init)
    },
  })
}

async function openStream(
  transport: Transport,
  url: string,
  init: Parameters<Transport>[1],
  silence: number,
  onEnd: (reason: string) => void,
): ReturnType<Transport> {
  const opening = new AbortController()
  const timer = setTimeout(() => opening.abort(new Error('the stream did not open in time')), OPEN_TIMEOUT)
  try {
    const signal = init?.signal ? AbortSignal.any([init.signal, opening.signal]) : opening.signal
    const response = await transport(url, {...init, signal})
    if (!response.ok || !response.body) {
      onEnd(`the lake answered ${response.status}`)
      return response
    }
    const body = ReadableStream.from(chunksOf(response.body, silence, onEnd))
    const {ok, status, statusText, headers, redirected, text, arrayBuffer} = response
    return {ok, status, statusText, headers, url: response.url, redirected, body, text, arrayBuffer}
  } catch (error) {
    onEnd(reasonOf(error))
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  silence: number,
  onEnd: (reason: string) => void,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  let reason = 'the stream ended'
  let timer: NodeJS.Timeout | undefined
  try {
    for (;;) {
      timer = setTimeout(() => {
        reason = `nothing was heard for ${silence / 1_000} s`
        reader.cancel(new Error(reason)).catch(() => {})
      }, silence)
      const {done, value} = await reader.read()
      clearTimeout(timer)
      if (done) return
      yield value
    }
  } catch (error) {
    reason = reasonOf(error)
  } finally {
    clearTimeout(timer)
    onEnd(reason)
    reader.cancel().catch(() => {})
  }
}
