import {METHODS} from 'node:http'
import type {FastifyInstance} from 'fastify'
import {errors} from '../errors.ts'

const ALLOWED = ['GET', 'HEAD', 'OPTIONS']

/** Makes the router know every method that Node parses, so that each other one can be told apart from a 404. */
export function knowEveryMethod(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
}

/** Answers each method that changes something with 405 and `Allow` (RFC 9110 §15.5.6), at a URL for reading. */
export function refuseOtherMethods(app: FastifyInstance, url: string): void {
  app.route({
    method: app.supportedMethods.filter((method) => !ALLOWED.includes(method)),
    url,
    schema: {hide: true},
    // Before the body is read: whatever it holds, the method is what is wrong.
    onRequest: (_request, reply, done) => {
      reply.header('allow', ALLOWED.join(', '))
      done(new errors.METHOD_NOT_ALLOWED())
    },
    handler: () => {},
  })
}
