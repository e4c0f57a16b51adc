import type {FastifyInstance} from 'fastify'
import type {Applied} from '../../../content/store.ts'
import type {LakeContext} from '../context.ts'
import {admitted} from '../gate.ts'
import {checkTarget, flag} from '../request.ts'
import type {EventStream, EventStreams} from './eventStream.ts'
import {LiveEvents, type LivePerspective} from './liveEvents.ts'

/**
 * `GET /data/live/events/:dataset`: reports which sync tags changed. The comments that keep a stream open carry
 * the ID of the last event, so that a reader detects a lost one. Returns a function to call with each
 * transaction, after the store has applied it. https://www.sanity.io/docs/content-lake/live-content-api
 */
export function liveRoute(
  app: FastifyInstance,
  context: LakeContext,
  streams: EventStreams,
): (applied: Applied) => void {
  const events = new LiveEvents()
  const readers = new Map<EventStream, LivePerspective>()

  app.get('/v:version/data/live/events/:dataset', {config: {access: 'read'}}, async (request, reply) => {
    checkTarget(request, context)
    const includeDrafts = flag(request, 'includeDrafts', false)
    const principal = admitted(request)
    const perspective = includeDrafts ? 'drafts' : 'published'
    const lastEventId = request.headers['last-event-id']
    const first = events.lastId
    const stream = streams.open(
      request,
      reply,
      principal,
      () => ` id: ${events.lastIdSince(first, perspective)}`,
    )
    stream.send({event: 'welcome', id: first, data: {id: first}})
    if (typeof lastEventId === 'string') {
      for (const event of events.since(lastEventId, perspective)) stream.send(event)
    }
    readers.set(stream, perspective)
    stream.onClose(() => readers.delete(stream))
  })

  return (applied) => {
    const before = events.lastId
    events.add(applied)
    const seen = {
      published: events.since(before, 'published'),
      drafts: events.since(before, 'drafts'),
    }
    for (const [stream, perspective] of readers) {
      for (const event of seen[perspective]) stream.send(event)
    }
  }
}
