import {createServer, type IncomingHttpHeaders, type ServerResponse} from 'node:http'
import type {TestContext} from 'node:test'
import type {HookKind} from '../../../../lake/settings.ts'
import {eventually} from '../../../support/eventually.ts'
import {listen} from '../../../support/network/ports.ts'

export const SECRET = 'a-secret-for-webhooks'

/** Build hooks have a secret in their paths. */
export const PATH = '/build/secret-path'

/** The settings of a lake that tells one address of some kinds. */
export const settingsFor = (url: string, ...kinds: HookKind[]) => ({
  webhooks: [{url, kinds: kinds.length === 0 ? ['change' as const] : kinds}],
  webhookSecrets: [SECRET],
})

export type Delivery = {headers: IncomingHttpHeaders; body: string}

/** A receiver of webhooks. `respond` decides the status of each request. */
export async function receiver(
  t: TestContext,
  respond: (delivery: Delivery, response: ServerResponse) => number = () => 204,
) {
  const deliveries: Delivery[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const delivery = {headers: request.headers, body: Buffer.concat(chunks).toString()}
    deliveries.push(delivery)
    response
      .writeHead(respond(delivery, response), {location: `http://${request.headers.host}/elsewhere`})
      .end()
  })
  const port = await listen(server, t)
  const url = `http://127.0.0.1:${port}${PATH}`
  const seen = () => deliveries.map(summary)
  return {
    deliveries,
    url,
    settings: settingsFor(url),
    seen,
    until: (count: number) =>
      eventually(
        async () => seen(),
        (all) => all.length >= count,
      ),
  }
}

/** The operation and the document of a delivery. */
export const summary = ({headers}: Delivery) =>
  `${headers['sanity-operation']} ${headers['sanity-document-id']}`
