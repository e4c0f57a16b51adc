import timers from 'node:timers/promises'
import type {SanityClient} from '@sanity/client'
import type {EventSourceMessage} from 'eventsource-parser'
import type {FastifyBaseLogger} from 'fastify'
import {inBackground} from '../../common/background.ts'
import {type BackoffLimits, backoffDelay} from '../../common/backoff.ts'
import type {ServiceEvents} from '../events.ts'
import {MAX_SILENCE, readEventStream} from '../upstream/eventStream.ts'
import {messagesIn} from '../upstream/upstreamFailure.ts'
import type {Revalidation} from './revalidation.ts'

export type FollowOptions = {
  readonly listener: Pick<Revalidation, 'changed' | 'setConnected' | 'signOfLife' | 'wake' | 'keepFresh'>
  readonly events: ServiceEvents
  readonly log: FastifyBaseLogger
  /** See `MAX_SILENCE`. */
  readonly silence?: number
  /** Interval between calls of `keepFresh`, in milliseconds. */
  readonly keepFreshEvery?: number | undefined
  /** See `BACKOFF`. */
  readonly backoff?: BackoffLimits | undefined
}

/** Back-off before reconnecting, in milliseconds. */
const BACKOFF: BackoffLimits = {first: 1_000, longest: 30_000}

/** Events that Sanity sends before it closes a stream. */
const ENDINGS: ReadonlySet<string | undefined> = new Set(['goaway', 'disconnect', 'channelError', 'error'])

const KEEP_FRESH_EVERY = 5_000

/**
 * Follows live events until the returned function is called: each says that something changed. A stream that ends, falls
 * silent or is refused is reopened with increasing delays.
 */
export function followLiveEvents(
  client: SanityClient,
  {
    listener,
    events,
    log,
    silence = MAX_SILENCE,
    keepFreshEvery = KEEP_FRESH_EVERY,
    backoff = BACKOFF,
  }: FollowOptions,
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
      const delay = backoffDelay(failures, backoff)
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
      for await (const item of readEventStream(client, silence, signal)) {
        if (item !== 'comment') {
          if (ENDINGS.has(item.event)) return `the content lake sent ${item.event}`
          receive(item)
        }
        // Afterwards: what an event touches was not valid until now.
        listener.signOfLife()
      }
      return 'the stream ended'
    } catch (error) {
      return messagesIn(error)
    }
  }

  function receive({event = 'message'}: EventSourceMessage): void {
    if (event === 'welcome') {
      failures = 0
      listener.setConnected(true)
      tell(true)
      log.debug('following live events')
    } else if (event === 'message') listener.changed()
    else if (event === 'restart') listener.wake('any')
  }

  function tell(connected: boolean): void {
    if (connected === isConnected) return
    isConnected = connected
    if (!connected) listener.setConnected(false)
    events.emit('live', connected)
  }

  const onFailure = (error: unknown) => events.emit('workFailed', error)
  const keepFreshTimer = setInterval(
    () => void inBackground(() => listener.keepFresh(), {onFailure}),
    keepFreshEvery,
  )
  void inBackground(follow, {onFailure, retry: {...backoff, signal}})
  return () => {
    clearInterval(keepFreshTimer)
    stopping.abort()
  }
}
