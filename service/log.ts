import pino, {type Logger} from 'pino'

/** The log: readable lines at a terminal, JSON for a collector otherwise. No request is logged by default. */
export function createLog(name: string): Logger {
  return pino({
    name,
    ...(process.stdout.isTTY
      ? {transport: {target: 'pino-pretty', options: {ignore: 'pid,hostname', translateTime: 'HH:MM:ss'}}}
      : {}),
  })
}
