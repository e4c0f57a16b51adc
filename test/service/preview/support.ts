import assert from 'node:assert/strict'
import type {TestContext} from 'node:test'
import {REPORTS_OWNER} from '../../../schemas/preview.ts'
import {createSecret} from '../../../studio/preview/secrets.ts'
import {recordOf} from '../../support/answers.ts'
import type {ContentDocument} from '../../support/content.ts'
import {type House, type Replica, startHouse} from '../../support/house.ts'

/** The origin of the previewed pages. */
export const PAGE = 'https://shop.example'
export const STUDIO = 'https://studio.example/handrail'

/** A house whose service may read drafts. */
export function startPreviewHouse(
  documents: ContentDocument[],
  environment: NodeJS.ProcessEnv = {},
): Promise<House> {
  return startHouse(documents, {SANITY_API_TOKEN: 'a-token-for-tests', ...environment})
}

/** Starts one that closes after the test. */
export async function runPreviewHouse(
  t: TestContext,
  ...options: Parameters<typeof startPreviewHouse>
): Promise<House> {
  const house = await startPreviewHouse(...options)
  t.after(() => house.close())
  return house
}

/** Makes the code of a link, as Studio does. */
export async function codeFor({client}: Pick<House, 'client'>, publicId = 'shop-public'): Promise<string> {
  const {code} = await createSecret(client, {publicId, userId: 'editor'}, STUDIO)
  return code
}

export function previewUrl(
  {serviceAddress}: Pick<Replica, 'serviceAddress'>,
  publicId = 'shop-public',
): string {
  return `${serviceAddress}/api/sites/${publicId}/preview`
}

/** Makes the code with which Studio reads reports, as Studio does. */
export async function reportsCodeFor(
  {client}: Pick<House, 'client'>,
  publicId = 'shop-public',
): Promise<string> {
  return (await createSecret(client, {publicId, userId: REPORTS_OWNER}, STUDIO)).code
}

/** Exchanges a code as the panel does. */
export function exchange(
  house: Pick<Replica, 'serviceAddress'>,
  code: unknown,
  {publicId = 'shop-public', origin = PAGE, tab}: {publicId?: string; origin?: string; tab?: unknown} = {},
): Promise<Response> {
  const headers = {origin, 'content-type': 'application/json'}
  return fetch(previewUrl(house, publicId), {method: 'POST', headers, body: JSON.stringify({code, tab})})
}

/** A token for the pages of `PAGE`. */
export async function tokenFor(house: House, publicId = 'shop-public'): Promise<string> {
  const response = await exchange(house, await codeFor(house, publicId), {publicId})
  assert.equal(response.status, 200)
  return String(recordOf(await response.json()).token)
}

/** Requests a page with drafts as the panel does. */
export function preview(
  house: Pick<Replica, 'serviceAddress'>,
  token: string,
  path = '/',
  {publicId = 'shop-public', headers = {}}: {publicId?: string; headers?: Record<string, string>} = {},
): Promise<Response> {
  const url = `${previewUrl(house, publicId)}?path=${encodeURIComponent(path)}`
  return fetch(url, {headers: {origin: PAGE, authorization: `Bearer ${token}`, ...headers}})
}

/** The body of a page with drafts. */
export type PreviewBody = {
  text: string
  members: Record<string, unknown>
  config: Record<string, unknown>
  /** By name. */
  tools: Map<string, Record<string, unknown>>
}

export async function bodyOf(response: Response | Promise<Response>): Promise<PreviewBody> {
  const text = await (await response).text()
  assert.equal((await response).status, 200, text)
  const members = recordOf(JSON.parse(text))
  assert.ok(Array.isArray(members.tools))
  const tools = members.tools.map(recordOf)
  return {
    text,
    members,
    config: recordOf(members.config),
    tools: new Map(tools.map((tool) => [String(tool.name), tool])),
  }
}
