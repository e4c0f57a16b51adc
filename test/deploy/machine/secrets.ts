import {createServer} from 'node:http'
import {text} from 'node:stream/consumers'
import {isValidSignature, SIGNATURE_HEADER_NAME} from '@sanity/webhook'
import {deliver} from '../../lake/webhooks/support.ts'
import {send} from '../../service/webhooks/support.ts'
import {hold} from '../../soak/violation.ts'
import {eventually} from '../../support/eventually.ts'
import {listen} from '../../support/network/ports.ts'

/** All secrets of lake and service that may be two values. */
const secretsOf = (age: string) => ({
  SANITY_API_TOKEN: `${age}-token-of-the-service`,
  LAKE_API_TOKEN: `${age}-token-of-programs`,
  METRICS_TOKEN: `${age}-token-of-prometheus`,
  GIT_WEBHOOK_SECRET: `${age}-secret-of-the-git-host`,
  SANITY_WEBHOOK_SECRET: `${age}-secret-of-sanity`,
  LAKE_WEBHOOK_SECRET: `${age}-secret-of-receivers`,
})

type Secrets = ReturnType<typeof secretsOf>

export const OLD = secretsOf('old')
export const NEW = secretsOf('new')

/** The settings while secrets are replaced. */
export const BOTH = Object.fromEntries(
  Object.entries(secretsOf('new')).map(([name, value]) => [name, `${value} ${value.replace('new', 'old')}`]),
)

/** Sends each secret to a lake as programs do. @throws Violation unless all are accepted, or all refused. */
export async function tryAtLake(port: number, secrets: Secrets, isAccepted: boolean): Promise<void> {
  const address = addressOf(port)
  const query = `${address}/v2025-02-19/data/query/production?query=1`
  expect(isAccepted, {
    SANITY_API_TOKEN: await statusOf(query, secrets.SANITY_API_TOKEN),
    LAKE_API_TOKEN: await statusOf(query, secrets.LAKE_API_TOKEN),
    METRICS_TOKEN: await statusOf(`${address}/metrics`, secrets.METRICS_TOKEN),
    GIT_WEBHOOK_SECRET: (await deliver({address}, secrets.GIT_WEBHOOK_SECRET)).status,
  })
}

/** The same for a service. */
export async function tryAtService(port: number, secrets: Secrets, isAccepted: boolean): Promise<void> {
  const serviceAddress = addressOf(port)
  const payload = {_id: 'note', _type: 'note', _rev: 'a'}
  const delivery = await send({serviceAddress}, {payload, signedWith: secrets.SANITY_WEBHOOK_SECRET})
  await delivery.arrayBuffer()
  expect(isAccepted, {
    METRICS_TOKEN: await statusOf(`${serviceAddress}/metrics`, secrets.METRICS_TOKEN),
    SANITY_WEBHOOK_SECRET: delivery.status,
  })
}

/** Waits until a service counts requests in Redis. */
export async function sharesLimits(port: number, {METRICS_TOKEN}: Secrets): Promise<void> {
  const headers = {authorization: `Bearer ${METRICS_TOKEN}`}
  await eventually(
    async () => (await fetch(`${addressOf(port)}/metrics`, {headers})).text(),
    (metrics) => metrics.includes('\nhandrail_limits_shared 1\n'),
  )
}

/** A receiver of the lake's webhooks that knows one secret at a time. */
export async function startReceiver() {
  const received: unknown[] = []
  const server = createServer(async (request, response) => {
    const signature = String(request.headers[SIGNATURE_HEADER_NAME])
    const isSigned = await isValidSignature(await text(request), signature, receiver.secret)
    if (isSigned) received.push(request.headers['sanity-document-id'])
    response.writeHead(isSigned ? 204 : 401).end()
  })
  const port = await listen(server)
  const receiver = {
    url: addressOf(port),
    secret: OLD.LAKE_WEBHOOK_SECRET,
    /** Publishes a document, which no page has, and waits until it is received. */
    async receive(lakePort: number, _id: string): Promise<void> {
      const response = await fetch(`${addressOf(lakePort)}/v2025-02-19/data/mutate/production`, {
        method: 'POST',
        headers: {authorization: `Bearer ${NEW.LAKE_API_TOKEN}`, 'content-type': 'application/json'},
        body: JSON.stringify({mutations: [{createOrReplace: {_id, _type: 'note'}}]}),
      })
      hold(response.status === 200, await response.text())
      await eventually(
        async () => received,
        (ids) => ids.includes(_id),
      )
    },
    close: () => server.close().closeAllConnections(),
  }
  return receiver
}

function expect(isAccepted: boolean, statuses: Readonly<Record<string, number>>): void {
  for (const [name, status] of Object.entries(statuses))
    hold(isAccepted ? status >= 200 && status < 300 : status === 401, `${name}: ${status}`)
}

async function statusOf(url: string, token: string): Promise<number> {
  const response = await fetch(url, {headers: {authorization: `Bearer ${token}`}})
  await response.arrayBuffer()
  return response.status
}

const addressOf = (port: number) => `http://127.0.0.1:${port}`
