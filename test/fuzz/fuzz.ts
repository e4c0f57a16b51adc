import assert from 'node:assert/strict'
import {once} from 'node:events'
import {type IncomingHttpHeaders, type IncomingMessage, request} from 'node:http'
import {buffer} from 'node:stream/consumers'
import fc from 'fast-check'
import {isJsonObject} from '../../common/json.ts'
import {IS_DEEP} from '../runner/runs.ts'
import {askFrom} from '../support/client.ts'
import {decoded} from '../support/network/plainGet.ts'
import type {FuzzRequest, Role} from './generators/requests.ts'

export type FuzzResponse = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type Target = {
  readonly address: string
  readonly requests: fc.Arbitrary<FuzzRequest>
  /** What proves a role. */
  credentials(role: Role, body: string): Promise<{readonly [name: string]: string}>
  /** Whether a refusal has the documented shape. */
  isError(response: FuzzResponse, body: unknown): boolean
  /** What must hold of other clients while a batch is sent. */
  meanwhile?(): Promise<void>
  /** Log lines so far. */
  readonly lines: readonly {readonly [name: string]: unknown}[]
}

/** Milliseconds in which another client gets a response, on a busy machine. */
const PATIENCE = 10_000

/** Milliseconds that a fuzz and the search for the smallest batch that fails may take. */
const MAX_DURATION = 40_000

/** Requests that are sent at once. */
const MAX_BATCH = 8

/**
 * Sends batches of random requests, or fifty times as many with `CI_DEEP=1`. `SEED=…` replays a failure.
 * @throws if one gets status 500, a wrong refusal or no JSON, if the log has an error, or if another client has to wait.
 */
export async function fuzz(target: Target, {seed, batches}: {seed: number; batches: number}): Promise<void> {
  const times = IS_DEEP ? 50 : 1
  const deadline = performance.now() + MAX_DURATION * times
  const {SEED} = process.env
  const batch = fc.array(target.requests, {minLength: 1, maxLength: MAX_BATCH, size: 'max'})
  let read = target.lines.length
  await fc.assert(
    fc.asyncProperty(batch, async (all) => {
      // An interruption by fast-check would leave requests in flight.
      if (performance.now() > deadline) return
      const sent = all.map(async (one) => judge(target, one, await exchange(target, one)))
      const health = await askFrom('127.0.9.9', `${target.address}/healthz`, {
        signal: AbortSignal.timeout(PATIENCE),
      })
      assert.equal(health.status, 200, 'another client gets no health')
      await target.meanwhile?.()
      await Promise.all(sent)
      const logged = target.lines.slice(read)
      read = target.lines.length
      for (const line of logged)
        assert.ok(Number(line.level) < 50 && !JSON.stringify(line).includes('"stack"'), JSON.stringify(line))
    }),
    {seed: SEED === undefined ? seed : Number(SEED), numRuns: batches * times},
  )
}

/** Sends a request from an address of its own, because limits count by address; undefined where no response comes. */
async function exchange(
  {address, credentials}: Target,
  {role, client, method, target, headers, body}: FuzzRequest,
): Promise<FuzzResponse | undefined> {
  const {hostname, port} = new URL(address)
  const sent = request({
    ...{hostname, port, method, path: target, agent: false, localAddress: `127.20.0.${client + 1}`},
    headers: {...headers, ...(await credentials(role, body ?? ''))},
    signal: AbortSignal.timeout(PATIENCE),
  })
  sent.end(body)
  try {
    const [response]: IncomingMessage[] = await once(sent, 'response')
    assert.ok(response)
    const {statusCode: status = 0, headers: received} = response
    // A stream does not end.
    if (received['content-type']?.startsWith('text/event-stream')) {
      sent.destroy()
      return {status, headers: received, body: Buffer.alloc(0)}
    }
    return {status, headers: received, body: await buffer(response)}
  } catch (error) {
    assert.ok(!(error instanceof Error && error.name === 'AbortError'), `no response: ${method} ${target}`)
    return undefined
  }
}

function judge(target: Target, asked: FuzzRequest, response: FuzzResponse | undefined): void {
  if (response === undefined) return
  const {status, headers, body} = response
  const type = headers['content-type'] ?? ''
  const said = `${asked.role}: ${asked.method} ${asked.target.slice(0, 300)}: ${status} ${type} ${body.subarray(0, 500)}`
  assert.ok(status < 500 || status === 503, said)
  if (asked.method === 'HEAD' || type.startsWith('text/html')) return
  const isJson = type.startsWith('application/json')
  if (status === 200 && isJson) assert.notEqual(parse(response), undefined, said)
  if (status < 400 || (status === 503 && /\/readyz|\/metrics/.test(asked.target))) return
  assert.ok(isJson && target.isError(response, parse(response)), said)
  assert.doesNotMatch(String(body), /\\n\s+at |node_modules|file:\/\//, said)
}

function parse({headers, body}: FuzzResponse): unknown {
  try {
    return JSON.parse(decoded(headers['content-encoding'], body))
  } catch {
    return undefined
  }
}

/** `{"statusCode", "error", "message"}`, or `{"error": {"type"?, "description"}}`, as Sanity's API has them. */
export function isLakeError({status}: FuzzResponse, body: unknown): boolean {
  if (!isJsonObject(body)) return false
  const {statusCode, error, message} = body
  if (isJsonObject(error)) return typeof error.description === 'string'
  return statusCode === status && typeof error === 'string' && typeof message === 'string'
}
