import type {LiveEvent, SanityClient} from '@sanity/client'
import type {FastifyBaseLogger} from 'fastify'

/** What live events ask of the cache of sites. */
export type Purgeable = {
  /** Content behind these tags changed. */
  purgeTags(tags: readonly string[]): void
  /** Anything may have changed while nobody listened. */
  doubtAll(): void
}

/** Milliseconds between attempts after the lake has ended the stream for good, doubled up to the limit. */
const FIRST_RETRY = 1_000
const LAST_RETRY = 60_000

/**
 * Follows the lake's live events and purges what they name, until the returned function is called.
 * The client reconnects by itself after a broken connection; a stream that is refused or told to go away is
 * asked for again here, with a growing pause. In between, revalidation by age finds the changes.
 */
export function followLiveEvents(client: SanityClient, sites: Purgeable, log: FastifyBaseLogger): () => void {
  let retryTimer: NodeJS.Timeout | undefined
  let pause = FIRST_RETRY
  let welcomed = false
  let connection: {unsubscribe(): void} | undefined

  function connect(): void {
    connection = client.live.events({tag: 'live'}).subscribe({
      next: (event) => receive(event),
      error: (error) => retry(error instanceof Error ? error.message : String(error)),
      complete: () => retry('the stream ended'),
    })
  }

  function receive(event: LiveEvent): void {
    switch (event.type) {
      case 'welcome':
        // A first welcome is no gap: whatever is cached by then was fetched a moment ago, but events between
        // that fetch and this welcome may be lost all the same.
        sites.doubtAll()
        pause = FIRST_RETRY
        log.debug({again: welcomed}, 'following live events')
        welcomed = true
        return
      case 'message':
        sites.purgeTags(event.tags)
        return
      case 'restart':
        sites.doubtAll()
        return
      case 'reconnect':
        log.info('live events interrupted, reconnecting')
        return
      case 'goaway':
        // The reason arrives in another place than the client's types say, and changes nothing here.
        retry('the lake said goaway')
    }
  }

  function retry(reason: string): void {
    connection?.unsubscribe()
    const jittered = pause * (0.5 + Math.random() / 2)
    log.warn({reason, retryInSeconds: Math.round(jittered / 1000)}, 'live events stopped')
    retryTimer = setTimeout(connect, jittered)
    pause = Math.min(pause * 2, LAST_RETRY)
  }

  connect()
  return () => {
    clearTimeout(retryTimer)
    connection?.unsubscribe()
  }
}
