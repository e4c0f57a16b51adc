import type {TestContext} from 'node:test'
import {encodeSignatureHeader} from '@sanity/webhook'
import {recordOf} from '../../support/answers.ts'
import type {ContentDocument} from '../../support/content.ts'
import {type House, runHouse} from '../../support/house.ts'

export const secret = 'a-secret-that-only-sanity-knows'

/** A document as Sanity has it, `null` if there is none. */
type State = Record<string, unknown> | null

export type Delivery = {
  /** By default a document that was changed. */
  payload?: unknown
  /** The body itself. */
  body?: string
  signedWith?: string
  /** Milliseconds since 1970. */
  signedAt?: number
  /** `undefined` omits a header. */
  headers?: Record<string, string | undefined>
}

export type Answer = {status: number; body: Record<string, unknown>}

/** A house that receives no live events: changes arrive through the webhook only. */
export async function deafHouse(
  t: TestContext,
  documents: ContentDocument[],
  environment?: NodeJS.ProcessEnv,
) {
  const house = await webhookHouse(t, documents, environment)
  house.network.isMuted = true
  return house
}

export async function webhookHouse(
  t: TestContext,
  documents: ContentDocument[],
  environment: NodeJS.ProcessEnv = {},
): Promise<House> {
  return runHouse(t, documents, {SANITY_WEBHOOK_SECRET: secret, ...environment})
}

/** A published document in its current state. */
export async function documentOf(house: House, id: string): Promise<State> {
  return house.client.fetch<State>('*[_id == $id][0]', {id}, {perspective: 'published'})
}

/** Sends a delivery as Sanity does. https://www.sanity.io/docs/webhooks */
export async function deliver(
  house: Pick<House, 'serviceAddress'>,
  delivery: Delivery = {},
): Promise<Answer> {
  const response = await send(house, delivery)
  return {status: response.status, body: recordOf(await response.json())}
}

/** The code and message of an error response. */
export async function refusalOf(
  answer: Promise<Answer>,
): Promise<[status: number, code: unknown, message: string]> {
  const {status, body} = await answer
  const {code, message} = recordOf(body.error)
  return [status, code, String(message)]
}

export async function send(
  {serviceAddress}: Pick<House, 'serviceAddress'>,
  delivery: Delivery,
): Promise<Response> {
  return fetch(`${serviceAddress}/webhooks/sanity`, await requestOf(delivery))
}

/** The request for a delivery. */
export async function requestOf({
  payload = {_id: 'search', _type: 'tool', _rev: 'changed'},
  signedWith = secret,
  signedAt = Date.now(),
  ...delivery
}: Delivery): Promise<RequestInit> {
  const body = delivery.body ?? JSON.stringify(payload)
  const headers = new Headers({
    'content-type': 'application/json',
    'sanity-webhook-signature': body && (await encodeSignatureHeader(body, signedAt, signedWith)),
  })
  for (const [name, value] of Object.entries(delivery.headers ?? {})) {
    if (value === undefined) headers.delete(name)
    else headers.set(name, value)
  }
  return {method: 'POST', body, headers}
}
