import type {FastifyReply} from 'fastify'
import {onceClosed} from '../../common/onceClosed.ts'
import {refuse} from './errors.ts'

/** Streams open at once. */
const maxStreams = 1_000
/** Bytes that may wait for a slow reader before its stream is cut off; it connects again and starts anew. */
const maxWaitingBytes = 1024 * 1024
/** Milliseconds between comments that keep proxies from closing a quiet stream. */
const heartbeatEvery = 10_000
/** Milliseconds that a client is asked to wait before it connects again. */
const retryAfter = 1_000

/** An event as it is sent; `data` becomes JSON. */
export type StreamEvent = {readonly event: string; readonly id?: string; readonly data: unknown}

/** One open stream of server-sent events. */
export type EventStream = {
  /** Sends an event; does nothing once the stream is closed. */
  send(event: StreamEvent): void
  /** Ends the stream after what was sent. */
  end(): void
  readonly closed: boolean
  /** Calls back when it is closed, at once where it is so already. */
  onClose(listener: () => void): void
}

/** Every open event stream. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export class EventStreams {
  readonly #streams = new Set<EventStream>()
  readonly #heartbeat: NodeJS.Timeout
  readonly #beats = new Set<() => void>()
  #closed = false

  constructor() {
    this.#heartbeat = setInterval(() => {
      for (const beat of this.#beats) beat()
    }, heartbeatEvery)
    this.#heartbeat.unref()
  }

  /**
   * Answers a request with an event stream.
   * @throws HttpError 503 when too many are open
   */
  open(reply: FastifyReply): EventStream {
    if (this.#closed || this.#streams.size >= maxStreams) throw refuse.tooManyStreams()
    reply.hijack()
    const {raw} = reply
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    const write = (text: string) => {
      if (raw.writableEnded || raw.destroyed) return
      raw.write(text)
      if (raw.writableLength > maxWaitingBytes) raw.destroy()
    }
    const stream: EventStream = {
      send: ({event, id, data}) => {
        const idLine = id === undefined ? '' : `id: ${id}\n`
        write(`event: ${event}\n${idLine}data: ${JSON.stringify(data)}\n\n`)
      },
      end: () => raw.end(),
      get closed() {
        return raw.writableEnded || raw.destroyed
      },
      onClose: (listener) => onceClosed(raw, listener),
    }
    const beat = () => write(':\n\n')
    this.#streams.add(stream)
    this.#beats.add(beat)
    onceClosed(raw, () => {
      this.#streams.delete(stream)
      this.#beats.delete(beat)
    })
    raw.on('error', () => raw.destroy())
    write(`retry: ${retryAfter}\n\n`)
    return stream
  }

  /** Ends every stream, and opens no more. */
  close(): void {
    this.#closed = true
    clearInterval(this.#heartbeat)
    for (const stream of this.#streams) stream.end()
  }
}
