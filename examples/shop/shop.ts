import type {FastifyBaseLogger, FastifyInstance} from 'fastify'
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

/** Milliseconds for requests in flight when the shop closes. */
const DRAIN_DEADLINE = 2_000

/**
 * Opens the demo shop with full shelves and without any cart, and answers when it listens.
 * @throws Error with a message of one line, when the port cannot be used
 */
export async function startShop({
  host,
  port,
  logger,
  ...site
}: ShopOptions): Promise<{address: string; close(): Promise<void>}> {
  const app = await buildApp(site, logger)
  const address = await listen(app, host, port)
  return {
    address,
    async close() {
      // A connection that a browser opened ahead and never used is no idle one to Node: it would be waited for.
      const timer = setTimeout(() => app.server.closeAllConnections(), DRAIN_DEADLINE)
      await app.close()
      clearTimeout(timer)
    },
  }
}

async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    return await app.listen({host, port, listenTextResolver: (url) => `demo shop at ${url}`})
  } catch (error) {
    await app.close()
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new Error(
      code === 'EADDRINUSE'
        ? `SHOP_PORT ${port} is taken: stop the other program, or choose another port.`
        : `The demo shop cannot listen on ${host}:${port} (${String(code)}).`,
    )
  }
}
