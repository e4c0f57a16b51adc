import type {IncomingMessage} from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import type {FastifyBaseLogger} from 'fastify'
import {clientKey} from '../../common/clientKey.ts'

/** What stands in a limit for the client that a request comes from, see `clientKey`. */
export type ClientOf = (request: IncomingMessage) => string

/**
 * Tells whom a request comes from, and once that it may fail to.
 * @param trustedProxies addresses that are believed what they say in `X-Forwarded-For`.
 */
export function clientsBehind(trustedProxies: readonly string[], log: FastifyBaseLogger): ClientOf {
  const isTrusted = proxyAddress.compile([...trustedProxies])
  let isTold = false
  return (request) => {
    const {socket, headers} = request
    if (headers['x-forwarded-for'] === undefined) return clientKey(socket.remoteAddress)
    const address = proxyAddress(request, isTrusted)
    if (!isTold && address === socket.remoteAddress) {
      isTold = true
      log.warn(
        {address},
        'this address sends X-Forwarded-For: if it is your proxy, name it in TRUSTED_PROXIES, or its visitors share one limit',
      )
    }
    return clientKey(address)
  }
}
