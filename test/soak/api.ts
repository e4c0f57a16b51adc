import {isJsonObject, type JsonObject} from '../../common/json.ts'
import {token} from './process.ts'

export type Answer = {readonly status: number; readonly body: JsonObject}

/** Request timeout, in milliseconds. */
const patience = 30_000

/** What the lake says when commits of others arrive faster than it publishes. */
export const OVERTAKEN = /other commits kept arriving/

const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json'}

/**
 * Sends a transaction, and again as the lake asks for it while people commit faster than a busy machine publishes.
 * @throws Error where no answer comes
 */
export async function send(address: string, route: 'mutate' | 'actions', body: unknown): Promise<Answer> {
  const deadline = Date.now() + patience
  for (;;) {
    const answer = await sendOnce(address, route, body)
    const isOvertaken = answer.status === 503 && OVERTAKEN.test(String(answer.body.message))
    if (!isOvertaken || Date.now() > deadline) return answer
  }
}

async function sendOnce(address: string, route: 'mutate' | 'actions', body: unknown): Promise<Answer> {
  const response = await fetch(`${address}/v2025-02-19/data/${route}/production`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(patience),
  })
  return {status: response.status, body: objectOf(await response.json())}
}

/** The results of a query by id, drafts included. */
export async function find(address: string, query: string): Promise<Map<string, JsonObject>> {
  const search = new URLSearchParams({query, perspective: 'raw'})
  const response = await fetch(`${address}/v2025-02-19/data/query/production?${search}`, {
    headers,
    signal: AbortSignal.timeout(patience),
  })
  const {result} = objectOf(await response.json())
  if (response.status !== 200 || !Array.isArray(result))
    throw new Error(`the query failed: ${response.status}`)
  return new Map(result.filter(isJsonObject).map((document) => [String(document._id), document]))
}

/** The commit whose documents the lake serves. */
export async function servedCommit(address: string): Promise<unknown> {
  const response = await fetch(`${address}/readyz`, {signal: AbortSignal.timeout(patience)})
  return objectOf(await response.json()).commit
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
