import assert from 'node:assert/strict'
import {test} from 'node:test'
import {Traffic} from '../../panel/tests/traffic.ts'
import {causeOf} from '../../verdicts/cause.ts'

const FAILED = {outcome: {kind: 'error', message: 'No.'}, milliseconds: 10} as const

const begin = (traffic: Traffic, address = 'https://shop.example/api/products?q=rope') =>
  traffic.begin({method: 'GET', address, headers: []})

async function cause(use: (traffic: Traffic) => void, isBlocked = false): Promise<string | undefined> {
  const traffic = new Traffic('https://shop.example', () => isBlocked, 1)
  use(traffic)
  return causeOf(FAILED, {requests: await traffic.settled(), missing: []})
}

test('the cause of a failed test is the request that failed, with the beginning of its response', async () => {
  const answer = {status: 404, contentType: 'application/json', text: `{"error": "${'x'.repeat(1_000)}"}`}
  const found = await cause((traffic) => traffic.answer(begin(traffic), answer))
  assert.match(found ?? '', /^GET \/api\/products\?q=rope returned 404: \{"error": "x+…\.$/)
  const elsewhere = await cause((traffic) => {
    traffic.answer(begin(traffic, 'https://api.example/x'), {...answer, text: ''})
  })
  assert.equal(elsewhere, 'GET https://api.example/x returned 404.')
})

test('a request without a response says why, and one that the script cancelled is no cause', async () => {
  const failed = (error?: unknown) => (traffic: Traffic) => traffic.fail(begin(traffic), error)
  assert.equal(
    await cause(failed(new TypeError('Failed to fetch'))),
    'GET /api/products?q=rope failed: Failed to fetch.',
  )
  assert.equal(await cause(failed()), 'GET /api/products?q=rope failed: no response.')
  assert.equal(await cause(failed(new DOMException('Cancelled', 'AbortError'))), undefined)
  assert.equal(
    await cause(failed(new TypeError('Failed to fetch')), true),
    'The Content-Security-Policy of the page blocked GET /api/products?q=rope.',
  )
})

test('waits for responses that are on their way, and no longer than it may', async () => {
  const traffic = new Traffic('https://shop.example', () => false, 60_000)
  const id = begin(traffic)
  const settled = traffic.settled()
  traffic.answer(id, {status: 500, contentType: 'text/plain', text: 'Out of order'})
  const [request] = await settled
  assert.deepEqual([request?.status, request?.body], [500, 'Out of order'])

  const [open] = await (async () => {
    const late = new Traffic('https://shop.example', () => false, 1)
    begin(late)
    return late.settled()
  })()
  assert.equal(open?.status, undefined)
  assert.ok((open?.milliseconds ?? 0) > 0)
})
