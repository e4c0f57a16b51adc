import {createClient} from '@sanity/client'
import type {SourceOptions} from 'sanity'
import {sameOriginFetch} from './sameOriginFetch.ts'
import {tunnelStreams} from './streams.ts'

/**
 * What Studio needs to edit the documents of a lake, or of any API that has no host name for each project.
 * `unstable_clientFactory` is internal to Sanity, and `useProjectHostname` is deprecated: only this file uses them.
 * @param others origins that Studio calls besides
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
    // The lake has a login page of its own, and knows editors by a cookie that no script can read.
    auth: {redirectOnSingle: true, loginMethod: 'cookie'},
    unstable_clientFactory: (config) => createClient({...config, apiHost: origin, useProjectHostname: false}),
  }
}

/** Undefined for Sanity's command line, which reads the configuration too. */
function pageOrigin(): string | undefined {
  return typeof location === 'undefined' ? undefined : location.origin
}

/**
 * Prepares the page for a lake that serves it. Not every request takes the client above: Studio has others, and calls
 * `fetch` itself. All go through the page's `fetch`.
 */
function settleIn(origin: string, projectId: string, others: readonly string[]): void {
  const fetch = globalThis.fetch.bind(globalThis)
  const connect = () => new WebSocket(`${origin.replace(/^http/, 'ws')}/_streams`)
  globalThis.fetch = sameOriginFetch(origin, projectId, tunnelStreams(connect, origin, fetch), others)
  try {
    // Studio warns of HTTP/1.1, whose few connections are no hindrance here. It offers no other way to say so.
    localStorage.setItem('_sanity_debugProtocol', 'h2')
  } catch {
    // Storage is forbidden: the warning shows, and does no harm.
  }
}
