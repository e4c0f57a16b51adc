import {TIMEOUT} from './limits.ts'
import {messageOf} from './messageOf.ts'
import {clearTimeout, fetch, PagePromise, parse, setTimeout} from './page.ts'
import type {ToolFunction} from './webmcp.ts'

/** The service's response for one path (`GET /api/sites/:publicId/config`). */
export type Config = {
  tag: string | null | undefined
  tools: Tool[]
  formTools: FormTool[]
  /** What the page decides about, in `conditions/`. */
  conditional?: {readonly tools: readonly Tool[]; readonly formTools: readonly FormTool[]} | undefined
  /** When a tool comes or goes next, in ISO 8601, and when each one goes, in milliseconds since 1970. `conditions/` follows them. */
  changesAt?: string
  ends?: readonly (readonly [name: string, end: number])[]
  /** Seconds until the next poll. */
  pollInterval: number
}

/** Selectors of what the page must have, and must not have. */
export type OfferedWhile = {readonly has?: readonly string[]; readonly hasNot?: readonly string[]}

/** Members that are not listed here are passed to the browser unchanged. */
export type Tool = {
  id: string
  name: string
  executeJs: string
  exposedTo?: readonly string[]
  /** The compiled function of `executeJs`, after the first call. */
  run?: ToolFunction
  offeredWhile?: OfferedWhile
  texts?: LanguageTexts[]
  [member: string]: unknown
}

export type FormTool = {
  name: string
  description: string
  selector: string
  autosubmit?: unknown
  reportCalls?: unknown
  fields?: FormField[]
  offeredWhile?: OfferedWhile
  texts?: LanguageTexts[]
}

/** The texts of a tool in another language. What is missing is as in the tool. */
export type LanguageTexts = {
  readonly language: string
  readonly title?: string
  readonly description?: string
  readonly parameters?: readonly {readonly name: string; readonly description: string}[]
}

/** What agents learn about the controls of a form that have this name. */
type FormField = {name: string; title?: string; description?: string}

/** Why there is no config. `retryAfter`: the delay in seconds that the service requests, 0 or NaN if it does not. */
export type Failure = {error: string; retryAfter?: number}

/**
 * Fetches a config in a way that works on any page: without credentials for another origin, as `<link rel=preload
 * as=fetch crossorigin>` does, and without headers that require a preflight. With `no-cache` the browser revalidates its cached response itself, so an unchanged config costs
 * one 304.
 * @param tag of the config that is already applied.
 * @returns undefined if the tag is still the same.
 */
export async function fetchConfig(
  url: string,
  cache: RequestCache,
  tag: Config['tag'],
  attempt: AbortController,
): Promise<Config | Failure | undefined> {
  const {signal} = attempt
  const timer = setTimeout(() => attempt.abort('timeout'), TIMEOUT)
  try {
    const response = await new PagePromise<Response>((resolve, reject) => {
      // A page's own `fetch` may wait, for example for consent, and ignore the signal.
      signal.onabort = () => reject(signal.reason)
      fetch(url, {cache, signal}).then(resolve, reject)
    })
    const {ok, status, headers} = response
    const text = await response.text()
    if (!ok) {
      return {error: `status ${status}`, retryAfter: Number(headers.get('retry-after'))}
    }
    const newTag = headers.get('etag')
    return newTag && newTag === tag ? undefined : parseConfig(text, newTag)
  } catch (error) {
    return {error: messageOf(error)}
  } finally {
    clearTimeout(timer)
  }
}

/** @throws if the text is not a config. The service has parsed what is in it. */
export function parseConfig(text: string, tag: Config['tag']): Config {
  const config: Config | null = parse(text)
  if (!config?.tools?.map || !config.formTools?.map) throw new Error('not a config')
  return {...config, tag}
}
