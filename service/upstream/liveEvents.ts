import timers from 'node:timers/promises'
import type {SanityClient} from '@sanity/client'
import type {EventSourceMessage} from 'eventsource-parser'
import type {FastifyBaseLogger} from 'fastify'
import {backoffDelay} from '../../common/backoff.ts'
import type {ServiceEvents} from '../events.ts'
import {readEventStream} from './eventStream.ts'
import {areStrings} from './responses.ts'
import {reasonOf} from './upstreamFailure.ts'

/** The cache operations that live events trigger. */
export type Purgeable = {
  /** Content with these sync tags changed. */
  invalidateTags(tags: readonly string[]): void
  /** Any site may have changed while the stream was disconnected. */
  markAllUnverified(): void
  /** Revalidates the sites in use, while live events are disconnected. */
  confirmInUse(): void
}

export type FollowOptions = {
  sites: Purgeable
  events: ServiceEvents
  log: FastifyBaseLogger
  /**
   * Time without a byte after which a stream counts as lost, in milliseconds. Upstream sends a byte every ten
   * seconds.
   */
  silence?: number
  /** Interval between revalidations while live events are disconnected, in milliseconds. */
  pollEvery?: number
}

/** Back-off before reconnecting, in milliseconds. */
const BACKOFF = {first: 1_000, longest: 30_000}

/** Events that Sanity sends before it closes a stream. */
const ENDINGS: ReadonlySet<string | undefined> = new Set(['goaway', 'disconnect', 'channelError', 'error'])

const SILENCE = 30_000
const POLL_EVERY = 5_000

/**
 * Follows live events and invalidates the content they name, until the returned function is called. A stream
 * that ends, falls silent or is refused is reopened with increasing delays. After each reconnect, all sites
 * are revalidated, because changes may have been missed. While disconnected, the sites in use are revalidated
 * at intervals.
 */
export function followLiveEvents(
  client: SanityClient,
  {sites, events, log, silence = SILENCE, pollEvery = POLL_EVERY}: FollowOptions,
): () => void {
  const stopping = new AbortController()
  const {signal} = stopping
  let failures = 0
  let isConnected = false

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      const reason = await readUntilEnd()
      if (signal.aborted) return
      failures += 1
      const delay = backoffDelay(failures, BACKOFF)
      const message = {reason, retryInSeconds: Math.round(delay / 100) / 10}
      if (failures === 1) log.warn(message, 'live events stopped')
      else log.debug(message, 'live events still stopped')
      tell(false)
      await timers.setTimeout(delay, undefined, {signal}).catch(() => {})
    }
  }

  /** Follows one stream. Returns the reason for its end. */
  async function readUntilEnd(): Promise<string> {
    try {
      for await (const event of readEventStream(client, silence, signal)) {
        if (ENDINGS.has(event.event)) return `the content lake sent ${event.event}`
        receive(event)
      }
      return 'the stream ended'
    } catch (error) {
      return reasonOf(error)
    }
  }

  function receive({event = 'message', data}: EventSourceMessage): void {
    if (event === 'welcome') {
      failures = 0
      tell(true)
      log.debug('following live events')
      // Needed for the first connection too: events between the first query and this `welcome` are lost.
      sites.markAllUnverified()
    } else if (event === 'message') {
      const tags = tagsOf(data)
      if (tags) sites.invalidateTags(tags)
      else sites.markAllUnverified()
    } else if (event === 'restart') sites.markAllUnverified()
  }

  function tell(connected: boolean): void {
    if (connected === isConnected) return
    isConnected = connected
    events.emit('live', connected)
  }

  const pollTimer = setInterval(() => {
    if (!isConnected) sites.confirmInUse()
  }, pollEvery)
  // Never rejects: the reason for the end of a stream is a value.
  void follow()
  return () => {
    clearInterval(pollTimer)
    stopping.abort()
  }
}

/** The sync tags of a message. `undefined` if it has none: then anything may have changed. */
function tagsOf(data: string): string[] | undefined {
  try {
    const message: unknown = JSON.parse(data)
    const hasTags = typeof message === 'object' && message !== null && 'tags' in message
    return hasTags && areStrings(message.tags) ? message.tags : undefined
  } catch {
    return undefined
  }
}
