import type {FastifyInstance} from 'fastify'
import {concurrencyLimit} from '../../common/concurrencyLimit.ts'
import type {Applied} from '../documents/store.ts'
import {clientOf} from './client.ts'
import type {LakeContext} from './context.ts'
import {refuse} from './errors.ts'
import type {EventStream, EventStreams} from './event-stream.ts'
import {LiveEvents} from './live-events.ts'
import {checkTarget, flag} from './request.ts'

/** Streams of those who have no session and no token: half of all, so that editors keep theirs. */
const strangersStreams = {perClient: 100, total: 500}

/**
 * `GET /data/live/events/:dataset`: says which sync tags changed. Answers a function that takes each transaction,
 * after the store has. https://www.sanity.io/docs/content-lake/live-content-api
 */
export function liveRoute(
  app: FastifyInstance,
  context: LakeContext,
  streams: EventStreams,
): (applied: Applied) => void {
  const events = new LiveEvents()
  const readers = new Map<EventStream, {includeDrafts: boolean}>()

  const admitStranger = concurrencyLimit({...strangersStreams, clientOf, refuse: refuse.tooManyStreams})

  app.get('/v:version/data/live/events/:dataset', async (request, reply) => {
    checkTarget(request, context)
    const includeDrafts = flag(request, 'includeDrafts', false)
    if (includeDrafts) await context.access.require(request, 'read')
    if (!(await context.access.isKnown(request))) admitStranger(request, reply)
    const lastEventId = request.headers['last-event-id']
    const stream = streams.open(reply)
    stream.send({event: 'welcome', id: events.lastId, data: {id: events.lastId}})
    if (typeof lastEventId === 'string') {
      for (const event of events.since(lastEventId, includeDrafts)) stream.send(event)
    }
    readers.set(stream, {includeDrafts})
    stream.onClose(() => readers.delete(stream))
  })

  return (applied) => {
    const before = events.lastId
    events.add(applied)
    const published = events.since(before, false)
    const drafts = events.since(before, true)
    for (const [stream, {includeDrafts}] of readers) {
      for (const event of includeDrafts ? drafts : published) stream.send(event)
    }
  }
}
