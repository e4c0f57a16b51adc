import {createClient, type SanityClient} from '@sanity/client'
import type {ServiceSettings} from '../settings.ts'
import {UpstreamToken} from './upstreamToken.ts'

/** The version of Sanity's API that the service was written against. */
const API_VERSION = '2025-02-19'

type ClientSettings = Pick<ServiceSettings, 'projectId' | 'dataset' | 'apiHost' | 'apiToken'> &
  Partial<Pick<ServiceSettings, 'serviceTokenFile'>>

/**
 * A client of the Content Lake that `settings` names: the embedded one, any other address, or Sanity's own.
 * @param onProblem told what to do when upstream refuses the service's token.
 */
export function createLakeClient(
  settings: ClientSettings,
  onProblem: (message: string) => void = () => {},
): SanityClient {
  const client = createClient({
    projectId: settings.projectId,
    dataset: settings.dataset,
    apiVersion: API_VERSION,
    // Freshness comes from our own cache and its purges; Sanity's CDN would add a second, unseen one.
    useCdn: false,
    perspective: 'published',
    // Stega hides source maps in strings, which would end up in tool names and scripts.
    stega: false,
    requestTagPrefix: 'handrail',
    // The gate decides when the lake is asked again; the client would, five times, whatever `Retry-After` says.
    maxRetries: 0,
    ...(settings.apiToken === undefined ? {} : {token: settings.apiToken, ignoreBrowserTokenWarning: true}),
    ...(settings.apiHost === undefined ? {} : {apiHost: settings.apiHost, useProjectHostname: false}),
  })
  const {resolveFetch} = client.config()
  const {apiHost, apiToken} = settings
  const token = new UpstreamToken({
    // Hosted Sanity takes the client's own way of sending it.
    token: apiHost === undefined ? undefined : apiToken,
    file: apiToken === undefined ? settings.serviceTokenFile : undefined,
    onProblem,
  })
  return client.withConfig({
    resolveFetch: (proxy) => token.authorize(resolveFetch?.(proxy) ?? globalThis.fetch),
  })
}

/**
 * Lets a query fail before anybody waits: the client looks at the stack of its first failure, and where sources are
 * mapped, the maps are read then, for a tenth of a second. No request is sent.
 */
export async function failOnce(client: SanityClient): Promise<void> {
  await client.fetch('null', {}, {signal: AbortSignal.abort()}).catch(() => {})
}
