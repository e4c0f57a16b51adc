import type {ToolFunction} from './webmcp.ts'

/** What the service answers for one path (`GET /api/sites/:publicId/config`). */
export type Config = {
  tag: string | null
  tools: Tool[]
  formTools: FormTool[]
  /** Seconds until the next poll. */
  pollInterval: number
  /** Entries that are no tools, and so left out. */
  broken: number
}

/** The members that are not named here go to the browser as they are. */
export type Tool = {
  id: string
  name: string
  executeJs: string
  /** The function that `executeJs` is, once it was called. */
  run?: ToolFunction
  [member: string]: unknown
}

export type FormTool = {name: string; description: string; selector: string; autosubmit?: unknown}

/** Why there is no config. `retryAfter`: seconds that the service asks for, 0 where it asks for none. */
export type Failure = {error: string; retryAfter: number}

/** Milliseconds for an answer to arrive whole. */
const TIMEOUT = 10_000

/** Seconds between two polls, as Studio accepts them (schemas/rules/pollInterval.ts), whoever answers. */
const SHORTEST = 30
const LONGEST = 86_400
const DEFAULT = 300

/**
 * Fetches a config as any page may: without credentials, and with no header that would cost a preflight. With
 * `no-cache` the browser revalidates what it has by itself, so that a config that did not change costs one 304.
 * @param tag of the config that is applied already.
 * @returns undefined where the tag is still the same.
 */
export async function fetchConfig(
  url: string,
  cache: RequestCache,
  tag: string | null,
  attempt: AbortController,
): Promise<Config | Failure | undefined> {
  let retryAfter = 0
  const timer = setTimeout(() => attempt.abort(new Error('timeout')), TIMEOUT)
  try {
    const response = await fetch(url, {credentials: 'omit', cache, signal: attempt.signal})
    const {ok, status, headers} = response
    const text = await response.text()
    if (!ok) {
      // RFC 9110 §10.2.3: seconds or a date.
      const field = headers.get('retry-after') ?? ''
      retryAfter = Number(field) || (Date.parse(field) - Date.now()) / 1_000 || 0
      throw new Error(`status ${status}`)
    }
    const newTag = headers.get('etag')
    return newTag && newTag === tag ? undefined : parseConfig(text, newTag)
  } catch (error) {
    return {error: messageOf(error), retryAfter}
  } finally {
    clearTimeout(timer)
  }
}

/** @throws where the text is no config at all. */
function parseConfig(text: string, tag: string | null): Config {
  const {tools, formTools, pollInterval}: Record<string, unknown> = Object(JSON.parse(text))
  let broken = 0
  function whole<T extends object>(entries: unknown, texts: (keyof T)[]): T[] {
    if (!Array.isArray(entries)) throw new Error('not a config')
    return entries.filter((entry): entry is T => {
      const isWhole = texts.every((key) => typeof Object(entry)[key] === 'string')
      if (!isWhole) broken++
      return isWhole
    })
  }
  return {
    tag,
    tools: whole<Tool>(tools, ['id', 'name', 'executeJs']),
    formTools: whole<FormTool>(formTools, ['name', 'description', 'selector']),
    pollInterval: Math.min(Math.max(Number(pollInterval) || DEFAULT, SHORTEST), LONGEST),
    broken,
  }
}

/** What anything that was thrown says of itself. */
export function messageOf(thrown: unknown): string {
  return `${Object(thrown).message ?? (typeof thrown === 'object' ? JSON.stringify(thrown) : thrown)}`
}
