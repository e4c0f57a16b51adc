import {isIP} from 'node:net'
import {normalizeIP} from '@fastify/rate-limit'
import {LRUCache} from 'lru-cache'

/** Parsing an IPv6 address costs as much as the rest of a request. */
const known = new LRUCache<string, string>({max: 10_000, memoMethod: (address) => normalizeIP(address)})

/**
 * The key under which limits count a client: an IPv4 address, or the first 64 bits of an IPv6 address.
 * Clients choose the other 64 bits themselves (RFC 4291 §2.5.1) and could change them with each request.
 * @param address as a connection or a trusted proxy reports it; some proxies add the port.
 * @returns '' if the address is unknown: all such clients are counted together.
 */
export function clientKey(address: string | undefined): string {
  if (address === undefined) return ''
  const version = isIP(address)
  if (version === 4) return address
  if (version === 6) return known.memo(address)
  const bare = address.match(/^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/)
  const found = bare?.[1] ?? bare?.[2] ?? ''
  return isIP(found) ? known.memo(found) : ''
}
