import {hash} from 'node:crypto'
import swagger from '@fastify/swagger'
import type {FastifyInstance} from 'fastify'
import packageJson from '../../../package.json' with {type: 'json'}
import {matchesEntityTag} from '../conditional.ts'
import {components} from '../descriptions/config.ts'
import {openApiSchema} from '../descriptions/openapi.ts'
import {refuseOtherMethods} from '../methods.ts'

const OPENAPI_URL = '/openapi.json'

const CACHE_CONTROL = 'public, max-age=300'

/**
 * Uses the routes' schemas as documentation only. The rules parse requests, with specific error messages, and
 * bodies are already encoded. Tests check that the schemas are right.
 */
export function describeOnly(app: FastifyInstance): void {
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  for (const component of components) app.addSchema(component)
}

/** Collects the schemas of all routes that are added from now on, except hidden ones. */
export async function collectSchemas(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Handrail',
        version: packageJson.version,
        description: packageJson.description,
        license: {name: 'MIT', identifier: 'MIT'},
      },
      tags: [
        {
          name: 'pages',
          description: 'For pages of any origin. HEAD works like GET; other methods get 405.',
        },
        {
          name: 'operations',
          description: 'For operators. Do not expose them to the public: let a proxy block them.',
        },
      ],
    },
    refResolver: {
      buildLocalReference: ({$id}, _baseUri, _fragment, index) => String($id ?? `schema-${index}`),
    },
  })
}

/** `GET /openapi.json`: describes all of these routes. Generated at the first request. */
export function openApiRoute(app: FastifyInstance): void {
  let document: {readonly body: Buffer; readonly entityTag: string} | undefined

  app.get(OPENAPI_URL, {schema: openApiSchema(CACHE_CONTROL)}, (request, reply) => {
    document ??= describe(app)
    const {body, entityTag} = document
    reply.header('cache-control', CACHE_CONTROL).header('etag', entityTag)
    if (matchesEntityTag(request.headers['if-none-match'], entityTag)) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(body)
  })
  refuseOtherMethods(app, OPENAPI_URL)
}

function describe(app: FastifyInstance): {readonly body: Buffer; readonly entityTag: string} {
  const text = JSON.stringify(app.swagger())
  return {body: Buffer.from(text), entityTag: `"${hash('sha1', text, 'base64url')}"`}
}
