import type {FastifyInstance, FastifyRequest} from 'fastify'
import {clientKey} from '../../../common/limits/clientKey.ts'
import {untrustedProxyWarning} from '../../../common/limits/untrustedProxy.ts'

/** The key by which limits count the client of a request; see `clientKey`. */
export function clientOf({ip}: Pick<FastifyRequest, 'ip'>): string {
  return clientKey(ip)
}

/** Logs once if an address that is not a trusted proxy sends `X-Forwarded-For`. */
export function warnOfUntrustedProxies(app: FastifyInstance, isTrusted: (address: string) => boolean): void {
  const warn = untrustedProxyWarning(
    app.log,
    'the wrong passwords of one person stop all from signing in, and the audit log has the address of the proxy',
  )
  app.addHook('onRequest', async ({raw: {headers, socket}}) => {
    const {remoteAddress} = socket
    if (headers['x-forwarded-for'] === undefined || remoteAddress === undefined) return
    if (!isTrusted(remoteAddress)) warn(remoteAddress)
  })
}
