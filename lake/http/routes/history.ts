import {Readable} from 'node:stream'
import type {FastifyInstance, FastifyRequest, RouteShorthandOptions} from 'fastify'
import {pathParam} from '../../../common/http/pathParam.ts'
import {isValidId} from '../../../content/ids.ts'
import type {Activity} from '../../history/activity.ts'
import type {DocumentHistory, Instant} from '../../history/history.ts'
import type {Selection, TransactionEntry} from '../../history/transactions.ts'
import {refuse} from '../errors.ts'
import {checkTarget, flag, type LakeContext, searchParam} from '../request.ts'

/** Maximum documents of one request. */
const MAX_IDS = 200
/** Maximum transactions, or timestamps with events, in one response. */
const MAX_LIMIT = 200
const USUAL_LIMIT = 100

/** Previous revisions of documents, and their authors. https://www.sanity.io/docs/http-reference/history */
export function historyRoutes(
  app: FastifyInstance,
  context: LakeContext,
  {history, activity, commitPage}: HistoryRouteOptions,
): void {
  const options: RouteShorthandOptions = {config: {access: 'read'}}

  app.get('/v:version/data/history/:dataset/documents/:ids', options, async (request) => {
    checkTarget(request, context)
    return {documents: await history.documents(idsOf(request), instantOf(request))}
  })

  app.get('/v:version/data/history/:dataset/transactions/:ids', options, async (request, reply) => {
    checkTarget(request, context)
    const entries = history.transactions(idsOf(request), selectionOf(request))
    const withEffects = searchParam(request, 'effectFormat') === 'mendoza'
    reply.header('content-type', 'application/x-ndjson')
    return reply.send(Readable.from(lines(entries, withEffects)))
  })

  // Sanity's API has no such route: it has no commits.
  app.get('/v:version/data/history/:dataset/activity', options, async (request) => {
    checkTarget(request, context)
    const references = given(request, 'references')
    if (references !== undefined && !isValidId(references))
      throw refuse.badRequest(`"${references}" is not a valid document ID`)
    const [recent, page] = await Promise.all([
      activity.recent({references, limit: limitOf(request), cursor: given(request, 'nextCursor')}),
      commitPage(),
    ])
    return {...recent, ...(page !== undefined && {commitPage: page})}
  })

  app.get('/v:version/data/history/:dataset/events/documents/:id', options, async (request) => {
    checkTarget(request, context)
    const [id, ...others] = idsOf(request, 'id')
    if (id === undefined || others.length > 0)
      throw refuse.badRequest('Transaction events are available for one document at a time')
    const {events, nextCursor} = await history.events(id, limitOf(request), given(request, 'nextCursor'))
    return {events: {[id]: events}, nextCursor}
  })
}

type HistoryRouteOptions = {
  readonly history: DocumentHistory
  readonly activity: Activity
  /** The address of the web pages of commits, if there are any. */
  readonly commitPage: () => Promise<string | undefined>
}

/** As with `excludeContent`, which Studio always asks for. */
async function* lines(
  entries: AsyncIterable<TransactionEntry>,
  withEffects: boolean,
): AsyncGenerator<string> {
  for await (const {effects, ...entry} of entries) {
    const mutations = entry.mutations.map(withoutContent)
    yield `${JSON.stringify({...entry, mutations, ...(withEffects && {effects})})}\n`
  }
}

/** A mutation reduced to the id of its document. */
function withoutContent(mutation: TransactionEntry['mutations'][number]): Record<string, unknown> {
  const entries = Object.entries(mutation).map(([kind, {_id, _type, id}]) => {
    return [kind, kind === 'delete' ? {id} : {_id, _type}]
  })
  return Object.fromEntries(entries)
}

function idsOf(request: FastifyRequest, name = 'ids'): string[] {
  const ids = pathParam(request, name).split(',')
  if (ids.length > MAX_IDS)
    throw refuse.badRequest(`Too many documents: request at most ${MAX_IDS} at a time`)
  const unfit = ids.find((id) => !isValidId(id))
  if (unfit !== undefined) throw refuse.badRequest(`"${unfit}" is not a valid document id`)
  return ids
}

function instantOf(request: FastifyRequest): Instant {
  const revision = given(request, 'revision')
  const time = timeOf(given(request, 'time'))
  if (revision !== undefined && time !== undefined)
    throw refuse.badRequest('"revision" and "time" cannot be used together')
  if (revision !== undefined) return {revision}
  if (time !== undefined) return {time}
  return flag(request, 'lastRevision', false) ? 'last' : {time: Date.now()}
}

function selectionOf(request: FastifyRequest): Selection {
  return {
    fromTransaction: given(request, 'fromTransaction'),
    toTransaction: given(request, 'toTransaction'),
    reverse: flag(request, 'reverse', false),
    limit: limitOf(request),
  }
}

function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw refuse.badRequest('"time" must be an ISO 8601 time')
  return time
}

function limitOf(request: FastifyRequest): number {
  const text = given(request, 'limit') ?? String(USUAL_LIMIT)
  if (!/^[1-9]\d{0,8}$/.test(text)) throw refuse.badRequest('"limit" must be a number, 1 or more')
  return Math.min(Number(text), MAX_LIMIT)
}

/** A parameter that is not empty. Studio sends empty ones for values that it does not know. */
function given(request: FastifyRequest, name: string): string | undefined {
  const text = searchParam(request, name)
  return text === '' ? undefined : text
}
