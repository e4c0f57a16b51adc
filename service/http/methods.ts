import {METHODS} from 'node:http'
import type {FastifyInstance} from 'fastify'
import {errors} from '../errors.ts'

/** Methods of a read-only URL. OPTIONS is handled everywhere as a preflight. */
const READING = ['GET', 'HEAD', 'OPTIONS']

/** Registers every method that Node parses, so that a wrong method can be told apart from a 404. */
export function knowEveryMethod(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
}

/** Returns 405 with `Allow` for each method that a URL does not support (RFC 9110 §15.5.6). */
export function refuseOtherMethods(app: FastifyInstance, url: string, allowed = READING): void {
  const advice = allowed.filter((method) => method !== 'OPTIONS').join(' or ')
  app.route({
    method: app.supportedMethods.filter((method) => !allowed.includes(method)),
    url,
    // Checked before the body is read: with a wrong method, the body does not matter.
    onRequest: (_request, reply, done) => {
      reply.header('allow', allowed.join(', '))
      done(new errors.METHOD_NOT_ALLOWED(advice))
    },
    handler: () => {},
  })
}
