import {createServer, type IncomingHttpHeaders, type ServerResponse} from 'node:http'
import type {TestContext} from 'node:test'
import {pino} from 'pino'
import {State} from '../../../../content/state/state.ts'
import type {HookKind} from '../../../../lake/settings.ts'
import {Deliverer, type HookSource} from '../../../../lake/webhooks/deliverer.ts'
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

type Delivering = {
  readonly url: string
  readonly state?: State
  readonly dataset?: string
}

/** A deliverer that tells one address of one source. */
export function delivererOf(t: TestContext, source: HookSource, options: Delivering): Deliverer {
  const {url, state = State.inMemory(), dataset = 'production'} = options
  const deliverer = new Deliverer({
    addresses: [{url, kinds: [source.kind]}],
    secrets: [SECRET],
    projectId: 'local',
    dataset,
    state,
    sources: [source],
    logger: pino({level: 'silent'}),
    backoff: {first: 1, longest: 5},
    lookEvery: 5,
  })
  t.after(() => deliverer.close())
  deliverer.start()
  return deliverer
}

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
