import type {LiveEvent, SanityClient} from '@sanity/client'
import type {FastifyBaseLogger} from 'fastify'
import type {ServiceEvents} from '../events.ts'
import {watchingStream} from './eventStream.ts'

/** The cache operations that live events trigger. */
export type Purgeable = {
  /** Content with these sync tags changed. */
  purgeTags(tags: readonly string[]): void
  /** Any site may have changed while the stream was disconnected. */
  doubtAll(): void
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

/** Initial and maximum delay before reconnecting, in milliseconds. Doubles each time. */
const FIRST_RETRY = 1_000
const LAST_RETRY = 30_000

const SILENCE = 30_000
const POLL_EVERY = 5_000

/**
 * Subscribes to live events and invalidates the content they name, until the returned function is called. A
 * stream that ends, falls silent, is refused or receives `goaway` is reopened with increasing delays. After
 * each reconnect, all sites are revalidated, because changes may have been missed. While disconnected, the
 * sites in use are revalidated at intervals.
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
      // Inside `subscribe`, the subscription does not exist yet.
      queueMicrotask(() => subscription.unsubscribe())
    }
  }

  function receive(event: LiveEvent, end: (reason: string) => void): void {
    switch (event.type) {
      case 'welcome':
        pause = FIRST_RETRY
        tell(true)
        log.debug('following live events')
        // Needed for the first connection too: events between the first query and this `welcome` are lost.
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
        // The client's types are wrong about where the reason is. It is not needed here.
        end('the content lake sent goaway')
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
