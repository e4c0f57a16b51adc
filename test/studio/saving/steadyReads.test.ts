import {deepEqual, equal, rejects} from 'node:assert/strict'
import {test} from 'node:test'
import {steadyReads} from '../../../studio/saving/steadyReads.ts'

const LAKE = 'https://lake.example'
const QUERY = `${LAKE}/v2025-02-19/data/query/production?query=*`

/** A `fetch` that gives one answer after another. */
function answering(...answers: (Response | Error)[]) {
  const pauses: number[] = []
  const inner: typeof fetch = async () => {
    const answer = answers.shift() ?? new Error('no more answers')
    if (answer instanceof Error) throw answer
    return answer
  }
  const read = steadyReads(LAKE, inner, async (milliseconds) => void pauses.push(milliseconds))
  return {read, pauses, answers}
}

test('a read is repeated with growing pauses until there is a response', async () => {
  const lost = Array.from({length: 7}, () => new TypeError('Failed to fetch'))
  const unavailable = [502, 503, 504].map((status) => new Response('', {status}))
  const {read, pauses} = answering(...lost, ...unavailable, Response.json({result: 1}))
  deepEqual(await (await read(QUERY)).json(), {result: 1})
  deepEqual(pauses, [250, 500, 1_000, 2_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000])
})

test('other errors are responses', async () => {
  for (const status of [400, 401, 403, 404, 500]) {
    const {read} = answering(new Response('{}', {status}))
    equal((await read(QUERY)).status, status)
  }
})

test('a write is sent once, and fails after two minutes', async (t) => {
  t.mock.method(AbortSignal, 'timeout', (milliseconds: number) => {
    equal(milliseconds, 120_000)
    return AbortSignal.abort(new Error('too long'))
  })
  const inner: typeof fetch = async (_input, init) => {
    init?.signal?.throwIfAborted()
    return new Response()
  }
  const write = steadyReads(LAKE, inner)
  await rejects(write(`${LAKE}/v1/data/actions/production`, {method: 'POST', body: '{}'}), /too long/)
  equal((await write(`${LAKE}/v1/users/me`)).status, 200)
})

test('a read that Studio does not need any more ends', async () => {
  const gone = new AbortController()
  const {read} = answering(new TypeError('Failed to fetch'))
  gone.abort(new Error('gone'))
  await rejects(read(QUERY, {signal: gone.signal}), /gone/)
})

test('writes, event streams and requests to others are sent once', async () => {
  for (const [url, method] of [
    [QUERY, 'POST'],
    [`${LAKE}/v2025-02-19/data/listen/production?query=*`, 'GET'],
    [QUERY.replace('lake', 'other'), 'GET'],
  ] as const) {
    const {read} = answering(new TypeError('Failed to fetch'), Response.json({}))
    await rejects(read(url, {method}), /Failed to fetch/)
  }
})
