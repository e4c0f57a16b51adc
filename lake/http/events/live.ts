import {randomUUID} from 'node:crypto'
import type {FastifyInstance} from 'fastify'
import type {Applied} from '../../../content/store.ts'
import {admitted} from '../gate.ts'
import {checkTarget, flag, type LakeContext} from '../request.ts'
import type {EventStream, EventStreams, StreamEvent} from './eventStream.ts'

/** Every result depends on this sync tag, and every change names it. */
const SYNC_TAG = 's1:content'

/**
 * `GET /data/live/events/:dataset`: reports that something changed. Returns a function to call with
 * each transaction, after the store has applied it. https://www.sanity.io/docs/content-lake/live-content-api
 */
export function liveRoute(
  app: FastifyInstance,
  context: LakeContext,
  streams: EventStreams,
  events: LiveEvents,
): (applied: Applied) => void {
  const readers = new Map<EventStream, LivePerspective>()

  app.get('/v:version/data/live/events/:dataset', {config: {access: 'read'}}, async (request, reply) => {
    checkTarget(request, context)
    const includeDrafts = flag(request, 'includeDrafts', false)
    const principal = admitted(request)
    const perspective = includeDrafts ? 'drafts' : 'published'
    const lastEventId = request.headers['last-event-id']
    const stream = streams.open(request, reply, principal)
    const id = events.lastId
    stream.send({event: 'welcome', id, data: {id}})
    if (typeof lastEventId === 'string') {
      const missed = events.missed(lastEventId, perspective)
      if (missed !== undefined) stream.send(missed)
    }
    readers.set(stream, perspective)
    stream.onClose(() => readers.delete(stream))
  })

  return (applied) => {
    const shown = events.add(applied)
    for (const [stream, perspective] of readers) {
      const event = shown[perspective]
      if (event !== undefined) stream.send(event)
    }
  }
}

/** A change of more documents than this is sent as `restart`: a query for what changed since then finds not all of them. */
const MAX_CHANGES = 1_000
/** So is one with an earlier date than this many milliseconds ago, as commits may have: such a query does not find it. */
const RECENT = 60_000

/** The perspective whose changes a stream reports. */
type LivePerspective = 'published' | 'drafts'

/** The events of `/data/live/events`. None are kept: a client that missed some is told that everything may have changed. */
export class LiveEvents {
  /** Distinguishes the ids of this process from those of an earlier one. */
  readonly #run = randomUUID().slice(0, 8)
  readonly #clock: () => number
  #number = 0
  /** How many changes no query by date finds. */
  #undated = 0
  /** The number of the last event that each perspective shows. */
  readonly #last: Record<LivePerspective, number> = {published: 0, drafts: 0}

  /** @param clock milliseconds since 1970 */
  constructor(clock: () => number = Date.now) {
    this.#clock = clock
  }

  /** The id of the last event. */
  get lastId(): string {
    return this.#id(this.#number)
  }

  /** The sync tags of a result. No event names the second one, which is another after each change that no query by date finds. */
  get tags(): string[] {
    return [SYNC_TAG, `s1:undated-${this.#run}-${this.#undated}`]
  }

  /** Adds a transaction, and returns what each perspective shows of it. */
  add({seen: {published, raw, drafts}}: Applied): {readonly [P in LivePerspective]?: StreamEvent} {
    const since = this.#clock() - RECENT
    const isDated = published.every(({after}) => !after || Date.parse(after._updatedAt) >= since)
    const isFound = published.length <= MAX_CHANGES && isDated
    if (!isDated || published.some(({after}) => !after)) this.#undated += 1
    this.#number += 1
    const id = this.lastId
    const event = isFound
      ? {event: 'message', id, data: {id, tags: [SYNC_TAG]}}
      : {event: 'restart', id, data: {id}}
    const isPublished = published.length > 0
    const isSeen = raw.length > 0 || drafts.length > 0
    if (isPublished) this.#last.published = this.#number
    if (isSeen) this.#last.drafts = this.#number
    return {...(isPublished && {published: event}), ...(isSeen && {drafts: event})}
  }

  /** What a client gets that reconnects, and whose last event has this id; undefined if it missed none. */
  missed(lastId: string, perspective: LivePerspective): StreamEvent | undefined {
    const [run, number] = lastId.split('-')
    const isLast =
      run === this.#run && Number(number) >= this.#last[perspective] && Number(number) <= this.#number
    return isLast ? undefined : {event: 'restart', id: this.lastId, data: {id: this.lastId}}
  }

  #id(number: number): string {
    return `${this.#run}-${number}`
  }
}
