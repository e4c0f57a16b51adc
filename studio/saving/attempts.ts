/** Milliseconds without a response after which a request is sent again. */
const PATIENCE = 5_000

/** Bytes of a body in a millisecond that the slowest connection sends. */
const SLOWEST = 4

/** Milliseconds before the first retry. Doubles with each failure. */
const FIRST_PAUSE = 250

/** The window, which programs lack that only import this file. */
const PAGE: unknown = globalThis

/** Waits for a time. */
export type Pause = (milliseconds: number, signal?: AbortSignal) => Promise<void>

/** Waits for a time, or until the browser is online again or somebody returns to the page. */
export const pause: Pause = (milliseconds, signal) =>
  new Promise((resolve) => {
    const over = new AbortController()
    const end = () => {
      clearTimeout(timer)
      over.abort()
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    if (PAGE instanceof EventTarget)
      for (const event of ['online', 'focus']) PAGE.addEventListener(event, end, over)
    signal?.addEventListener('abort', end, over)
  })

/**
 * How long to wait after a number of failures, the first of which is 0.
 * @param longest in milliseconds
 */
export function pauseAfter(failures: number, longest: number): number {
  return Math.min(FIRST_PAUSE * 2 ** Math.min(failures, 20), longest)
}

/**
 * Sends a request, and receives the whole response.
 * @throws when it cannot be sent, when the connection breaks, and when nothing is heard for some seconds
 */
export async function attempt(
  inner: typeof fetch,
  url: string,
  init: RequestInit = {},
): Promise<{readonly response: Response; readonly body: string}> {
  const size = typeof init.body === 'string' ? init.body.length : 0
  const limit = AbortSignal.timeout(PATIENCE + Math.ceil(size / SLOWEST))
  const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit
  const response = await inner(url, {...init, signal})
  return {response, body: await response.text()}
}
