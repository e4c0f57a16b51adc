import {hostname} from 'node:os'
import {type Logger, pino} from 'pino'
import {withTimeout} from '../timeout.ts'

/** Maximum bytes that wait to be written. Further lines are lost. */
const MAX_WAITING = 4 * 2 ** 20

/** Maximum milliseconds that a shutdown waits for the last lines. */
const FLUSH_TIMEOUT = 500

/** Milliseconds for which a lost line counts as a problem of now. */
const RECENT = 60_000

/** Lines that could not be written: the disk was full, or nothing read the pipe. */
export type LogHealth = {
  /** Since the start of the process: lines, and attempts to write some that wait. */
  readonly lostLines: number
  /** Whether a line was lost in the last minute. */
  readonly isLosingLines: boolean
}

/** The health of a log that loses nothing. */
export const LOSSLESS: LogHealth = {lostLines: 0, isLosingLines: false}

/** A log whose output may fail without consequences for the program. */
type Log = {
  readonly logger: Logger
  readonly health: LogHealth
  /** Waits until all lines are written, for half a second at most. */
  flush(): Promise<void>
}

/**
 * Creates the log: readable lines on a terminal, otherwise JSON for a log collector. Requests are not logged by
 * default.
 * @param port tells processes on one machine apart: with the host name, it is the `replica` of each JSON line, as in the label
 * `instance` of metrics.
 */
export function createLog(name: string, port: number): Log {
  // Reading this property initializes the stream, which makes a pipe non-blocking.
  if (process.stdout.isTTY) {
    const transport = {target: 'pino-pretty', options: {ignore: 'pid,hostname', translateTime: 'HH:MM:ss'}}
    return {logger: pino({name, transport}), health: LOSSLESS, flush: async () => {}}
  }
  const base = {pid: process.pid, replica: `${hostname()}:${port}`}
  const {destination, health, flush} = logDestination(process.stdout.fd)
  return {logger: pino({name, base}, destination), health, flush}
}

/** Writes lines to a file descriptor in the background. It never blocks and never throws: failures are counted. */
export function logDestination(fd: number) {
  // With a minimum, it waits for what is written before it calls back.
  const destination = pino.destination({fd, sync: false, minLength: 1, maxLength: MAX_WAITING})
  // It tries without end while a disk is full, and pino calls it for fatal lines and at the exit.
  destination.flushSync = () => {}
  let lostLines = 0
  let lastLoss = Number.NEGATIVE_INFINITY
  const lose = () => {
    lostLines += 1
    lastLoss = performance.now()
  }
  destination.on('error', lose).on('drop', lose)
  return {
    destination,
    health: {
      get lostLines() {
        return lostLines
      },
      get isLosingLines() {
        return performance.now() - lastLoss < RECENT
      },
    } satisfies LogHealth,
    async flush(): Promise<void> {
      await withTimeout(FLUSH_TIMEOUT, new Promise<void>((resolve) => destination.flush(() => resolve())))
    },
  }
}
