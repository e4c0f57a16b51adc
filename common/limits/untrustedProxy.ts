import type {FastifyBaseLogger} from 'fastify'

/**
 * Returns a function that logs one warning, for the first address that sends `X-Forwarded-For` and is not in `TRUSTED_PROXIES`.
 * @param consequence what happens if the address is a proxy, in words that follow "otherwise".
 */
export function untrustedProxyWarning(log: FastifyBaseLogger, consequence: string) {
  let isLogged = false
  return (address: string): void => {
    if (isLogged) return
    isLogged = true
    log.warn(
      {address},
      `this address sends X-Forwarded-For: if it is your proxy, add it to TRUSTED_PROXIES; otherwise ${consequence}`,
    )
  }
}
