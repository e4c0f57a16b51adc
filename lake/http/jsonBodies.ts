import type {FastifyInstance} from 'fastify'
import {refuse} from './errors.ts'

/** Parses JSON bodies. One with a content coding is refused (RFC 9110 §15.5.16). */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', {parseAs: 'string'}, (request, body, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity') {
      done(refuse.encodedBody(encoding))
      return
    }
    void parse(request, body, done)
  })
}
