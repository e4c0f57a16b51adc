import type {InitializedClientConfig, SanityClient} from '@sanity/client'
import {reasonOf} from './upstreamFailure.ts'

type Transport = ReturnType<NonNullable<InitializedClientConfig['resolveFetch']>>

/** Timeout for opening a stream, in milliseconds. */
const OPEN_TIMEOUT = 10_000

const EVENTS_PATH = '/live/events/'

/**
 * Wraps a client so that `onEnd` is called when its stream of live events ends, and so that a silent stream
 * is closed. A lost connection looks like a quiet one. Sanity and our lake therefore send comments, which
 * `EventSource` does not expose
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#authoring-notes).
 *
 * `resolveFetch` is internal to the client, but no public API gives access to the bytes of a stream.
 *
 * @param silence maximum time without a byte, in milliseconds.
 * @param onEnd called with the reason, once for each attempt to open a stream.
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
      onEnd(`the content lake returned status ${response.status}`)
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
        reason = `nothing arrived for ${silence / 1_000} s`
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
