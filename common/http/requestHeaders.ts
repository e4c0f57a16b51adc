import type {IncomingMessage} from 'node:http'
import type {FastifyInstance} from 'fastify'

/**
 * Whether a request has exactly one `Host` header. HTTP/1.0 requires none. Node keeps the first of several.
 */
export function hasValidHost({rawHeaders, httpVersionMinor}: IncomingMessage): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && (name === 'Host' || name === 'host' || name.toLowerCase() === 'host'))
      count += 1
  }
  return count === 1 || (count === 0 && httpVersionMinor === 0)
}

/**
 * Refuses requests without a valid `Host` (RFC 9112 §3.2) and with an `Expect` other than `100-continue` (RFC
 * 9110 §10.1.1) in the application's own error format. Node's responses to them have no body.
 *
 * The server needs the option `requireHostHeader: false`: otherwise Node responds to a missing `Host` itself.
 * @param errorFor makes the error to throw
 */
export function checkRequestHeaders(
  app: FastifyInstance,
  errorFor: (status: 400 | 417, message: string) => Error,
): void {
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  app.addHook('onRequest', (request, reply, done) => {
    if (!hasValidHost(request.raw)) {
      reply.header('connection', 'close')
      return done(errorFor(400, 'The request must have exactly one Host header.'))
    }
    // Node itself handles `100-continue`, the one expectation that the specification defines, in any case, and also if
    // a proxy adds it again: the header is a list.
    const {expect} = request.headers
    if (expect !== undefined && !/^100-continue(?: ?, ?100-continue)*$/i.test(expect)) {
      reply.header('connection', 'close')
      return done(errorFor(417, 'The only supported expectation is "100-continue".'))
    }
    done()
  })
}
