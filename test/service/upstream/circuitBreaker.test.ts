import assert from 'node:assert/strict'
import {test} from 'node:test'
import {BusyError, LakeError} from '../../../service/errors.ts'
import {createServiceEvents} from '../../../service/events.ts'
import {UpstreamCircuitBreaker} from '../../../service/upstream/circuitBreaker.ts'
import {eventually} from '../../support/eventually.ts'

function openBreaker() {
  const events = createServiceEvents()
  const states: string[] = []
  events.on('lake', (state) => states.push(state))
  return {breaker: new UpstreamCircuitBreaker(events), events, states}
}

/** A query that ends when the test says so. */
function held() {
  const {promise, resolve, reject} = Promise.withResolvers<string>()
  return {query: () => promise, resolve, reject}
}

const fails = () => Promise.reject(new Error('no response'))
const answers = async () => 'a response'

async function ask(breaker: UpstreamCircuitBreaker, query: () => Promise<string>): Promise<unknown> {
  return breaker.ask('site', 'known', query).catch((error: unknown) => error)
}

test('the circuit breaker opens after three consecutive failures, and one query probes whether the lake responds', async () => {
  const {breaker, states} = openBreaker()
  assert.ok((await ask(breaker, fails)) instanceof LakeError)
  await ask(breaker, fails)
  assert.equal(breaker.refusal('known'), undefined)
  await ask(breaker, fails)
  let asked = 0
  const counted = async () => String(++asked)
  assert.ok((await ask(breaker, counted)) instanceof LakeError)
  assert.equal(asked, 0)
  assert.ok(breaker.refusal('known') instanceof LakeError)
  assert.equal(breaker.maxWait(100), 0)

  await eventually(
    async () => breaker.refusal('known'),
    (refusal) => refusal === undefined,
  )
  const probe = held()
  const probed = ask(breaker, probe.query)
  await eventually(
    async () => breaker.state,
    (state) => state === 'probed',
  )
  assert.ok((await ask(breaker, counted)) instanceof LakeError, 'no query waits for the probe')
  assert.ok(breaker.refusal('known'))
  assert.equal(asked, 0)
  probe.resolve('a response')
  assert.equal(await probed, 'a response')
  assert.equal(await ask(breaker, counted), '1')
  assert.deepEqual(states, ['failing', 'probed', 'answering'])
})

test('a success resets the count of consecutive failures', async () => {
  const {breaker} = openBreaker()
  for (const query of [fails, fails, answers, fails, fails]) await ask(breaker, query)
  assert.equal(breaker.state, 'answering')
})

test('the delay grows with each failed probe', async () => {
  const {breaker} = openBreaker()
  const pauses: number[] = []
  for (let failure = 0; failure < 2; failure++) await ask(breaker, fails)
  for (let attempt = 0; attempt < 3; attempt++) {
    await ask(breaker, fails)
    const began = performance.now()
    await eventually(
      async () => breaker.refusal('known'),
      (refusal) => refusal === undefined,
      5,
    )
    pauses.push(performance.now() - began)
  }
  const [first = 0, , third = 0] = pauses
  // Up to half of it is jitter: 250 to 500 ms, and 1 to 2 s.
  assert.ok(third > first, `pauses of ${pauses.map(Math.round).join(', ')} ms`)
})

test('concurrent queries are bounded, in each bulkhead separately', async () => {
  const {breaker} = openBreaker()
  const holds = Array.from({length: 16 + 256 + 1}, () => held())
  const unknown = holds.map(({query}) =>
    breaker.ask('site', 'unknown', query).catch((error: unknown) => error),
  )
  assert.ok((await unknown.at(-1)) instanceof BusyError)
  assert.ok(breaker.refusal('unknown') instanceof BusyError)
  assert.equal(breaker.refusal('known'), undefined)
  assert.equal(await ask(breaker, answers), 'a response', 'a query for a known site does not wait for them')
  for (const {resolve} of holds) resolve('a response')
  assert.deepEqual(new Set((await Promise.all(unknown)).slice(0, -1)), new Set(['a response']))
})

test('a query refused by a full bulkhead is not a failure of the lake', async () => {
  const {breaker, states} = openBreaker()
  const holds = Array.from({length: 400}, () => held())
  const asked = holds.map(({query}) => breaker.ask('site', 'unknown', query).catch(() => {}))
  for (const {resolve} of holds) resolve('a response')
  await Promise.all(asked)
  assert.deepEqual(states, [])
})

test('the time that the lake has already been hanging is subtracted from the wait of new queries', async () => {
  const {breaker} = openBreaker()
  assert.equal(breaker.maxWait(60), 60)
  const hanging = held()
  const asked = ask(breaker, hanging.query)
  await eventually(
    async () => breaker.maxWait(60),
    (patience) => patience === 0,
  )
  assert.ok(breaker.maxWait(60_000) > 0)
  hanging.resolve('a response')
  await asked
  assert.equal(breaker.maxWait(60), 60)
})

test('a lost connection is retried once; no other failure is', async () => {
  const {breaker} = openBreaker()
  const lost = new TypeError('fetch failed', {cause: Object.assign(new Error(), {code: 'ECONNRESET'})})
  let asked = 0
  const lostOnce = async () => {
    if (++asked === 1) throw lost
    return 'a response'
  }
  assert.equal(await ask(breaker, lostOnce), 'a response')
  asked = 0
  const counted = async () => {
    asked++
    throw new Error('anything else')
  }
  await ask(breaker, counted)
  assert.equal(asked, 1)
})

test('every query is reported, with its duration and outcome', async () => {
  const {breaker, events} = openBreaker()
  const told: unknown[] = []
  events.on('asked', (query, milliseconds, answered) => told.push([query, milliseconds >= 0, answered]))
  await ask(breaker, answers)
  await breaker.ask('revision', 'unknown', fails).catch(() => {})
  assert.deepEqual(told, [
    ['site', true, true],
    ['revision', true, false],
  ])
})
