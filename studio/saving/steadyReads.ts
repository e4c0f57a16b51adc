import {attempt, type Pause, pause, pauseAfter} from './attempts.ts'

/** Queries and documents, by `GET`. Event streams connect again by themselves. */
const READ = /^\/v[^/]+\/data\/(?:query|doc)\//

/** What a proxy responds without a lake, and a lake that starts. */
const UNAVAILABLE = [502, 503, 504]

/** Milliseconds between two attempts at most. */
const LONGEST_PAUSE = 4_000

/** Milliseconds after which a write, such as a publish, fails. Its commit may take as long as Git may. */
const LONGEST_WRITE = 120_000

/**
 * A `fetch` that repeats reads of the lake until there is a response. Studio gives up after seconds without a network,
 * and shows a page that says it crashed, without the form and what was typed in it. Writes are sent once.
 */
export function steadyReads(origin: string, inner: typeof fetch, wait: Pause = pause): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, origin)
    const isGet = (init?.method ?? 'GET').toUpperCase() === 'GET'
    if (input instanceof Request || url.origin !== origin || (isGet && !READ.test(url.pathname)))
      return inner(input, init)
    const signal = init?.signal ?? undefined
    if (!isGet) {
      const limit = AbortSignal.timeout(LONGEST_WRITE)
      return inner(input, {...init, signal: signal ? AbortSignal.any([signal, limit]) : limit})
    }
    for (let failures = 0; ; failures += 1) {
      const result = await attempt(inner, url.href, init).catch(() => undefined)
      signal?.throwIfAborted()
      if (result !== undefined && !UNAVAILABLE.includes(result.response.status)) {
        const {status, statusText, headers} = result.response
        return new Response(result.body, {status, statusText, headers})
      }
      await wait(pauseAfter(failures, LONGEST_PAUSE), signal)
      signal?.throwIfAborted()
    }
  }
}
