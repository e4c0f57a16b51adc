import type {FastifyBaseLogger} from 'fastify'
import {listen} from '../../common/http/listen.ts'
import {buildApp} from './http/app.ts'

export type ShopOptions = {
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
  /** The service whose snippet the pages embed, such as `http://127.0.0.1:3000`. */
  readonly serviceOrigin: string
  /** The site whose tools the pages register. */
  readonly publicId: string
  readonly logger: FastifyBaseLogger
}

/** Time for requests in flight to finish when the shop closes, in milliseconds. */
const DRAIN_DEADLINE = 2_000

/**
 * Starts the demo shop with full stock and no carts. Resolves once it listens.
 * @throws Error with a one-line message if the port cannot be used
 */
export async function startShop({
  host,
  port,
  logger,
  ...site
}: ShopOptions): Promise<{address: string; close(): Promise<void>}> {
  const app = await buildApp(site, logger)
  const address = await listen(app, {
    host,
    port,
    portName: 'SHOP_PORT',
    describe: (url) => `demo shop at ${url}`,
  })
  return {
    address,
    async close() {
      // Node does not treat an unused connection that a browser opened in advance as idle, so closing would
      // wait for it.
      const timer = setTimeout(() => app.server.closeAllConnections(), DRAIN_DEADLINE)
      await app.close()
      clearTimeout(timer)
    },
  }
}
