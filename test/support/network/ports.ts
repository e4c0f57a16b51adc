import {once} from 'node:events'
import {createServer, type Server} from 'node:net'
import type {TestContext} from 'node:test'

/**
 * Lets a server listen on a free port.
 * @param t closes the server and its connections after the test
 * @returns the port
 */
export async function listen(server: Server, t?: TestContext): Promise<number> {
  t?.after(() => {
    server.close()
    if ('closeAllConnections' in server && typeof server.closeAllConnections === 'function')
      server.closeAllConnections()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return portOf(server)
}

/** The port on which a server listens. */
export function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on TCP')
  return address.port
}

/** A port that is free at the moment, for programs that cannot choose one by themselves. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await once(server.close(), 'close')
  return port
}
