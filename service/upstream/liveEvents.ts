import type {LiveEvent, SanityClient} from '@sanity/client'
import type {FastifyBaseLogger} from 'fastify'
import type {ServiceEvents} from '../events.ts'
import {watchingStream} from './eventStream.ts'

/** What live events ask of the cache of sites. */
export type Purgeable = {
  /** Content behind these tags changed. */
  purgeTags(tags: readonly string[]): void
  /** Anything may have changed while nobody listened. */
  doubtAll(): void
  /** Live events do not arrive: what is in use is compared with the lake. */
  confirmInUse(): void
}

export type FollowOptions = {
  sites: Purgeable
  events: ServiceEvents
  log: FastifyBaseLogger
  /** Milliseconds without a byte after which a stream counts as lost. The lake sends one every ten seconds. */
  silence?: number
  /** Milliseconds between two comparisons while no live events arrive. */
  pollEvery?: number
}

/** Milliseconds between attempts to open a stream, doubled up to the limit. */
const FIRST_RETRY = 1_000
const LAST_RETRY = 30_000

const SILENCE = 30_000
const POLL_EVERY = 5_000

/**
 * Follows the lake's live events and purges what they name, until the returned function is called. A stream that ends,
 * falls silent, is refused or told to go away is asked for again with a growing pause; whatever may have been missed
 * is doubted when the next one has opened. In between, sites in use are compared with the lake again and again.
 */
export function followLiveEvents(
  client: SanityClient,
  {sites, events, log, silence = SILENCE, pollEvery = POLL_EVERY}: FollowOptions,
): () => void {
  let retryTimer: NodeJS.Timeout | undefined
  let pause = FIRST_RETRY
  let isConnected = false
  let stop = () => {}

  function connect(): void {
    let isOver = false
    const end = (reason: string) => {
      if (isOver) return
      stop()
      retry(reason)
    }
    const subscription = watchingStream(client, silence, end)
      .live.events({tag: 'live'})
      .subscribe({
        next: (event) => receive(event, end),
        error: (error) => end(error instanceof Error ? error.message : String(error)),
        complete: () => end('the stream ended'),
      })
    stop = () => {
      isOver = true
      // Within `subscribe`, there is nothing to unsubscribe yet.
      queueMicrotask(() => subscription.unsubscribe())
    }
  }

  function receive(event: LiveEvent, end: (reason: string) => void): void {
    switch (event.type) {
      case 'welcome':
        pause = FIRST_RETRY
        tell(true)
        log.debug('following live events')
        // Also the first one is a gap: events between a first query and this welcome are lost.
        sites.doubtAll()
        return
      case 'message':
        sites.purgeTags(event.tags)
        return
      case 'restart':
        sites.doubtAll()
        return
      case 'reconnect':
        end('the stream was interrupted')
        return
      case 'goaway':
        // The reason arrives in another place than the client's types say, and changes nothing here.
        end('the lake said goaway')
    }
  }

  function retry(reason: string): void {
    const jittered = pause * (0.5 + Math.random() / 2)
    const message = {reason, retryInSeconds: Math.round(jittered / 100) / 10}
    if (pause === FIRST_RETRY) log.warn(message, 'live events stopped')
    else log.debug(message, 'live events still stopped')
    tell(false)
    retryTimer = setTimeout(connect, jittered)
    pause = Math.min(pause * 2, LAST_RETRY)
  }

  function tell(connected: boolean): void {
    if (connected === isConnected) return
    isConnected = connected
    events.emit('live', connected)
  }

  const pollTimer = setInterval(() => {
    if (!isConnected) sites.confirmInUse()
  }, pollEvery)
  connect()
  return () => {
    clearTimeout(retryTimer)
    clearInterval(pollTimer)
    stop()
  }
}
