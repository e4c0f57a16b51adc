import {tokenInSnippet} from '../../advice/originTrial.ts'
import {isRecord} from '../../schemas/record.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {servedIn} from '../../schemas/served.ts'
import {serviceOrigin} from '../running.ts'
import type {SnippetBuild} from './tags.ts'

/** Timeout of requests to the service, in milliseconds. */
const MAX_WAIT = 5_000

/**
 * Fetches the snippet and computes the values for a tag.
 * @throws Error in words for an editor
 */
export async function fetchSnippetBuild(signal: AbortSignal): Promise<SnippetBuild> {
  const response = await fetchSnippet(signal)
  if (!isSecureContext) {
    throw new Error(
      'Browsers compute it only on pages from https: or localhost. Open Studio at such an address.',
    )
  }
  const bytes = await response.arrayBuffer()
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-384', bytes))
  return {
    hash: Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join(''),
    integrity: `sha384-${btoa(String.fromCharCode(...digest))}`,
  }
}

/**
 * Fetches the origin trial token that the snippet adds to pages.
 * @returns undefined if the service has none.
 * @throws Error in words for an editor
 */
export async function fetchTrialToken(signal: AbortSignal): Promise<string | undefined> {
  const response = await fetchSnippet(signal)
  return tokenInSnippet(await response.text())
}

/**
 * Fetches the names of the tools and form tools that the service serves for a page, sorted.
 * @throws Error in words for an editor
 */
export async function fetchServed(publicId: string, path: string, signal: AbortSignal): Promise<string[]> {
  const route = `config?path=${encodeURIComponent(path)}&check=1`
  const config = await fetchFromSite(publicId, route, signal, isRecord)
  return servedIn(config)
    .map(({name}) => name)
    .sort()
}

/**
 * Asks whether a page has used a preview link.
 * @param code of the link
 * @returns the origin of the page; undefined if none has used it.
 * @throws Error in words for an editor
 */
export async function fetchOpened(
  publicId: string,
  code: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const {origin} = await fetchFromSite(publicId, 'preview/opened', signal, isRecord, code)
  return typeof origin === 'string' ? origin : undefined
}

/**
 * Fetches what the service tells about a site.
 * @param route below the site's own URL
 * @param isBody whether a body is what is asked for
 * @param code of a preview secret. Undefined: everybody may ask for it.
 * @throws Error in words for an editor
 */
export async function fetchFromSite<Body>(
  publicId: string,
  route: string,
  signal: AbortSignal,
  isBody: (body: unknown) => body is Body,
  code?: string,
): Promise<Body> {
  const headers = code === undefined ? {} : {authorization: `Bearer ${code}`}
  const response = await ask(`/api/sites/${encodeURIComponent(publicId)}/${route}`, signal, headers)
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok && isBody(body)) return body
  if (response.status === 404 && code === undefined) {
    throw new Error(
      'The service does not know this site. It receives changes within seconds; if this message stays, the service reads other content than this Studio.',
    )
  }
  const problem = isRecord(body) && isRecord(body.error) ? textOf(body.error.message) : ''
  throw problem === '' ? notTheService(response) : new Error(`The service reports: ${problem}`)
}

async function fetchSnippet(signal: AbortSignal): Promise<Response> {
  const response = await ask('/snippet.js', signal)
  if (response.ok && (response.headers.get('content-type') ?? '').startsWith('text/javascript'))
    return response
  throw notTheService(response)
}

async function ask(path: string, signal: AbortSignal, headers: Record<string, string> = {}) {
  try {
    return await fetch(serviceOrigin + path, {
      headers,
      // A cached response may not be what the service serves now.
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT)]),
    })
  } catch (cause) {
    throw new Error(
      `The service is not reachable at ${serviceOrigin}. Check that it is running, and that SERVICE_ORIGIN is its address.`,
      {cause},
    )
  }
}

function notTheService({status}: Response): Error {
  return new Error(`Another server responds at ${serviceOrigin} (status ${status}).`)
}
