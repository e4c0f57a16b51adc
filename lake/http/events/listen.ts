import {randomUUID} from 'node:crypto'
import type {FastifyInstance, FastifyRequest} from 'fastify'
import {inBackground} from '../../../common/background.ts'
import {logFailure, logRefusal} from '../../../common/http/failedRequests.ts'
import type {Change, Transaction} from '../../../content/document.ts'
import type {Applied} from '../../../content/store.ts'
import {effectsOf, mutationOf} from '../../history/mendoza.ts'
import {type Matcher, matcher} from '../../query/run.ts'
import {queryErrorBody, refuse} from '../errors.ts'
import {admitted} from '../gate.ts'
import {FairQueue} from '../limits/fairQueue.ts'
import {checkTarget, environmentOf, flag, groqParams, type LakeContext, searchParam} from '../request.ts'
import type {EventStream, EventStreams} from './eventStream.ts'

/**
 * Maximum documents of one transaction that listeners are notified of individually. A larger one (a pull
 * after weeks, another branch) ends the streams: listeners reconnect at once and reload on `welcome`.
 */
const MAX_CHANGES = 1_000
/** One filter of each stream waits at a time, and the number of streams is limited. */
const NO_LIMITS = {perClient: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY}
/** Maximum transactions that wait for a listener with a slow filter. Its stream is ended beyond that. */
const MAX_WAITING = 100

type Listener = {
  /** The id of the principal. */
  readonly client: string
  readonly request: FastifyRequest
  readonly stream: EventStream
  readonly matches: Matcher
  readonly detail: MutationDetail
  work: Promise<void>
  waiting: number
}

/**
 * `GET /data/listen/:dataset`: reports which documents of a query changed, and how. Returns a function to call
 * with each transaction, after the store has applied it. https://www.sanity.io/docs/http-reference/listen
 */
export function listenRoute(
  app: FastifyInstance,
  context: LakeContext,
  streams: EventStreams,
): (applied: Applied) => void {
  const listeners = new Set<Listener>()
  const filters = new FairQueue(NO_LIMITS)

  app.get('/v:version/data/listen/:dataset', {config: {access: 'read'}}, async (request, reply) => {
    checkTarget(request, context)
    const principal = admitted(request)
    const client = principal.id
    const query = searchParam(request, 'query')
    if (query === undefined || query === '') throw refuse.badRequest('"query" is required')
    const params = groqParams(request)
    const resumes = flag(request, 'enableResume', false) && request.headers['last-event-id'] !== undefined
    const detail = {
      includeResult: flag(request, 'includeResult', false),
      includePreviousRevision: flag(request, 'includePreviousRevision', false),
      includeMutations: flag(request, 'includeMutations', true),
      includeEffects: searchParam(request, 'effectFormat') === 'mendoza',
    }
    let matches: Matcher
    try {
      matches = await filters.take(client, () => matcher(query, params, environmentOf(context, principal)))
    } catch (error) {
      // An event source cannot read the body of an error response: Sanity responds with 200 and sends an
      // event.
      fail(request, streams.open(request, reply, principal), error)
      return
    }
    const stream = streams.open(request, reply, principal)
    // Mutations are not kept, so a client that reconnects is told to reload.
    stream.send({event: resumes ? 'reset' : 'welcome', id: randomUUID(), data: {listenerName: randomUUID()}})
    const work = Promise.resolve()
    const listener: Listener = {client, request, stream, matches, detail, work, waiting: 0}
    listeners.add(listener)
    stream.onClose(() => listeners.delete(listener))
  })

  const tell = async (listener: Listener, transaction: Transaction): Promise<void> => {
    const {client, stream, matches, detail} = listener
    const view = context.store.view('raw')
    const seen: {readonly change: Change; readonly transition: Transition}[] = []
    for (const change of transaction.changes) {
      if (stream.closed) return
      const {before, after} = change
      const [was, is] = await filters.take(client, () => [
        before !== undefined && matches(before, view),
        after !== undefined && matches(after, view),
      ])
      if (was || is) seen.push({change, transition: was && is ? 'update' : is ? 'appear' : 'disappear'})
    }
    for (const [index, {change, transition}] of seen.entries()) {
      const place = {number: index + 1, total: seen.length}
      const data = mutationEvent(transaction, place, change, transition, detail)
      stream.send({event: 'mutation', id: data.eventId, data})
    }
  }

  return (transaction) => {
    if (transaction.changes.length === 0) return
    for (const listener of listeners) {
      if (transaction.changes.length > MAX_CHANGES || listener.waiting >= MAX_WAITING) {
        listener.stream.end()
        continue
      }
      listener.waiting += 1
      const {work} = listener
      listener.work = inBackground(() => work.then(() => tell(listener, transaction)), {
        onFailure: (error) => fail(listener.request, listener.stream, error),
      }).finally(() => {
        listener.waiting -= 1
      })
    }
  }
}

/** Ends a stream with an error, which names the request as the log does: the headers are sent already. */
function fail(request: FastifyRequest, stream: EventStream, error: unknown): void {
  const query = queryErrorBody(error)
  const route = request.routeOptions.url
  if (query === undefined) logFailure(request, {err: error})
  else logRefusal(request.log, 400, () => ({code: query.error.type, route}))
  const data = query ?? {message: 'Internal Server Error'}
  stream.send({event: 'channelError', data: {...data, requestId: request.id}})
  stream.end()
}

/** What a listener wants to receive. */
type MutationDetail = {
  readonly includeResult: boolean
  readonly includePreviousRevision: boolean
  readonly includeMutations: boolean
  /**
   * Whether to send the differences between the states in both directions, with which Studio follows
   * documents.
   */
  readonly includeEffects: boolean
}

/** How a document's place in the listener's query changed. */
type Transition = 'appear' | 'update' | 'disappear'

/**
 * The `mutation` event of one changed document. https://www.sanity.io/docs/http-reference/listen
 * @param place the number of the event among those that the listener gets of the transaction. Studio waits for all of
 * them: a form would show "Saving…" for as long as it waits for those of documents that it does not listen to.
 */
function mutationEvent(
  transaction: Transaction,
  place: {readonly number: number; readonly total: number},
  change: Change,
  transition: Transition,
  detail: MutationDetail,
) {
  const {id, before, after} = change
  return {
    eventId: `${transaction.id}#${id}`,
    documentId: id,
    transactionId: transaction.id,
    transition,
    identity: transaction.identity,
    timestamp: transaction.timestamp,
    visibility: 'query',
    transactionTotalEvents: place.total,
    transactionCurrentEvent: place.number,
    ...(before && {previousRev: before._rev}),
    // Studio waits for this on deletes too; without it a form keeps showing "Saving…".
    resultRev: after?._rev ?? transaction.id,
    ...(detail.includeMutations && {mutations: transaction.mutations?.get(id) ?? [mutationOf(change)]}),
    ...(detail.includeEffects && {effects: effectsOf(before, after)}),
    ...(detail.includeResult && after && {result: after}),
    ...(detail.includePreviousRevision && {previous: before ?? null}),
  }
}
