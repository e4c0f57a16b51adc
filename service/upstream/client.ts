import {createClient, type SanityClient} from '@sanity/client'
import type {DatasetSettings} from '../../common/datasetSettings.ts'
import {createTransport} from './transport.ts'
import {withToken} from './upstreamToken.ts'

/** The Sanity API version that the service uses. */
const API_VERSION = '2025-02-19'

/**
 * Creates a client for the Content Lake in `settings`: the embedded lake, another address or hosted Sanity.
 * @param onProblem called with instructions for the operator when upstream rejects the service's token.
 */
export function createUpstreamClient(
  settings: DatasetSettings,
  onProblem: (message: string) => void = () => {},
): SanityClient {
  const {apiHost, apiToken} = settings
  const transport = withToken(createTransport(), {
    token: apiToken,
    file: apiToken === undefined ? settings.serviceTokenFile : undefined,
    onProblem,
  })
  return createClient({
    projectId: settings.projectId,
    dataset: settings.dataset,
    apiVersion: API_VERSION,
    // We have our own cache with its own invalidation. Sanity's CDN would add a second one that we cannot
    // invalidate.
    useCdn: false,
    perspective: 'published',
    // Stega embeds source maps in strings, which would end up in tool names and scripts.
    stega: false,
    requestTagPrefix: 'handrail',
    // The circuit breaker handles retries. The client would retry five times and ignore `Retry-After`.
    maxRetries: 0,
    // Each query has a signal that ends it in time.
    timeout: 0,
    resolveFetch: () => transport,
    ...(apiHost === undefined ? {} : {apiHost, useProjectHostname: false}),
  })
}
