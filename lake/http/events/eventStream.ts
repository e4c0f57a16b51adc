import type {FastifyReply, FastifyRequest} from 'fastify'
import {inBackground} from '../../../common/background.ts'
import {onceClosed} from '../../../common/http/onceClosed.ts'
import {MAX_DOCUMENT_BYTES} from '../../../content/parseDocument.ts'
import type {Access} from '../../access/access.ts'
import type {Principal} from '../../access/principal.ts'
import {refuse} from '../errors.ts'
import {clientOf} from '../limits/client.ts'
import {concurrencyLimit} from '../limits/concurrencyLimit.ts'
import type {UnsentBytes} from '../limits/unsentBytes.ts'

/** Open streams. A Studio tab holds up to ten; all replicas of the service may share one token. */
const MAX_STREAMS = {perClient: 256, total: 1_000}
/**
 * A stream with more unread bytes than this is closed at the next event. Its reader reconnects and reloads. An
 * event has up to three states of a document: its mutation, and the documents before and after.
 */
const MAX_WAITING_BYTES = 3 * MAX_DOCUMENT_BYTES
/**
 * Interval of the comments that keep proxies from closing an idle stream, in milliseconds. As often, a stream
 * ends whose client has lost its session, token or rights.
 */
const HEARTBEAT_EVERY = 10_000
/** Reconnection delay that clients are told, in milliseconds. */
const RETRY_AFTER = 1_000

/** An event to send; `data` becomes JSON. */
export type StreamEvent = {readonly event: string; readonly id?: string; readonly data: unknown}

/** One open stream of server-sent events. */
export type EventStream = {
  /** Sends an event; does nothing once the stream is closed. */
  send(event: StreamEvent): void
  /** Ends the stream after the events that were sent. */
  end(): void
  readonly closed: boolean
  /** Calls back when the stream closes, or at once if it is closed already. */
  onClose(listener: () => void): void
}

/** All open event streams. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export class EventStreams {
  readonly #unsent: UnsentBytes
  readonly #access: Pick<Access, 'stillReads'>
  readonly #heartbeat: NodeJS.Timeout
  /** The open streams, each with what sends its heartbeat. */
  readonly #beats = new Map<EventStream, () => void>()
  readonly #admit = concurrencyLimit({...MAX_STREAMS, clientOf, refuse: refuse.tooManyStreams})
  #closed = false

  constructor(unsent: UnsentBytes, access: Pick<Access, 'stillReads'>) {
    this.#unsent = unsent
    this.#access = access
    this.#heartbeat = setInterval(() => {
      for (const beat of this.#beats.values()) beat()
    }, HEARTBEAT_EVERY)
    this.#heartbeat.unref()
  }

  /**
   * Responds to a request with an event stream.
   * @throws HttpError 503 when too many streams are open
   */
  open(request: FastifyRequest, reply: FastifyReply, principal: Principal): EventStream {
    if (this.#closed) throw refuse.tooManyStreams()
    this.#admit(request, reply, principal.id)
    reply.hijack()
    const {raw} = reply
    const client = clientOf(request)
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    const write = (text: string) => {
      if (raw.writableEnded || raw.destroyed) return
      if (raw.writableLength > MAX_WAITING_BYTES) raw.destroy()
      else raw.write(text, this.#unsent.hold(request.raw.socket, client, Buffer.byteLength(text)))
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
    const beat = () => {
      write(':\n\n')
      // If that cannot be found out now, the next beat does.
      void inBackground(() => this.#endUnlessAllowed(request, stream), {
        onFailure: (err) => request.log.error({err}, 'cannot check whether a stream may go on'),
      })
    }
    this.#beats.set(stream, beat)
    onceClosed(raw, () => this.#beats.delete(stream))
    raw.on('error', () => raw.destroy())
    write(`retry: ${RETRY_AFTER}\n\n`)
    return stream
  }

  async #endUnlessAllowed(request: FastifyRequest, stream: EventStream): Promise<void> {
    if (!(await this.#access.stillReads(request))) stream.end()
  }

  /** Ends all streams and refuses new ones. */
  close(): void {
    this.#closed = true
    clearInterval(this.#heartbeat)
    for (const stream of this.#beats.keys()) stream.end()
  }
}
