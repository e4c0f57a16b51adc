/** Where Studio checks for a newer version. */
const VERSION_CHECK = 'https://sanity-cdn.com/v1/modules/'

/**
 * A `fetch` that only reaches the page's origin and the given `others`. Parts of Studio call Sanity's own
 * hosts, which no setting prevents, and one of them prepends the project's id to the lake's host name. A lake
 * does not need those hosts, and its policy blocks them, which would fill the console with errors.
 */
export function sameOriginFetch(
  origin: string,
  projectId: string,
  inner: typeof fetch,
  others: readonly string[] = [],
): typeof fetch {
  const projectHost = `${projectId}.${new URL(origin).host}`
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, origin)
    if (url.origin === origin || others.includes(url.origin)) return inner(input, init)
    if (url.host === projectHost) {
      const home = origin + url.pathname + url.search
      return inner(input instanceof Request ? new Request(home, input) : home, init)
    }
    // Blob and data URLs have no host.
    if (!url.protocol.startsWith('http')) return inner(input, init)
    // Studio treats a failed version check as an error, so this responds that there is no newer version.
    if (url.href.startsWith(VERSION_CHECK)) return Response.json({})
    throw new TypeError(`Studio only sends requests to its lake, not to ${url.host}`)
  }
}
