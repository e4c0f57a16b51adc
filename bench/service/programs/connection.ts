import {connect, type Socket} from 'node:net'
import {answerAt} from './answer.ts'

export type Conversation = {
  /** The expected status of every response. */
  status: number
  /** Returns the next request as text, or `undefined` after the last one. */
  next(): string | undefined
  /** Called for each complete response, with its duration in milliseconds. */
  answered(milliseconds: number): void
  /** Aborts the conversation. */
  signal: AbortSignal
}

/** Size of the read buffer in bytes. Its content is counted and then overwritten. */
const READ_SIZE = 256 * 1024

/**
 * Sends requests over one connection, each after the response to the previous one.
 * @throws if a response has another status, or the connection closes.
 */
export function converse(address: string, {status, next, answered, signal}: Conversation): Promise<void> {
  const {promise, resolve, reject} = Promise.withResolvers<void>()
  let sentAt = 0
  let missing = 0
  let torn: Buffer | undefined
  let isOver = false

  const ask = () => {
    const request = next()
    if (request === undefined) {
      isOver = true
      socket.destroy()
      return
    }
    sentAt = performance.now()
    socket.write(request, 'latin1')
  }

  const take = (bytes: Uint8Array, size: number) => {
    if (missing > 0) missing -= size
    else {
      const piece = Buffer.from(bytes.buffer, bytes.byteOffset, size)
      const begun = torn ? Buffer.concat([torn, piece]) : piece
      const answer = answerAt(begun)
      // Copied, because the next read overwrites the buffer.
      torn = answer ? undefined : Buffer.from(begun)
      if (!answer) return
      if (answer.status !== status) throw new Error(`returned ${answer.status} instead of ${status}`)
      missing = answer.length - begun.length
    }
    if (missing < 0) throw new Error('returned more than was requested')
    if (missing > 0) return
    answered(performance.now() - sentAt)
    ask()
  }

  const {hostname, port} = new URL(address)
  const socket: Socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafe(READ_SIZE),
      callback(size, buffer) {
        try {
          take(buffer, size)
        } catch (error) {
          socket.destroy(error instanceof Error ? error : new Error(String(error)))
        }
        return true
      },
    },
  })
  const stop = () => socket.destroy()
  signal.addEventListener('abort', stop)
  socket.on('connect', ask)
  socket.on('error', reject)
  socket.on('close', () => {
    signal.removeEventListener('abort', stop)
    if (isOver) resolve()
    else reject(new Error('closed the connection'))
  })
  return promise
}
