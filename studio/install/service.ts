import {tokenInSnippet} from '../../schemas/agents/originTrial.ts'
import {isRecord} from '../../schemas/rules/json.ts'
import type {SnippetBuild} from './tags.ts'

/** Timeout of requests to the service, in milliseconds. */
const MAX_WAIT = 5_000

/** The names of the tools that the service serves for a page. */
export type Served = {tools: string[]; formTools: string[]}

/**
 * Fetches the snippet and computes the values for a tag.
 * @throws Error in words for an editor
 */
export async function fetchSnippetBuild(origin: string, signal: AbortSignal): Promise<SnippetBuild> {
  const response = await askForSnippet(origin, signal)
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
export async function fetchTrialToken(origin: string, signal: AbortSignal): Promise<string | undefined> {
  const response = await askForSnippet(origin, signal)
  return tokenInSnippet(await response.text())
}

/**
 * Fetches the config of a page, like the snippet.
 * @throws Error in words for an editor
 */
export async function fetchServed(
  origin: string,
  publicId: string,
  path: string,
  signal: AbortSignal,
): Promise<Served> {
  const url = `${origin}/api/sites/${encodeURIComponent(publicId)}/config?path=${encodeURIComponent(path)}&check=1`
  const response = await ask(url, origin, signal)
  const body: unknown = await response.json().catch(() => undefined)
  if (response.status === 404) {
    throw new Error(
      'The service does not know this site. It receives changes within seconds; if this message stays, the service reads other content than this Studio.',
    )
  }
  const tools = namesIn(body, 'tools')
  const formTools = namesIn(body, 'formTools')
  if (response.ok && tools && formTools) return {tools, formTools}
  throw failureOf(origin, response, body)
}

/**
 * Asks whether a page has used a preview link.
 * @param code of the link
 * @returns the origin of the page; undefined if none has used it.
 * @throws Error in words for an editor
 */
export async function fetchOpened(
  origin: string,
  publicId: string,
  code: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const path = 'preview/opened'
  return (await fetchFromSite<{origin?: string}>(origin, publicId, path, code, signal)).origin
}

/**
 * Fetches what the service tells those who have the code of a preview secret.
 * @param route below the site's own URL
 * @throws Error in words for an editor
 */
export async function fetchFromSite<Body>(
  origin: string,
  publicId: string,
  route: string,
  code: string,
  signal: AbortSignal,
): Promise<Body> {
  const url = `${origin}/api/sites/${encodeURIComponent(publicId)}/${route}`
  const response = await ask(url, origin, signal, {authorization: `Bearer ${code}`})
  const body = await response.json().catch(() => undefined)
  if (!response.ok || body === undefined) throw failureOf(origin, response, body)
  return body
}

async function askForSnippet(origin: string, signal: AbortSignal): Promise<Response> {
  const response = await ask(`${origin}/snippet.js`, origin, signal)
  if (response.ok && (response.headers.get('content-type') ?? '').startsWith('text/javascript'))
    return response
  throw notTheService(origin, response)
}

async function ask(
  url: string,
  origin: string,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<Response> {
  try {
    return await fetch(url, {
      headers,
      // A cached response may not be what the service serves now.
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT)]),
    })
  } catch (cause) {
    throw new Error(
      `The service is not reachable at ${origin}. Check that it is running, and that SERVICE_ORIGIN is its address.`,
      {cause},
    )
  }
}

function failureOf(origin: string, response: Response, body: unknown): Error {
  const problem = problemIn(body)
  return problem === undefined
    ? notTheService(origin, response)
    : new Error(`The service reports: ${problem}`)
}

function notTheService(origin: string, {status}: Response): Error {
  return new Error(`Another server responds at ${origin} (status ${status}).`)
}

function namesIn(body: unknown, member: string): string[] | undefined {
  const list = memberOf(body, member)
  if (!Array.isArray(list)) return undefined
  return list.map((item) => memberOf(item, 'name')).filter((name) => typeof name === 'string')
}

function problemIn(body: unknown): string | undefined {
  const message = memberOf(memberOf(body, 'error'), 'message')
  return typeof message === 'string' ? message : undefined
}

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined
}
