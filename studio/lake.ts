import {createClient} from '@sanity/client'
import type {SourceOptions} from 'sanity'
import {withSeen} from './review/seen.ts'
import {sameOriginFetch} from './sameOriginFetch.ts'
import {plainErrors} from './saving/errorWords.ts'
import {outbox} from './saving/outbox.ts'
import {steadyReads} from './saving/steadyReads.ts'
import {browserItems} from './saving/storage.ts'
import {tunnelStreams} from './streams.ts'

/**
 * The configuration that Studio needs to edit the documents of a lake, or of any API without a host name for
 * each project. `unstable_clientFactory` is internal to Sanity, and `useProjectHostname` is deprecated: only
 * this file uses them.
 * @param others further origins that Studio calls
 */
export function lakeOptions(
  apiHost: string,
  projectId: string,
  others: readonly string[],
): Pick<SourceOptions, 'apiHost' | 'auth' | 'unstable_clientFactory'> {
  const page = pageOrigin()
  const {origin} = new URL(apiHost, page ?? 'http://localhost:3333')
  if (origin === page) settleIn(origin, projectId, others)
  return {
    apiHost: origin,
    // The lake has its own login page, and identifies editors by a cookie that scripts cannot read.
    auth: {redirectOnSingle: true, loginMethod: 'cookie'},
    // Reads and saves are repeated until there is a response: see `settleIn`.
    unstable_clientFactory: ({requestHandler: own, ...config}) =>
      createClient({
        ...config,
        apiHost: origin,
        useProjectHostname: false,
        timeout: 0,
        // Studio's own learns from other requests that a session has ended.
        requestHandler: (request, next) =>
          outbox.take(withSeen(request), (left) => (own === undefined ? next(left) : own(left, next))),
      }),
  }
}

/** Undefined in Sanity's command line, which also reads the configuration, with an imitation of a browser. */
function pageOrigin(): string | undefined {
  const isNode = typeof process !== 'undefined' && process.versions?.node !== undefined
  return isNode || typeof location === 'undefined' ? undefined : location.origin
}

/**
 * Prepares the page for a lake that serves it. Not every request uses the client above: Studio has other
 * clients, and calls `fetch` directly. All of them use the page's `fetch`.
 */
function settleIn(origin: string, projectId: string, others: readonly string[]): void {
  const fetch = globalThis.fetch.bind(globalThis)
  const connect = () => new WebSocket(`${origin.replace(/^http/, 'ws')}/_streams`)
  const steady = steadyReads(origin, tunnelStreams(connect, origin, fetch))
  const watched = plainErrors(outbox.watch(origin, steady))
  globalThis.fetch = sameOriginFetch(origin, projectId, watched, others)
  // When its page is left, Studio reports its use, also to a lake that declines such reports.
  navigator.sendBeacon = () => true
  // Suppresses Studio's warning about HTTP/1.1, whose connection limit does not matter here. There is no other way.
  browserItems.setItem('_sanity_debugProtocol', 'h2')
}
