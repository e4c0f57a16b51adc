import {createClient, type SanityClient} from '@sanity/client'
import type {DatasetSettings} from '../../common/datasetSettings.ts'
import {errorMessage} from '../../common/errorMessage.ts'
import {readServiceToken} from '../../common/serviceToken.ts'
import {createTransport, type Transport} from './transport.ts'

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

type UpstreamTokenOptions = {
  /** The token from the settings. */
  readonly token: string | undefined
  /** The file where a local lake stores a token for the service, in place of one from the settings. */
  readonly file: string | undefined
  /** Called with instructions for the operator, once until requests are accepted again. */
  readonly onProblem: (message: string) => void
}

/**
 * Wraps a transport so that it sends the service's token with each request. For live events of published content,
 * `@sanity/client` sends none, but a lake and a private dataset require one. A token file may appear or change while the service runs, so it
 * is read again whenever upstream returns 401.
 */
function withToken(transport: Transport, {token, file, onProblem}: UpstreamTokenOptions): Transport {
  let known = token
  let isRead = file === undefined
  let told: string | undefined

  function tell(message: string): void {
    if (message !== told) onProblem(message)
    told = message
  }

  async function read(): Promise<void> {
    isRead = true
    if (file === undefined) return
    known = undefined
    try {
      known = await readServiceToken(file)
    } catch (error) {
      tell(errorMessage(error))
    }
  }

  return async (url, init) => {
    const send = async () => {
      const headers = new Headers(init?.headers)
      if (known !== undefined) headers.set('authorization', `Bearer ${known}`)
      return transport(url, {...init, headers})
    }
    if (!isRead) await read()
    const sent = known
    let response = await send()
    if (response.status === 401) {
      await read()
      if (known !== sent) {
        await response.body?.cancel()
        response = await send()
      }
    }
    if (response.status !== 401) told = undefined
    else if (file === undefined) tell(WRONG_TOKEN)
    else if (told === undefined) tell(wrongFile(file))
    return response
  }
}

const WRONG_TOKEN =
  'The content lake rejected the service’s token, or requires one: set SANITY_API_TOKEN to a token that may read. If you run your own lake, give it the same setting'

function wrongFile(file: string): string {
  return `The content lake rejected the service: ${file} contains no token that it accepts. Start both in the same folder or with the same CONTENT_DIR, or set SANITY_API_TOKEN for both`
}
