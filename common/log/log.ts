import {hostname} from 'node:os'
import {type Logger, pino} from 'pino'
import {LogDestination} from './destination.ts'

/** Lines that could not be written: the disk was full, or nothing read the pipe. */
export type LogHealth = {
  /** Since the start of the process. */
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
  const destination = new LogDestination(process.stdout.fd)
  process.once('exit', () => destination.flushSync())
  return {
    logger: pino({name, base: {pid: process.pid, replica: `${hostname()}:${port}`}}, destination),
    health: destination,
    flush: () => destination.flush(),
  }
}
