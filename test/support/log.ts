import {Writable} from 'node:stream'
import pino, {type Logger} from 'pino'
import {isJsonObject, type JsonObject} from '../../common/json.ts'

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

/** A line of a program's log; undefined for other output. */
export function parseLogLine(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
