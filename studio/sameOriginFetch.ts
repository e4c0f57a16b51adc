/** Where Studio asks whether there is a newer one. */
const VERSION_CHECK = 'https://sanity-cdn.com/v1/modules/'

/**
 * A `fetch` that reaches the origin of the page, and `others` that are named. Parts of Studio call Sanity's own hosts, with no setting that
 * would stop them, and one of them puts the project's id before the lake's host name. Nothing of a lake's concerns
 * those hosts, and its page is forbidden to call them, which would fill the console with refusals.
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
    // Blobs and data have no host.
    if (!url.protocol.startsWith('http')) return inner(input, init)
    // No answer to this one is an error to Studio: it is told of no newer version.
    if (url.href.startsWith(VERSION_CHECK)) return Response.json({})
    throw new TypeError(`Studio calls no other host than its lake: not ${url.host}`)
  }
}
