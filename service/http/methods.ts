import {METHODS} from 'node:http'
import type {FastifyInstance} from 'fastify'
import {errors} from '../errors.ts'

/** At a URL for reading. OPTIONS is answered everywhere, as a preflight. */
const READING = ['GET', 'HEAD', 'OPTIONS']

/** Makes the router know every method that Node parses, so that each other one can be told apart from a 404. */
export function knowEveryMethod(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
}

/** Answers each method that a URL does not take with 405 and `Allow` (RFC 9110 §15.5.6). */
export function refuseOtherMethods(app: FastifyInstance, url: string, allowed = READING): void {
  const advice = allowed.filter((method) => method !== 'OPTIONS').join(' or ')
  app.route({
    method: app.supportedMethods.filter((method) => !allowed.includes(method)),
    url,
    schema: {hide: true},
    // Before the body is read: whatever it holds, the method is what is wrong.
    onRequest: (_request, reply, done) => {
      reply.header('allow', allowed.join(', '))
      done(new errors.METHOD_NOT_ALLOWED(advice))
    },
    handler: () => {},
  })
}
