import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {TestContext} from 'node:test'
import {listen} from '../../support/network/ports.ts'

/** A server in place of a Content Lake, for responses that a real one cannot be made to send. */
export async function stubLake(
  t: TestContext,
  respond: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<NodeJS.ProcessEnv> {
  const server = createServer(respond)
  return {SANITY_API_HOST: `http://127.0.0.1:${await listen(server, t)}`, SANITY_API_TOKEN: 'a-token'}
}
