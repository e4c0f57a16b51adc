import {randomUUID} from 'node:crypto'
import {setTimeout} from 'node:timers/promises'
import type {FastifyInstance} from 'fastify'
import {Mutex} from '../../../common/mutex.ts'
import type {Applied} from '../../documents/store.ts'
import {type Matcher, matcher} from '../../query/listener.ts'
import type {LakeContext} from '../context.ts'
import {queryErrorBody, refuse} from '../errors.ts'
import {checkTarget, flag, groqParams, searchParam} from '../request.ts'
import type {EventStream, EventStreams} from './eventStream.ts'
import {type MutationDetail, mutationEvent} from './mutationEvent.ts'

/**
 * Maximum documents of one transaction that listeners are notified of individually. A larger one (a pull
 * after weeks, another branch) ends the streams: listeners reconnect at once and reload on `welcome`.
 */
const MAX_CHANGES = 1_000
/** Milliseconds that filters may use before other work gets as many. */
const MAX_TURN = 5
/** Maximum transactions that wait for a listener with a slow filter. Its stream is ended beyond that. */
const MAX_WAITING = 100

type Listener = {
  readonly stream: EventStream
  readonly matches: Matcher
  readonly detail: MutationDetail
  work: Promise<void>
  waiting: number
}

/**
 * `GET /data/listen/:dataset`: reports which documents of a query changed, and how. Returns a function to
 * call with each transaction, after the store has applied it.
 * https://www.sanity.io/docs/http-reference/listen
 */
export function listenRoute(
  app: FastifyInstance,
  context: LakeContext,
  streams: EventStreams,
): (applied: Applied) => void {
  const listeners = new Set<Listener>()
  const filters = new Mutex()
  let used = 0

  /** Evaluates filters one at a time, and leaves half of the time to other work. */
  const evaluate = (filter: () => boolean): Promise<boolean> =>
    filters.run(async () => {
      if (used > MAX_TURN) {
        await setTimeout(used)
        used = 0
      }
      const start = performance.now()
      try {
        return filter()
      } finally {
        used += performance.now() - start
      }
    })

  app.get('/v:version/data/listen/:dataset', {config: {access: 'read'}}, async (request, reply) => {
    checkTarget(request, context)
    const principal = await context.access.require(request, 'read')
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
    const stream = streams.open(request, reply, principal)
    let matches: Matcher
    try {
      matches = matcher(query, params, context.environment)
    } catch (error) {
      // An event source cannot read the body of an error response: Sanity responds with 200 and sends an
      // event.
      stream.send({event: 'channelError', data: queryErrorBody(error) ?? {message: 'Internal Server Error'}})
      stream.end()
      return
    }
    // Mutations are not kept, so a client that reconnects is told to reload.
    stream.send({event: resumes ? 'reset' : 'welcome', id: randomUUID(), data: {listenerName: randomUUID()}})
    const listener: Listener = {stream, matches, detail, work: Promise.resolve(), waiting: 0}
    listeners.add(listener)
    stream.onClose(() => listeners.delete(listener))
  })

  const tell = async (listener: Listener, applied: Applied): Promise<void> => {
    const {stream, matches, detail} = listener
    const view = context.store.view('raw')
    let number = 0
    for (const change of applied.changes) {
      number += 1
      if (stream.closed) return
      const {before, after} = change
      const was = before !== undefined && (await evaluate(() => matches(before, view)))
      const is = after !== undefined && (await evaluate(() => matches(after, view)))
      if (was || is) {
        const transition = was && is ? 'update' : is ? 'appear' : 'disappear'
        const data = mutationEvent(applied, number, change, transition, detail)
        stream.send({event: 'mutation', id: data.eventId, data})
      }
    }
  }

  return (applied) => {
    for (const listener of listeners) {
      if (applied.changes.length > MAX_CHANGES || listener.waiting >= MAX_WAITING) {
        listener.stream.end()
        continue
      }
      listener.waiting += 1
      listener.work = listener.work
        .then(() => tell(listener, applied))
        .catch((error: unknown) => {
          listener.stream.send({
            event: 'channelError',
            data: queryErrorBody(error) ?? {message: 'Internal Server Error'},
          })
          listener.stream.end()
        })
        .finally(() => {
          listener.waiting -= 1
        })
    }
  }
}
