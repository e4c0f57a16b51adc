import {isIP} from 'node:net'
import {compile} from '@fastify/proxy-addr'
import {normalizeIP} from '@fastify/rate-limit'
import {LRUCache} from 'lru-cache'

/** Parsing an IPv6 address costs as much as the rest of a request. */
const known = new LRUCache<string, string>({max: 10_000, memoMethod: (address) => normalizeIP(address)})

/**
 * The key under which limits count a client: an IPv4 address, or the first 64 bits of an IPv6 address.
 * Clients choose the other 64 bits themselves (RFC 4291 §2.5.1) and could change them with each request.
 * @param address as a connection or a trusted proxy reports it; see {@link bareAddress}.
 * @returns '' if the address is unknown: all such clients are counted together.
 */
export function clientKey(address: string | undefined): string {
  if (address === undefined) return ''
  const bare = bareAddress(address)
  const version = isIP(bare)
  if (version === 4) return bare
  return version === 6 ? known.memo(bare) : ''
}

/**
 * Decides which addresses of `X-Forwarded-For` are proxies, in every notation of {@link bareAddress}.
 * @param proxies addresses, networks (`10.0.0.0/8`) and their names (`loopback`)
 */
export function trustOf(proxies: readonly string[]): (address: string) => boolean {
  const isTrusted = compile([...proxies])
  return (address) => isTrusted(bareAddress(address), 0)
}

/**
 * An address as proxies write it, without its port, its brackets and its zone: `[fe80::1%eth0]:5001` is `fe80::1`.
 * Azure Application Gateway adds ports to `X-Forwarded-For`, for example. Returns what is no address unchanged.
 */
function bareAddress(address: string): string {
  if (!ADORNED.test(address)) return address
  const [, inBrackets, beforePort] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address) ?? []
  return (inBrackets ?? beforePort ?? address).replace(/%.*$/, '')
}

const ADORNED = /[[%]|^[\d.]+:/
