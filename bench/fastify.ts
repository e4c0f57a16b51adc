import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import fastify from 'fastify'

/** The bytes that the service sent, in the folder in the arguments. */
const folder = process.argv[2] ?? '.'

/** The same tag for all bodies, because its value does not matter here. */
const ENTITY_TAG = '"bench"'

/** Fastify with default settings and one route for each finished Buffer: the baseline for the service. */
const app = fastify()
for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
  const body = readFileSync(join(folder, name))
  app.get(`/${name}`, (request, reply) => {
    reply.header('etag', ENTITY_TAG)
    if (request.headers['if-none-match'] === ENTITY_TAG) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(body)
  })
}
process.on('disconnect', () => process.exit())
process.send?.(await app.listen({host: '127.0.0.1', port: 0}))
