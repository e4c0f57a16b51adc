import type {IncomingHttpHeaders} from 'node:http'

/**
 * Whether a browser sends a request with a cookie from one of the lake's own pages.
 *
 * `Host` must be one of the lake's: with DNS rebinding, another site's page reaches this machine under a name of its own.
 * `Sec-Fetch-Site` must be `same-origin`, or `none` for an address that a person opens. `same-site` is not enough: another
 * port or subdomain sends the cookie too, and although its page cannot read the response, it can tell success from failure
 * (`<object>`, `<link rel=prefetch>`), which may depend on a draft. https://www.w3.org/TR/fetch-metadata/
 * Browsers leave the header out without TLS, except on this machine. `Origin` must be the same host then, and requests
 * that change something always carry one (Fetch §3.2).
 * @param hosts names with ports, as `Host` has them, in addition to the names of this machine
 */
export function comesFromOurPage(
  headers: IncomingHttpHeaders,
  method: string,
  hosts: ReadonlySet<string>,
): boolean {
  const {host = '', origin, 'sec-fetch-site': site} = headers
  if (!isOurHost(host, hosts)) return false
  if (!['same-origin', 'none', undefined].includes(site)) return false
  if (origin === undefined) return method === 'GET' || method === 'HEAD'
  return URL.canParse(origin) && new URL(origin).host === host
}

function isOurHost(host: string, hosts: ReadonlySet<string>): boolean {
  return hosts.has(host) || /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host)
}
