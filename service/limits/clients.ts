import type {IncomingMessage} from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import type {FastifyBaseLogger} from 'fastify'
import {LRUCache} from 'lru-cache'
import {clientKey, trustOf} from '../../common/limits/clientKey.ts'
import {untrustedProxyWarning} from '../../common/limits/untrustedProxy.ts'

/** Returns the rate limit key of the client that sent a request, see `clientKey`. */
export type ClientOf = (request: IncomingMessage) => string

/** Proxies known as trusted or not: comparing an IPv6 address costs a tenth of a request. */
const MAX_PROXIES = 1_000

/**
 * Creates a function that identifies clients. Logs once if this may be unreliable.
 * @param trustedProxies addresses whose `X-Forwarded-For` is trusted.
 */
export function clientsBehind(trustedProxies: readonly string[], log: FastifyBaseLogger): ClientOf {
  const known = new LRUCache<string, boolean>({max: MAX_PROXIES, memoMethod: trustOf(trustedProxies)})
  const isTrusted = (address: string) => known.memo(address)
  const warn = untrustedProxyWarning(log, 'all its visitors share one limit')
  return (request) => {
    const {remoteAddress} = request.socket
    if (request.headers['x-forwarded-for'] === undefined) return clientKey(remoteAddress)
    if (remoteAddress !== undefined && !isTrusted(remoteAddress)) warn(remoteAddress)
    return clientKey(proxyAddress(request, isTrusted))
  }
}
