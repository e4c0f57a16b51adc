import {setImmediate} from 'node:timers/promises'
import type {FastifyInstance} from 'fastify'
import {Mutex} from '../../common/mutex.ts'
import {refuse} from './errors.ts'
import {SMALL_BODY} from './gate.ts'

/**
 * Parses large JSON bodies one at a time, and handles other requests in between. A megabyte takes 10 ms, and
 * many bodies can arrive at the same time. A body with a content coding is refused (RFC 9110 §15.5.16).
 */
export function parseBodiesInTurn(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const turns = new Mutex()
  app.addContentTypeParser<string>('application/json', {parseAs: 'string'}, (request, body, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity') {
      done(refuse.encodedBody(encoding))
      return
    }
    if (body.length <= SMALL_BODY) {
      void parse(request, body, done)
      return
    }
    turns
      .run(async () => {
        await setImmediate()
        void parse(request, body, done)
      })
      .catch(done)
  })
}
