import {once} from 'node:events'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {TestContext} from 'node:test'

/** A server in place of a Content Lake, for responses that a real one cannot be made to send. */
export async function stubLake(
  t: TestContext,
  respond: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<NodeJS.ProcessEnv> {
  const server = createServer(respond)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {SANITY_API_HOST: `http://127.0.0.1:${port}`, SANITY_API_TOKEN: 'a-token'}
}
