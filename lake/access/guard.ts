import type {IncomingHttpHeaders} from 'node:http'

/**
 * Whether a browser sends a request with a cookie from one of the lake's own pages.
 *
 * `Host` must be one of the lake's names: with DNS rebinding, another site's page reaches this machine under
 * its own name. `Sec-Fetch-Site` must be `same-origin`, or `none` for an address that a person opens.
 * `same-site` is not enough: another port or subdomain sends the cookie too. Its page cannot read the
 * response, but it can tell success from failure (`<object>`, `<link rel=prefetch>`), which may depend on a
 * draft. https://www.w3.org/TR/fetch-metadata/
 * Without TLS, browsers omit the header, except on this machine. `Origin` must then be the same host;
 * requests that change something always carry one (Fetch §3.2).
 * @param hosts names with ports, as in `Host`, in addition to the names of this machine
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
