import type {FastifyInstance, FastifyRequest} from 'fastify'
import type {Access} from '../access/access.ts'

/**
 * `GET /check/cors`: whether pages of an origin may use the lake. Only its own may. Clients ask this when an event
 * stream fails, because browsers do not tell them why.
 */
export function checkCorsRoute(app: FastifyInstance, access: Access): void {
  const isOwn = (request: FastifyRequest) =>
    request.headers.origin === undefined || request.headers.origin === access.originOf(request)
  app.get('/v:version/check/cors', {config: {access: 'open'}}, (request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .send({result: {allowed: isOwn(request), withCredentials: isOwn(request)}}),
  )
}
