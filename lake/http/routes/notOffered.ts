import type {FastifyInstance, HTTPMethods} from 'fastify'
import {refuse} from '../errors.ts'
import type {RouteAccess} from '../gate.ts'

/** Parts of Sanity's API that a lake does not have, with what to use instead. docs/sanity.md repeats the list. */
const MISSING: [method: HTTPMethods, path: string, access: RouteAccess, message: string][] = [
  [
    'POST',
    '/assets/:kind/:dataset',
    'write',
    'This lake stores no assets: publish files on your website, and store their addresses',
  ],
  ['GET', '/graphql/*', 'read', 'This lake has no GraphQL: use GROQ'],
  ['POST', '/graphql/*', 'read', 'This lake has no GraphQL: use GROQ'],
  ['POST', '/agent/*', 'write', 'This lake has no agent actions'],
]

/** Responds to these requests with an error that says so, instead of "Resource not found". */
export function notOfferedRoutes(app: FastifyInstance): void {
  for (const [method, url, access, message] of MISSING) {
    const onRequest = async () => {
      throw refuse.notFound(message)
    }
    app.route({method, url: `/v:version${url}`, config: {access}, onRequest, handler: () => {}})
  }
}
