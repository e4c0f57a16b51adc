import type {IncomingHttpHeaders} from 'node:http'

/**
 * Whether a request that a browser makes with its cookie comes from a page of the lake's own.
 *
 * `Host` must be one of ours: with DNS rebinding, a page of somebody else's reaches this machine under a name of its
 * own. `Origin` must be the same: other pages can send requests too, and a browser says from where. Requests that
 * change something always carry one (Fetch §3.2).
 * @param hosts names with ports, as `Host` has them, beside the names of this machine itself
 */
export function comesFromOurPage(
  headers: IncomingHttpHeaders,
  method: string,
  hosts: ReadonlySet<string>,
): boolean {
  const {host = '', origin} = headers
  if (!isOurHost(host, hosts)) return false
  if (headers['sec-fetch-site'] === 'cross-site') return false
  if (origin === undefined) return method === 'GET' || method === 'HEAD'
  return URL.canParse(origin) && new URL(origin).host === host
}

function isOurHost(host: string, hosts: ReadonlySet<string>): boolean {
  return hosts.has(host) || /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host)
}
