import {randomBytes} from 'node:crypto'
import fastify from 'fastify'

/** The same tag for all bodies, because its value does not matter here. */
const ENTITY_TAG = '"bench"'

/** Fastify with default settings and a route for a Buffer of each size in the arguments: the baseline for the service. */
const app = fastify()
for (const size of process.argv.slice(2)) {
  const body = randomBytes(Number(size))
  app.get(`/${size}`, (request, reply) => {
    reply.header('etag', ENTITY_TAG)
    if (request.headers['if-none-match'] === ENTITY_TAG) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(body)
  })
}
process.on('disconnect', () => process.exit())
process.send?.(await app.listen({host: '127.0.0.1', port: 0}))
