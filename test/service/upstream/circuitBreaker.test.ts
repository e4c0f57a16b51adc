import assert from 'node:assert/strict'
import {test} from 'node:test'
import {setImmediate} from 'node:timers/promises'
import {ClientError, ServerError} from '@sanity/client'
import {BusyError, SiteOrUpstreamError, UpstreamError} from '../../../service/errors.ts'
import {createServiceEvents} from '../../../service/events.ts'
import {UpstreamCircuitBreaker} from '../../../service/upstream/circuitBreaker.ts'

function openBreaker() {
  const events = createServiceEvents()
  let now = 0
  const breaker = new UpstreamCircuitBreaker(events, {now: () => now})
  return {
    breaker,
    events,
    pass(milliseconds: number) {
      now += milliseconds
    },
    /** Passes time until the open breaker would send a probe. @returns the milliseconds */
    untilProbe(): number {
      const began = now
      while (breaker.refusal('known') !== undefined) now += 10
      return now - began
    },
  }
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
  const {breaker, untilProbe} = openBreaker()
  assert.ok((await ask(breaker, fails)) instanceof UpstreamError)
  await ask(breaker, fails)
  assert.equal(breaker.refusal('known'), undefined)
  await ask(breaker, fails)
  let asked = 0
  const counted = async () => String(++asked)
  assert.ok((await ask(breaker, counted)) instanceof UpstreamError)
  assert.equal(asked, 0)
  assert.equal(breaker.state, 'failing')
  assert.ok(breaker.refusal('known') instanceof UpstreamError)

  untilProbe()
  const probe = held()
  const probed = ask(breaker, probe.query)
  assert.equal(breaker.state, 'probed')
  assert.ok((await ask(breaker, counted)) instanceof UpstreamError, 'no query waits for the probe')
  assert.ok(breaker.refusal('known'))
  assert.equal(asked, 0)
  probe.resolve('a response')
  assert.equal(await probed, 'a response')
  assert.equal(await ask(breaker, counted), '1')
  assert.equal(breaker.state, 'answering')
})

test('a success resets the count of consecutive failures', async () => {
  const {breaker} = openBreaker()
  for (const query of [fails, fails, answers, fails, fails]) await ask(breaker, query)
  assert.equal(breaker.state, 'answering')
})

test('the delay grows with each failed probe', async () => {
  const {breaker, untilProbe} = openBreaker()
  const pauses: number[] = []
  for (let failure = 0; failure < 2; failure++) await ask(breaker, fails)
  for (let attempt = 0; attempt < 3; attempt++) {
    await ask(breaker, fails)
    pauses.push(untilProbe())
  }
  const [first = 0, , third = 0] = pauses
  // Up to half of it is jitter: 250 to 500 ms, and 1 to 2 s.
  assert.ok(third > first, `pauses of ${pauses.join(', ')} ms`)
})

/** The error of the client for a 429 that says how many seconds to wait. */
function tooManyRequests(seconds: number): ClientError {
  return new ClientError({
    statusCode: 429,
    statusMessage: 'Too Many Requests',
    headers: {'retry-after': `${seconds}`, 'content-type': 'application/json'},
    body: {error: 'Too Many Requests', message: 'slow down'},
    url: 'http://127.0.0.1/',
    method: 'GET',
  })
}

test('one failure with Retry-After opens the circuit breaker for that long', async () => {
  const {breaker, untilProbe} = openBreaker()
  await ask(breaker, () => Promise.reject(tooManyRequests(60)))
  assert.equal(breaker.state, 'failing')
  assert.equal(untilProbe(), 60_000)
})

test('a Retry-After is heeded whatever else fails at the same time', async () => {
  for (const order of [
    ['told', 'other'],
    ['other', 'told'],
  ]) {
    const {breaker, untilProbe} = openBreaker()
    const [told, other] = [held(), held()]
    const asked = [ask(breaker, told.query), ask(breaker, other.query)]
    for (const query of order)
      if (query === 'told') told.reject(tooManyRequests(60))
      else other.reject(new Error('no response'))
    await Promise.all(asked)
    assert.equal(breaker.state, 'failing', `${order}`)
    assert.equal(untilProbe(), 60_000, `${order}`)
  }
})

test('concurrent queries are bounded, in each bulkhead separately, and those beyond are no failure of the lake', async () => {
  const {breaker} = openBreaker()
  const holds = Array.from({length: 16 + 256 + 3}, () => held())
  const unknown = holds.map(({query}) =>
    breaker.ask('site', 'unknown', query).catch((error: unknown) => error),
  )
  assert.ok((await unknown.at(-1)) instanceof BusyError)
  assert.ok(breaker.refusal('unknown') instanceof BusyError)
  assert.equal(breaker.refusal('known'), undefined)
  assert.equal(await ask(breaker, answers), 'a response', 'a query for a known site does not wait for them')
  for (const {resolve} of holds) resolve('a response')
  assert.deepEqual(new Set((await Promise.all(unknown)).slice(0, -3)), new Set(['a response']))
  assert.equal(breaker.state, 'answering')
})

/** A query that upstream responds to with a status. */
const failsWith = (statusCode: number) => () =>
  Promise.reject(
    new ServerError({statusCode, headers: {}, body: {}, url: 'http://127.0.0.1/', method: 'GET'}),
  )

test('failures that may be due to a site do not open the circuit breaker, but that of a probe does', async () => {
  const {breaker} = openBreaker()
  for (let number = 0; number < 10; number++)
    assert.ok((await ask(breaker, failsWith(500))) instanceof SiteOrUpstreamError)
  assert.equal(breaker.state, 'answering')
  const probed = await breaker.ask('probe', 'probe', failsWith(500)).catch((error: unknown) => error)
  assert.ok(probed instanceof UpstreamError && !(probed instanceof SiteOrUpstreamError))
  assert.equal(breaker.state, 'failing')
})

test('a failure that may be due to a site does not close an open circuit breaker', async () => {
  const {breaker, untilProbe} = openBreaker()
  for (let number = 0; number < 3; number++) await ask(breaker, fails)
  untilProbe()
  await ask(breaker, failsWith(500))
  assert.equal(breaker.state, 'failing')
})

test('queries for failing sites neither delay those for others nor shorten their waits', async () => {
  const {breaker, pass} = openBreaker()
  const holds = Array.from({length: 16}, () => held())
  const failing = holds.map(({query}) => breaker.ask('site', 'failing', query))
  pass(2_000)
  assert.equal(await ask(breaker, answers), 'a response')
  for (const {resolve} of holds) resolve('a response')
  await Promise.all(failing)
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

test('a query that takes three seconds fails, its signal aborts, and the next one is sent', async (t) => {
  t.mock.timers.enable({apis: ['setTimeout']})
  const breaker = new UpstreamCircuitBreaker(createServiceEvents())
  let isAborted = false
  const hangs = (signal: AbortSignal) =>
    new Promise<string>((_, reject) => {
      signal.addEventListener('abort', () => {
        isAborted = true
        reject(signal.reason)
      })
    })
  const refused = assert.rejects(breaker.ask('site', 'known', hangs), UpstreamError)
  await setImmediate()
  t.mock.timers.tick(2_999)
  assert.equal(isAborted, false)
  t.mock.timers.tick(1)
  assert.ok(isAborted)
  await refused
  assert.equal(await ask(breaker, answers), 'a response')
})
