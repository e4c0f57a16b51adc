import fastify from 'fastify'
import {bodies, CONTENT_TYPE, ENTITY_TAG} from './bodies.ts'
import {tellParent} from './parent.ts'

/** Fastify with default settings and one route for each finished Buffer: the baseline for the service. */
const app = fastify()
for (const [url, body] of bodies) {
  app.get(url, (request, reply) => {
    reply.header('etag', ENTITY_TAG)
    if (request.headers['if-none-match'] === ENTITY_TAG) return reply.code(304).send()
    return reply.type(CONTENT_TYPE).send(body)
  })
}
tellParent(await app.listen({host: '127.0.0.1', port: 0}))
