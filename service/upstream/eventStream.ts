import type {SanityClient} from '@sanity/client'
import {createParser, type EventSourceMessage} from 'eventsource-parser'

/** Timeout for opening a stream, in milliseconds. */
const OPEN_TIMEOUT = 10_000

/**
 * Time without a byte after which a stream counts as lost, in milliseconds. Upstream sends a byte every ten
 * seconds.
 */
export const MAX_SILENCE = 30_000

/** Maximum length of an event in characters. Those of hosted Sanity have a list of tags. */
const MAX_EVENT_LENGTH = 4 * 2 ** 20

/** What arrives on a stream: an event, or a comment that keeps it open. */
type StreamItem = EventSourceMessage | 'comment'

/**
 * Opens a stream of live events and yields what arrives until it ends. The client's own `live.events()` hides the
 * comments of a stream, by which a quiet stream differs from a lost one
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#authoring-notes).
 *
 * @param silence maximum time without a byte, in milliseconds.
 * @throws an error with the reason if the stream does not open, breaks or falls silent.
 */
export async function* readEventStream(
  client: SanityClient,
  silence: number,
  signal: AbortSignal,
): AsyncGenerator<StreamItem> {
  const {dataset, requestTagPrefix, resolveFetch} = client.config()
  // Internal to the client. Only it sends the service's token, through the same proxy as queries.
  const transport = resolveFetch?.() ?? globalThis.fetch
  const url = client.getUrl(`/data/live/events/${dataset}?tag=${requestTagPrefix}.live`)
  const lost = new AbortController()
  const abortAfter = (milliseconds: number, reason: string) =>
    setTimeout(() => lost.abort(new Error(reason)), milliseconds)
  let timer = abortAfter(OPEN_TIMEOUT, 'the stream did not open in time')
  try {
    const response = await transport(url, {
      headers: {accept: 'text/event-stream'},
      signal: AbortSignal.any([signal, lost.signal]),
    })
    const type = response.headers.get('content-type') ?? ''
    if (!response.ok || !response.body) throw new Error(`the content lake returned status ${response.status}`)
    if (!type.startsWith('text/event-stream'))
      throw new Error(`the content lake returned ${type || 'no type'}, not an event stream`)
    const arrived: StreamItem[] = []
    const parser = createParser({
      maxBufferSize: MAX_EVENT_LENGTH,
      onEvent: (event) => arrived.push(event),
      onComment: () => arrived.push('comment'),
      onError: ({type}) => {
        if (type === 'max-buffer-size-exceeded') lost.abort(new Error('an event is too long'))
      },
    })
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer)
      timer = abortAfter(silence, `nothing arrived for ${silence / 1_000} s`)
      parser.feed(text)
      yield* arrived.splice(0)
    }
  } catch (error) {
    throw lost.signal.aborted ? lost.signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}
