import type {FastifyInstance, FastifyRequest} from 'fastify'
import {isJsonObject, type JsonObject} from '../documents/document.ts'
import {run} from '../query/run.ts'
import type {LakeContext} from './context.ts'
import {refuse} from './errors.ts'
import {perspectiveOf} from './perspective.ts'
import {checkTarget, flag, groqParams, pathParam, searchParam} from './request.ts'

/** Bytes of a posted query: the client posts what does not fit into a URL. */
const maxBodyBytes = 1024 * 1024

/** `GET` and `POST /data/query/:dataset`. https://www.sanity.io/docs/http-reference/query */
export function queryRoute(app: FastifyInstance, context: LakeContext): void {
  const answer = async (request: FastifyRequest, query: string | undefined, params: JsonObject) => {
    checkTarget(request, context)
    if (query === undefined || query === '') throw refuse.badRequest('"query" is required')
    const perspective = perspectiveOf(searchParam(request, 'perspective'), pathParam(request, 'version'))
    // What is published is public, as it is in a public dataset of Sanity's. Drafts are not.
    if (perspective !== 'published') await context.access.require(request, 'read')
    const start = performance.now()
    const view = context.store.view(perspective)
    const {result, syncTags} = await run(query, params, view, context.environment)
    const ms = Math.round(performance.now() - start)
    return {...(flag(request, 'returnQuery', true) && {query}), result, syncTags, ms}
  }
  app.get('/v:version/data/query/:dataset', (request) =>
    answer(request, searchParam(request, 'query'), groqParams(request)),
  )
  app.post('/v:version/data/query/:dataset', {bodyLimit: maxBodyBytes}, (request) => {
    const {body} = request
    if (!isJsonObject(body)) throw refuse.badRequest('The body must be a JSON object')
    const {query, params = {}} = body
    if (query !== undefined && typeof query !== 'string') throw refuse.badRequest('"query" must be a string')
    if (!isJsonObject(params)) throw refuse.badRequest('"params" must be an object')
    return answer(request, query, params)
  })
}
