import type {FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions} from 'fastify'
import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {pathParam} from '../../../common/pathParam.ts'
import type {Perspective} from '../../documents/store.ts'
import {type Bounds, prepareResponse} from '../../query/run.ts'
import type {LakeContext} from '../context.ts'
import {refuse} from '../errors.ts'
import {clientOf} from '../limits/client.ts'
import {FairQueue} from '../limits/fairQueue.ts'
import {checkTarget, flag, groqParams, searchParam, shallow} from '../request.ts'
import {perspectiveOf} from './perspective.ts'

/** Maximum size of a posted query. The client posts queries that do not fit into a URL. */
const MAX_BODY_BYTES = 1024 * 1024

/** Limits of a query without authentication. Sites of a thousand tools need a hundredth of each. */
const STRANGERS_BOUNDS: Bounds = {milliseconds: 1_000, bytes: 64 * 2 ** 20, characters: 16 * 2 ** 20}

/** Limits of a query of a signed-in editor or a program with a token. */
const KNOWN_BOUNDS: Bounds = {milliseconds: 5_000, bytes: 64 * 2 ** 20, characters: 32 * 2 ** 20}

/**
 * Unauthenticated clients together use at most half of the time, and each of them at most 5 s per minute for
 * queries that take more than 10 ms. A replica of the service sends up to 32 queries at once.
 */
const STRANGERS_TURNS = {share: 0.5, perClient: 256, total: 4_096, allowance: 5_000, free: 10}

/** Replicas of the service may share a token. */
const KNOWN_TURNS = {share: 1, perClient: 2_048, total: 4_096}

/** `GET` and `POST /data/query/:dataset`. https://www.sanity.io/docs/http-reference/query */
export function queryRoute(app: FastifyInstance, context: LakeContext): void {
  const strangersTurns = new FairQueue(STRANGERS_TURNS)
  const knownTurns = new FairQueue(KNOWN_TURNS)
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    query: string | undefined,
    params: JsonObject,
  ) => {
    checkTarget(request, context)
    if (query === undefined || query === '') throw refuse.badRequest('"query" is required')
    const {environment, store} = context
    const returned = flag(request, 'returnQuery', true) && {query}
    const isKnown = await context.access.isKnown(request)
    const client = isKnown ? ((await context.access.principalOf(request))?.id ?? '') : clientOf(request)
    const view = store.view(isKnown ? perspectiveIn(request) : 'public')
    const work = prepareResponse(query, params, view, environment, isKnown ? KNOWN_BOUNDS : STRANGERS_BOUNDS)
    const start = performance.now()
    const {json, syncTags} = await (isKnown ? knownTurns : strangersTurns).take(
      client,
      work,
      () => reply.raw.closed,
    )
    const around = JSON.stringify({...returned, syncTags, ms: since(start)})
    const body = `{"result":${json},${around.slice(1)}`
    return reply.type('application/json; charset=utf-8').send(body)
  }
  const gate: RouteShorthandOptions = {
    config: {access: 'published'},
    // A public lake shows unauthenticated clients published documents and no drafts, like a public dataset of
    // Sanity.
    onRequest: async (request) => {
      if (perspectiveIn(request) !== 'published') await context.access.require(request, 'read')
    },
  }
  app.get('/v:version/data/query/:dataset', gate, (request, reply) =>
    answer(request, reply, searchParam(request, 'query'), groqParams(request)),
  )
  app.post('/v:version/data/query/:dataset', {...gate, bodyLimit: MAX_BODY_BYTES}, (request, reply) => {
    const {body} = request
    if (!isJsonObject(body)) throw refuse.badRequest('The body must be a JSON object')
    const {query, params = {}} = body
    if (query !== undefined && typeof query !== 'string') throw refuse.badRequest('"query" must be a string')
    if (!isJsonObject(params)) throw refuse.badRequest('"params" must be an object')
    return answer(request, reply, query, shallow(params))
  })
}

function perspectiveIn(request: FastifyRequest): Perspective {
  return perspectiveOf(searchParam(request, 'perspective'), pathParam(request, 'version'))
}

/** Elapsed time in whole milliseconds. */
function since(start: number): number {
  return Math.round(performance.now() - start)
}
