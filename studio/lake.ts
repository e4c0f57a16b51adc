import {createClient} from '@sanity/client'
import type {SourceOptions} from 'sanity'
import {tunnelStreams} from './streams.ts'

/**
 * What Studio needs to edit the documents of a lake, or of any API that has no host name for each project.
 * `unstable_clientFactory` and `resolveFetch` are internal to Sanity: they are used in this file alone.
 */
export function lakeOptions(apiHost: string): Pick<SourceOptions, 'apiHost' | 'unstable_clientFactory'> {
  const page = pageOrigin()
  const {origin} = new URL(apiHost, page)
  const servesThisPage = origin === page
  if (servesThisPage) hideProtocolWarning()
  const fetch = servesThisPage
    ? tunnelStreams(`${origin.replace(/^http/, 'ws')}/_streams`, origin)
    : undefined
  return {
    apiHost: origin,
    unstable_clientFactory: (config) =>
      createClient({
        ...config,
        apiHost: origin,
        useProjectHostname: false,
        ...(fetch === undefined ? {} : {resolveFetch: () => fetch}),
      }),
  }
}

/** Sanity's command line reads the configuration too, and has no page. */
function pageOrigin(): string {
  return typeof location === 'undefined' ? 'http://localhost:3333' : location.origin
}

/** Studio warns of HTTP/1.1, whose few connections are no hindrance here. It offers no other way to say so. */
function hideProtocolWarning(): void {
  try {
    if (typeof localStorage !== 'undefined') localStorage.setItem('_sanity_debugProtocol', 'h2')
  } catch {
    // Storage is forbidden: the warning shows, and does no harm.
  }
}
