import pino, {type Logger} from 'pino'

/**
 * Creates the log: readable lines on a terminal, otherwise JSON for a log collector. Requests are not logged
 * by default.
 */
export function createLog(name: string): Logger {
  return pino({
    name,
    ...(process.stdout.isTTY
      ? {transport: {target: 'pino-pretty', options: {ignore: 'pid,hostname', translateTime: 'HH:MM:ss'}}}
      : {}),
  })
}
