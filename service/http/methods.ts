import {METHODS} from 'node:http'
import type {FastifyInstance, onSendHookHandler} from 'fastify'
import {errors} from '../errors.ts'

/** Registers every method that Node parses, so that a wrong method can be told apart from a 404. */
export function knowEveryMethod(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
}

/**
 * Adds routes, and returns 405 with `Allow` for each method that a URL of them does not support (RFC 9110 §15.5.6). OPTIONS is
 * handled everywhere as a preflight.
 */
export async function refuseOtherMethods(app: FastifyInstance, addRoutes: () => void): Promise<void> {
  const allowed = new Map<string, Set<string>>()
  app.addHook('onRoute', (route) => {
    const {url, method, onSend = []} = route
    allowed.set(url, new Set([...(allowed.get(url) ?? []), method].flat()))
    if (method === 'HEAD') route.onSend = [onSend, withoutLengthOf304].flat()
  })
  addRoutes()
  await app.after()
  for (const [url, methods] of [...allowed]) {
    const known = ['GET', 'HEAD', 'POST'].filter((method) => methods.has(method))
    app.route({
      method: app.supportedMethods.filter((method) => method !== 'OPTIONS' && !known.includes(method)),
      url,
      // Checked before the body is read: with a wrong method, the body does not matter.
      onRequest: (_request, reply, done) => {
        reply.header('allow', [...known, 'OPTIONS'].join(', '))
        done(new errors.METHOD_NOT_ALLOWED(known.join(' or ')))
      },
      handler: () => {},
    })
  }
}

/** Fastify gives each response to HEAD a length. That of a 304 would have to be that of the 200 (RFC 9110 §8.6). */
const withoutLengthOf304: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.statusCode === 304) reply.removeHeader('content-length')
  done(null, payload)
}
