import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify'
import {concurrencyLimit} from '../../common/concurrencyLimit.ts'
import {isJsonObject, type JsonObject} from '../documents/document.ts'
import {run, runWithin} from '../query/run.ts'
import {clientOf} from './client.ts'
import type {LakeContext} from './context.ts'
import {refuse} from './errors.ts'
import {perspectiveOf} from './perspective.ts'
import {checkTarget, flag, groqParams, pathParam, searchParam} from './request.ts'
import {Turns} from './turns.ts'

/** Bytes of a posted query: the client posts what does not fit into a URL. */
const maxBodyBytes = 1024 * 1024

/** What a query without a session or a token may take. Sites of a thousand tools take a hundredth of each. */
const strangersBounds = {milliseconds: 1_000, characters: 16 * 2 ** 20}

/** Posted queries of strangers that may arrive or be answered at once: each may have {@link maxBodyBytes}. */
const strangersPosts = {perClient: 16, total: 128}

/** `GET` and `POST /data/query/:dataset`. https://www.sanity.io/docs/http-reference/query */
export function queryRoute(app: FastifyInstance, context: LakeContext): void {
  const turns = new Turns()
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    query: string | undefined,
    params: JsonObject,
  ) => {
    checkTarget(request, context)
    if (query === undefined || query === '') throw refuse.badRequest('"query" is required')
    const perspective = perspectiveOf(searchParam(request, 'perspective'), pathParam(request, 'version'))
    // What is published is public, as it is in a public dataset of Sanity's. Drafts are not.
    if (perspective !== 'published') await context.access.require(request, 'read')
    const view = context.store.view(perspective)
    const {environment} = context
    const returned = flag(request, 'returnQuery', true) && {query}
    if (await context.access.isKnown(request)) {
      const start = performance.now()
      const {result, syncTags} = await run(query, params, view, environment)
      return {...returned, result, syncTags, ms: since(start)}
    }
    const body = await turns.take(clientOf(request), () => {
      const start = performance.now()
      const {json, syncTags} = runWithin(strangersBounds, query, params, view, environment)
      const around = JSON.stringify({...returned, syncTags, ms: since(start)})
      return `{"result":${json},${around.slice(1)}`
    })
    return reply.type('application/json; charset=utf-8').send(body)
  }
  app.get('/v:version/data/query/:dataset', (request, reply) =>
    answer(request, reply, searchParam(request, 'query'), groqParams(request)),
  )
  const admitStranger = concurrencyLimit({
    ...strangersPosts,
    clientOf,
    refuse: () => refuse.tooMuch('Too many queries are posted at once', 1),
  })
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!(await context.access.isKnown(request))) admitStranger(request, reply)
  }
  app.post('/v:version/data/query/:dataset', {bodyLimit: maxBodyBytes, onRequest}, (request, reply) => {
    const {body} = request
    if (!isJsonObject(body)) throw refuse.badRequest('The body must be a JSON object')
    const {query, params = {}} = body
    if (query !== undefined && typeof query !== 'string') throw refuse.badRequest('"query" must be a string')
    if (!isJsonObject(params)) throw refuse.badRequest('"params" must be an object')
    return answer(request, reply, query, params)
  })
}

/** Whole milliseconds. */
function since(start: number): number {
  return Math.round(performance.now() - start)
}
