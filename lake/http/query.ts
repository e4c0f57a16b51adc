import type {FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions} from 'fastify'
import {isJsonObject, type JsonObject} from '../documents/document.ts'
import type {Perspective} from '../documents/store.ts'
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
    const {environment, store} = context
    const returned = flag(request, 'returnQuery', true) && {query}
    if (await context.access.isKnown(request)) {
      const view = store.view(perspectiveIn(request))
      const start = performance.now()
      const {result, syncTags} = await run(query, params, view, environment)
      return {...returned, result, syncTags, ms: since(start)}
    }
    const view = store.view('public')
    const body = await turns.take(clientOf(request), () => {
      const start = performance.now()
      const {json, syncTags} = runWithin(strangersBounds, query, params, view, environment)
      const around = JSON.stringify({...returned, syncTags, ms: since(start)})
      return `{"result":${json},${around.slice(1)}`
    })
    return reply.type('application/json; charset=utf-8').send(body)
  }
  const gate: RouteShorthandOptions = {
    config: {access: 'published'},
    // A public lake shows strangers what is published, as a public dataset of Sanity's does, and no drafts.
    onRequest: async (request) => {
      if (perspectiveIn(request) !== 'published') await context.access.require(request, 'read')
    },
  }
  app.get('/v:version/data/query/:dataset', gate, (request, reply) =>
    answer(request, reply, searchParam(request, 'query'), groqParams(request)),
  )
  app.post('/v:version/data/query/:dataset', {...gate, bodyLimit: maxBodyBytes}, (request, reply) => {
    const {body} = request
    if (!isJsonObject(body)) throw refuse.badRequest('The body must be a JSON object')
    const {query, params = {}} = body
    if (query !== undefined && typeof query !== 'string') throw refuse.badRequest('"query" must be a string')
    if (!isJsonObject(params)) throw refuse.badRequest('"params" must be an object')
    return answer(request, reply, query, params)
  })
}

function perspectiveIn(request: FastifyRequest): Perspective {
  return perspectiveOf(searchParam(request, 'perspective'), pathParam(request, 'version'))
}

/** Whole milliseconds. */
function since(start: number): number {
  return Math.round(performance.now() - start)
}
