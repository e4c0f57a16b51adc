import {write, writeSync} from 'node:fs'
import type {DestinationStream} from 'pino'
import {errorCode} from '../errorCode.ts'
import {withTimeout} from '../timeout.ts'

/** Maximum bytes that wait to be written. Further lines are lost. */
const MAX_WAITING = 4 * 2 ** 20

/** Maximum bytes of one write. */
const MAX_WRITE = 256 * 1024

/** Milliseconds until a write to a full pipe is tried again. */
const RETRY_AFTER = 50

/** Maximum milliseconds that a shutdown waits for the last lines. */
const FLUSH_TIMEOUT = 500

/** Milliseconds for which a lost line counts as a problem of now. */
const RECENT = 60_000

/** The form of `fs.write` that is used here. */
type Write = (
  fd: number,
  chunk: Buffer,
  done: (error: NodeJS.ErrnoException | null, written: number) => void,
) => void

/**
 * Writes lines to a file descriptor in the background. It never blocks and never throws: lines that cannot be written
 * are counted. pino's own destination retries without end, blocking the process, when the disk is full.
 */
export class LogDestination implements DestinationStream {
  readonly #fd: number
  readonly #write: Write
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #isWriting = false
  /** Resolves when nothing waits. */
  #idle = Promise.withResolvers<void>()
  /** Whether the last byte that was written is a line break. A full disk may take a part of a line. */
  #endsLine = true
  #lostLines = 0
  #lastLoss = Number.NEGATIVE_INFINITY

  /** @param writeTo replaces `fs.write` in tests */
  constructor(fd: number, writeTo: Write = write) {
    this.#fd = fd
    this.#write = writeTo
  }

  /** Lines that could not be written since the start. */
  get lostLines(): number {
    return this.#lostLines
  }

  /** Whether a line was lost in the last minute. */
  get isLosingLines(): boolean {
    return performance.now() - this.#lastLoss < RECENT
  }

  /** Queues one line, which ends with a line break. */
  write(line: string): void {
    const bytes = Buffer.from(line)
    if (this.#waitingBytes + bytes.length > MAX_WAITING) {
      this.#countLost(1)
      return
    }
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (!this.#isWriting) this.#next()
  }

  /** Resolves once all lines are written or lost, after {@link FLUSH_TIMEOUT} at the latest. */
  async flush(): Promise<void> {
    if (this.#isWriting) await withTimeout(FLUSH_TIMEOUT, this.#idle.promise)
  }

  /** Tries once to write what waits, when the process exits. */
  flushSync(): void {
    const rest = Buffer.concat(this.#waiting.splice(0))
    try {
      writeSync(this.#fd, rest)
    } catch {
      // There is nowhere left to report it.
    }
  }

  #next(): void {
    this.#isWriting = this.#waiting.length > 0
    if (!this.#isWriting) {
      this.#idle.resolve()
      this.#idle = Promise.withResolvers()
      return
    }
    let size = 0
    let count = 0
    for (const {length} of this.#waiting) {
      if (count > 0 && size + length > MAX_WRITE) break
      size += length
      count += 1
    }
    this.#waitingBytes -= size
    const lines = this.#waiting.splice(0, count)
    this.#writeOut(Buffer.concat(this.#endsLine ? lines : [Buffer.of(LINE_BREAK), ...lines]))
  }

  #writeOut(chunk: Buffer): void {
    this.#write(this.#fd, chunk, (error, written) => {
      if (error === null && written > 0) this.#endsLine = chunk[written - 1] === LINE_BREAK
      const isFull = ['EAGAIN', 'EBUSY'].includes(errorCode(error) ?? '')
      if (isFull) setTimeout(() => this.#writeOut(chunk), RETRY_AFTER).unref()
      else if (error !== null) this.#lose(chunk)
      else if (written < chunk.length) this.#writeOut(chunk.subarray(written))
      else this.#next()
    })
  }

  #lose(chunk: Buffer): void {
    let lines = 0
    // The next write begins with the line break that a whole line lacks.
    for (const byte of chunk.subarray(1)) if (byte === LINE_BREAK) lines += 1
    if (lines > 0) this.#countLost(lines)
    this.#next()
  }

  #countLost(lines: number): void {
    this.#lostLines += lines
    this.#lastLoss = performance.now()
  }
}

const LINE_BREAK = 0x0a
