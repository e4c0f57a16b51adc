import type {FastifyInstance} from 'fastify'
import {hasBearerToken} from '../../../common/http/bearerToken.ts'
import {errors} from '../../errors.ts'
import type {Parts} from '../parts.ts'

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8'

/** Web pages have no reason to read these responses. */
const CONFIG: {readonly cors: false} = {cors: false}

/** `/healthz`, `/readyz` and `/metrics`: for operators and monitoring. */
export function operationsRoutes(app: FastifyInstance, {metrics, readiness, settings}: Parts): void {
  const {metricsTokens} = settings
  app.get('/healthz', {config: CONFIG}, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({status: 'ok'}),
  )

  app.get('/readyz', {config: CONFIG}, async (_request, reply) => {
    const report = await readiness.report()
    const canServe = report.status === 'ready' || report.status === 'degraded'
    return reply
      .code(canServe ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(report)
  })

  app.get('/metrics', {config: CONFIG}, async ({headers}, reply) => {
    if (metricsTokens.length > 0 && !hasBearerToken(headers.authorization, metricsTokens))
      throw new errors.METRICS_TOKEN_WRONG()
    return reply
      .header('cache-control', 'no-store')
      .type(TEXT_FORMAT)
      .send(await metrics.exposition())
  })
}

/** Counts every response by route template. Unknown routes count as `none`. */
export function countAnswers(app: FastifyInstance, {metrics}: Parts): void {
  app.addHook('onResponse', (request, reply, done) => {
    metrics.requests.count(request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime)
    done()
  })
}
