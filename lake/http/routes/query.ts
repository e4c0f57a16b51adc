import type {FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions} from 'fastify'
import {pathParam} from '../../../common/http/pathParam.ts'
import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {releaseId} from '../../../content/ids.ts'
import type {DocumentStore, Perspective} from '../../../content/store.ts'
import {respond} from '../../query/run.ts'
import {refuse} from '../errors.ts'
import type {LiveEvents} from '../events/live.ts'
import {admitted} from '../gate.ts'
import {FairQueue} from '../limits/fairQueue.ts'
import {
  checkTarget,
  environmentOf,
  flag,
  groqParams,
  jsonBody,
  type LakeContext,
  searchParam,
  shallow,
} from '../request.ts'

/** Maximum size of a posted query. The client posts queries that do not fit into a URL. */
const MAX_BODY_BYTES = 1024 * 1024

/** Queries that wait. Replicas of the service may share one token, and each sends up to 32 at once. */
const QUEUE_LIMITS = {perClient: 2_048, total: 4_096}

/** `GET` and `POST /data/query/:dataset`. https://www.sanity.io/docs/http-reference/query */
export function queryRoute(
  app: FastifyInstance,
  context: LakeContext,
  events: Pick<LiveEvents, 'tags'>,
): void {
  const queue = new FairQueue(QUEUE_LIMITS)
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    query: string | undefined,
    params: JsonObject,
  ) => {
    checkTarget(request, context)
    if (query === undefined || query === '') throw refuse.badRequest('"query" is required')
    if (flag(request, 'resultSourceMap', false))
      throw refuse.badRequest(
        'This lake has no content source maps: set "resultSourceMap" and "stega" to false',
      )
    const returned = flag(request, 'returnQuery', true) && {query}
    const principal = admitted(request)
    const view = context.store.view(perspectiveIn(request, context))
    const environment = environmentOf(context, principal)
    // Of now, while the result may be of later: so a later change is told of twice, and never not.
    const {tags: syncTags} = events
    const start = performance.now()
    const json = await queue.take(
      principal.id,
      () => respond(query, params, view, environment),
      () => reply.raw.closed,
    )
    const around = JSON.stringify({...returned, syncTags, ms: since(start)})
    const body = `{"result":${json},${around.slice(1)}`
    return reply.type('application/json; charset=utf-8').send(body)
  }
  const options: RouteShorthandOptions = {config: {access: 'read'}}
  app.get('/v:version/data/query/:dataset', options, (request, reply) =>
    answer(request, reply, searchParam(request, 'query'), groqParams(request)),
  )
  app.post('/v:version/data/query/:dataset', {...options, bodyLimit: MAX_BODY_BYTES}, (request, reply) => {
    const {query, params = {}} = jsonBody(request)
    if (query !== undefined && typeof query !== 'string') throw refuse.badRequest('"query" must be a string')
    if (!isJsonObject(params)) throw refuse.badRequest('"params" must be an object')
    return answer(request, reply, query, shallow(params))
  })
}

function perspectiveIn(request: FastifyRequest, {store}: LakeContext): Perspective {
  return perspectiveOf(searchParam(request, 'perspective'), pathParam(request, 'version'), store)
}

/** Elapsed time in whole milliseconds. */
function since(start: number): number {
  return Math.round(performance.now() - start)
}

/** The first version of the API whose perspective may be a list. */
const STACKS_SINCE = '2025-02-19'

/** Maximum perspectives in a list, Sanity's bound. */
const MAX_LAYERS = 51

/**
 * The perspective that a request names, or the default of its API version: `published` since 2025-02-19,
 * `raw` before. https://www.sanity.io/docs/content-lake/perspectives
 * @throws HttpError 400
 */
function perspectiveOf(
  asked: string | undefined,
  version: string,
  store: Pick<DocumentStore, 'get'>,
): Perspective {
  const isOld = version !== 'X' && (version === '1' || version < STACKS_SINCE)
  if (asked === undefined || asked === '') return isOld ? 'raw' : 'published'
  const stack = asked.split(',').map((name) => (name === 'previewDrafts' ? 'drafts' : name))
  if (stack.length > 1 && stack.includes('raw'))
    throw refuse.badRequest('The raw perspective can not be combined with other perspectives')
  if (stack.length > MAX_LAYERS) throw refuse.badRequest(`A perspective can have at most ${MAX_LAYERS} names`)
  const unfit = stack.find((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(name))
  if (unfit !== undefined) throw refuse.badRequest(`"${unfit}" is not the name of a perspective or a release`)
  if (stack[0] === 'raw') return 'raw'
  const isRelease = (name: string) => name !== 'drafts' && name !== 'published'
  if (isOld && stack.some(isRelease))
    throw refuse.badRequest(`Perspectives with releases need API version ${STACKS_SINCE} or later`)
  // The first entry wins, and published documents are always the fallback.
  const end = stack.indexOf('published')
  const layers = (end === -1 ? stack : stack.slice(0, end)).filter(
    (name) => !isRelease(name) || store.get(releaseId(name)) !== undefined,
  )
  return layers.length === 0 ? 'published' : [...new Set(layers)].join(',')
}
