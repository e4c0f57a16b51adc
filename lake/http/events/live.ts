import {randomUUID} from 'node:crypto'
import type {FastifyInstance} from 'fastify'
import type {Change, Document} from '../../../content/document.ts'
import {isVersionId, publishedId} from '../../../content/ids.ts'
import type {Applied} from '../../../content/store.ts'
import {type SyncTag, tagsOfChanges} from '../../query/tags.ts'
import {admitted} from '../gate.ts'
import {checkTarget, flag, type LakeContext} from '../request.ts'
import type {EventStream, EventStreams, StreamEvent} from './eventStream.ts'

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

/** Events that are kept for clients that reconnect. */
const KEPT_EVENTS = 1_000
/** A change with more tags than this is sent as `restart`: everything may have changed. */
const MAX_TAGS = 1_000
/** So is one with an earlier date than this many milliseconds ago, as commits may have: a query for what changed since then does not find it. */
const RECENT = 60_000

/** The perspective whose changes a stream reports. */
type LivePerspective = (typeof PERSPECTIVES)[number]
const PERSPECTIVES = ['published', 'drafts'] as const

type Kept = {readonly number: number} & Readonly<Record<LivePerspective, LiveTags>>
/** The tags of a change; empty if nothing visible changed; undefined if there are too many. */
type LiveTags = readonly SyncTag[] | undefined

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
  add({seen}: Applied): void {
    const since = this.#clock() - RECENT
    const isDated = seen.published.every(({after}) => !after || Date.parse(after._updatedAt) >= since)
    const published = isDated ? tagsOfChanges(seen.published, MAX_TAGS) : undefined
    const drafts = tagsOfChanges([...seen.raw, ...seen.raw.flatMap(overlaid), ...seen.drafts], MAX_TAGS)
    this.#number += 1
    const kept: Kept = {number: this.#number, published, drafts}
    this.#kept.push(kept)
    for (const perspective of PERSPECTIVES)
      if (kept[perspective]?.length !== 0) this.#last[perspective] = this.#number
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
    if (!known) return [this.#restart(this.#number)]
    const events: StreamEvent[] = []
    for (const kept of this.#kept.slice(number - oldest + 1)) {
      const tags = kept[perspective]
      if (tags === undefined) events.push(this.#restart(kept.number))
      else if (tags.length > 0) {
        events.push({event: 'message', id: this.#id(kept.number), data: {id: this.#id(kept.number), tags}})
      }
    }
    return events
  }

  #restart(number: number): StreamEvent {
    return {event: 'restart', id: this.#id(number), data: {id: this.#id(number)}}
  }

  #id(number: number): string {
    return `${this.#run}-${number}`
  }
}

/** The change of a version as a perspective with its release shows it: with the published id. */
function overlaid({id, before, after}: Change): Change[] {
  if (!isVersionId(id)) return []
  const shown = (document: Document) => ({...document, _id: publishedId(id)})
  return [{id, before: before && shown(before), after: after && shown(after)}]
}
