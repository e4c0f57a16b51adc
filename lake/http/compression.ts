import {pipeline, Readable} from 'node:stream'
import {promisify} from 'node:util'
import {createGzip, gzip} from 'node:zlib'
import {negotiate} from '@fastify/accept-negotiator'
import type {FastifyInstance, FastifyReply} from 'fastify'

/** Shorter responses fit into one packet. */
const MIN_BYTES = 1_024

/** Favors speed: JSON of documents takes a fifth of its size, at 100 MB a second. */
const OPTIONS = {level: 3}

const compress = promisify<Buffer, typeof OPTIONS, Buffer>(gzip)

/**
 * Compresses JSON for clients that accept gzip. Event streams are sent as they are, since each event must
 * arrive at once.
 *
 * BREACH, which guesses secrets from the lengths of compressed responses, needs a page that makes a browser
 * send requests with a session. The lake accepts a session from its own pages only, and browsers do not send
 * tokens on their own.
 */
export function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    if (!/^application\/(x-nd)?json/.test(String(reply.getHeader('content-type')))) return payload
    vary(reply, 'accept-encoding')
    // Without the header, any encoding may be sent, but a program without one may not decompress.
    const field = request.headers['accept-encoding']
    if (field === undefined || negotiate(field, ['gzip']) === null) return payload
    if (payload instanceof Readable) {
      reply.header('content-encoding', 'gzip')
      // An error destroys both streams, and with them the response.
      return pipeline(payload, createGzip(OPTIONS), () => {})
    }
    if (typeof payload !== 'string' || payload.length < MIN_BYTES) return payload
    reply.header('content-encoding', 'gzip')
    return compress(Buffer.from(payload), OPTIONS)
  })
}

/** Adds a name to the `Vary` header. */
function vary(reply: FastifyReply, name: string): void {
  const given = reply.getHeader('vary')
  reply.header('vary', given === undefined ? name : `${given}, ${name}`)
}
