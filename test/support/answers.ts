import assert from 'node:assert/strict'

/** A member of `tools` or `formTools` as a page receives it. */
export type ServedMember = Record<string, unknown>

/** The body of a config, with its kinds of members distinguished. */
export type ConfigBody = {
  siteId: unknown
  tools: ServedMember[]
  formTools: ServedMember[]
  pollInterval: unknown
  /** The names of all members, tools first. */
  names: unknown[]
  /** The members of the body itself, in order. */
  keys: string[]
}

/** The body of a 200 response. */
export async function configOf(response: Response | Promise<Response>): Promise<ConfigBody> {
  const answer = await response
  assert.equal(answer.status, 200)
  const body = recordOf(await answer.json())
  const [tools, formTools] = [membersOf(body.tools), membersOf(body.formTools)]
  return {
    siteId: body.siteId,
    tools,
    formTools,
    pollInterval: body.pollInterval,
    names: [...tools, ...formTools].map(({name}) => name),
    keys: Object.keys(body),
  }
}

/** Code and message of an error response. Asserts that any origin may read it and no cache may store it. */
export async function errorOf(
  response: Response | Promise<Response>,
): Promise<{status: number; code: unknown; message: unknown}> {
  const answer = await response
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  const body = recordOf(await answer.json())
  assert.deepEqual(Object.keys(body), ['error'])
  const {code, message, ...more} = recordOf(body.error)
  assert.deepEqual(more, {})
  return {status: answer.status, code, message}
}

/** The seconds since a response was confirmed. */
export function ageOf(response: Response): number {
  return Number(response.headers.get('age'))
}

export function recordOf(value: unknown): Record<string, unknown> {
  assert.ok(typeof value === 'object' && value !== null)
  return Object.fromEntries(Object.entries(value))
}

function membersOf(value: unknown): ServedMember[] {
  assert.ok(Array.isArray(value))
  return value.map(recordOf)
}
