import {Writable} from 'node:stream'
import pino, {type Logger} from 'pino'

/** A log that keeps its lines, parsed, and prints nothing. */
export function listeningLog(): {log: Logger; lines: Record<string, unknown>[]} {
  const lines: Record<string, unknown>[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()))
      done()
    },
  })
  return {log: pino({level: 'debug'}, stream), lines}
}
