import {randomUUID} from 'node:crypto'
import type {FastifyInstance} from 'fastify'
import type {Applied} from '../../../content/store.ts'
import {admitted} from '../gate.ts'
import {checkTarget, flag, type LakeContext} from '../request.ts'
import type {EventStream, EventStreams, StreamEvent} from './eventStream.ts'

/** The only sync tag: every result depends on it, and every change names it. */
export const SYNC_TAG = 's1:content'

/**
 * `GET /data/live/events/:dataset`: reports that something changed. The comments that keep a stream open carry
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

/** Events that are kept for clients that reconnect. */
const KEPT_EVENTS = 1_000
/** A change of more documents than this is sent as `restart`: a query for what changed since then finds not all of them. */
const MAX_CHANGES = 1_000
/** So is one with an earlier date than this many milliseconds ago, as commits may have: such a query does not find it. */
const RECENT = 60_000

/** The perspective whose changes a stream reports. */
type LivePerspective = (typeof PERSPECTIVES)[number]
const PERSPECTIVES = ['published', 'drafts'] as const

/** What a perspective shows of a change; undefined: nothing. */
type Shown = 'message' | 'restart' | undefined
type Kept = {readonly number: number} & Readonly<Record<LivePerspective, Shown>>

/** The events of `/data/live/events`. The most recent ones are kept for clients that reconnect. */
export class LiveEvents {
  /** Distinguishes the ids of this process from those of an earlier one. */
  readonly #run = randomUUID().slice(0, 8)
  readonly #clock: () => number
  readonly #kept: Kept[] = []
  #number = 0
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

  /** Adds a transaction. */
  add({seen: {published, raw, drafts}}: Applied): void {
    const since = this.#clock() - RECENT
    const isFound =
      published.length <= MAX_CHANGES &&
      published.every(({after}) => !after || Date.parse(after._updatedAt) >= since)
    const isSeen = raw.length > 0 || drafts.length > 0
    this.#number += 1
    const kept: Kept = {
      number: this.#number,
      published: published.length === 0 ? undefined : isFound ? 'message' : 'restart',
      drafts: isSeen ? (isFound ? 'message' : 'restart') : undefined,
    }
    this.#kept.push(kept)
    for (const perspective of PERSPECTIVES)
      if (kept[perspective] !== undefined) this.#last[perspective] = this.#number
    if (this.#kept.length > KEPT_EVENTS) this.#kept.shift()
  }

  /** The id of the last event that a stream shows which began after the event with the id `first`. */
  lastIdSince(first: string, perspective: LivePerspective): string {
    return this.#id(Math.max(Number(first.split('-')[1]), this.#last[perspective]))
  }

  /** The events after the one with this id; a single `restart` if that event is no longer known. */
  since(lastId: string, perspective: LivePerspective): StreamEvent[] {
    const [run, text = ''] = lastId.split('-')
    const number = Number(text)
    const oldest = this.#kept[0]?.number ?? this.#number + 1
    const known =
      run === this.#run && String(number) === text && number <= this.#number && number >= oldest - 1
    if (!known) return [this.#event('restart', this.#number)]
    return this.#kept.slice(number - oldest + 1).flatMap((kept) => {
      const shown = kept[perspective]
      return shown === undefined ? [] : [this.#event(shown, kept.number)]
    })
  }

  #event(event: 'message' | 'restart', number: number): StreamEvent {
    const id = this.#id(number)
    return {event, id, data: event === 'message' ? {id, tags: [SYNC_TAG]} : {id}}
  }

  #id(number: number): string {
    return `${this.#run}-${number}`
  }
}
