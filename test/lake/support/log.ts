import {Writable} from 'node:stream'
import {type Logger, pino} from 'pino'

/** A logger, and the warnings and errors it received. */
export function recordingLogger(): {logger: Logger; warnings: {msg: string; [name: string]: unknown}[]} {
  const warnings: {msg: string; [name: string]: unknown}[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      warnings.push(JSON.parse(chunk.toString()))
      done()
    },
  })
  return {logger: pino({level: 'warn'}, stream), warnings}
}
