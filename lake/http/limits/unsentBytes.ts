import type {Socket} from 'node:net'
import type {FastifyInstance} from 'fastify'
import {onceClosed} from '../../../common/http/onceClosed.ts'
import {clientOf} from './client.ts'
import {Tally} from './tally.ts'

/**
 * Maximum bytes that wait for clients to read them, in total and for one client. A single larger response is
 * still sent.
 */
const MAX_BYTES = {total: 128 * 2 ** 20, perClient: 64 * 2 ** 20}

/** Memory that a response takes in addition to its body: objects, headers, buffers. */
const RESPONSE_BYTES = 4_096

/**
 * A longer text is sent from a buffer, which is outside of the heap and takes one byte for each byte of the
 * text.
 */
const LARGE_TEXT = 16_384

type Reader = {readonly client: string; bytes: number; readonly forget: () => void}

type UnsentLimits = {readonly total: number; readonly perClient: number}

/**
 * Bounds the memory of data that clients have not read yet: responses, events, messages. When a limit is
 * exceeded, the connection that has made no progress for the longest time is closed. So slow readers make
 * room for others, and no client is refused because of another.
 */
export class UnsentBytes {
  readonly #limits: UnsentLimits
  /** Connections with unsent bytes, the longest without progress first. */
  readonly #readers = new Map<Socket, Reader>()
  readonly #ofClient = new Tally()
  #total = 0

  constructor(limits: UnsentLimits = MAX_BYTES) {
    this.#limits = limits
  }

  /** Bytes that currently wait for clients. */
  get total(): number {
    return this.#total
  }

  /**
   * Counts bytes that are about to be written to a connection. May close this or other connections.
   * @param client the key of the client that they count for, see `clientKey`
   * @returns a function to call once they are written to the network; it need not be called for a closed
   * connection
   */
  hold(socket: Socket, client: string, bytes: number): () => void {
    // Events of a request of the lake to itself, which has none, count for the socket that they are sent to.
    if (socket.destroyed !== false) return () => {}
    const reader = this.#readers.get(socket) ?? this.#add(socket, client)
    this.#count(reader, bytes)
    this.#makeRoom(socket, reader, bytes)
    let isHeld = true
    return () => {
      if (!isHeld || this.#readers.get(socket) !== reader) return
      isHeld = false
      this.#count(reader, -bytes)
      this.#readers.delete(socket)
      // It made progress: move it to the end of the order in which connections are closed.
      if (reader.bytes > 0) this.#readers.set(socket, reader)
      else socket.off('close', reader.forget)
    }
  }

  #add(socket: Socket, client: string): Reader {
    const reader = {client, bytes: 0, forget: () => this.#forget(socket)}
    this.#readers.set(socket, reader)
    socket.once('close', reader.forget)
    return reader
  }

  #count(reader: Reader, bytes: number): void {
    reader.bytes += bytes
    this.#total += bytes
    if (bytes > 0) this.#ofClient.add(reader.client, bytes)
    else this.#ofClient.remove(reader.client, -bytes)
  }

  #forget(socket: Socket): void {
    const reader = this.#readers.get(socket)
    if (reader === undefined) return
    this.#readers.delete(socket)
    this.#count(reader, -reader.bytes)
  }

  /** @param latest bytes of the newest write: a write is not refused for its own size */
  #makeRoom(socket: Socket, {client, bytes}: Reader, latest: number): void {
    const isFirst = bytes === latest
    for (const [other, reader] of this.#readers) {
      const isOverAll = this.#total > this.#limits.total
      const isOverClient = this.#ofClient.of(client) > this.#limits.perClient
      if (!isOverAll && !isOverClient) return
      if (other === socket && isFirst) continue
      if (!isOverAll && reader.client !== client) continue
      this.#forget(other)
      other.destroy()
    }
  }
}

/** Counts each response of an application until it is written to the network. */
export function countUnsentResponses(app: FastifyInstance, unsent: UnsentBytes): void {
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    const body = typeof payload === 'string' && payload.length > LARGE_TEXT ? Buffer.from(payload) : payload
    onceClosed(reply.raw, unsent.hold(request.raw.socket, clientOf(request), RESPONSE_BYTES + lengthOf(body)))
    done(null, body)
  })
}

/** The size of a body in bytes. A stream is read at the client's pace and holds at most 64 kB. */
function lengthOf(body: unknown): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return Buffer.isBuffer(body) ? body.length : 0
}
