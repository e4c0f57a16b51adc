import assert from 'node:assert/strict'
import {test} from 'node:test'
import {ClientError} from '@sanity/client'
import {LOSSLESS} from '../../../common/log/log.ts'
import {SiteError} from '../../../service/errors.ts'
import {createServiceEvents} from '../../../service/events.ts'
import {Readiness, type ReadinessOptions} from '../../../service/operations/readiness.ts'
import type {BreakerState} from '../../../service/upstream/circuitBreaker.ts'

const nothing: ReturnType<ReadinessOptions['sites']['status']> = {
  sites: 0,
  absent: 0,
  oldestInUse: undefined,
  fromSnapshot: 0,
  invalidDocuments: 0,
  failing: 0,
}

function readinessWith({
  files = 0,
  foreign = 0,
  probe = async (): Promise<unknown> => undefined,
  logHealth = LOSSLESS,
  warning,
  sites = {},
}: Partial<Pick<ReadinessOptions, 'probe' | 'logHealth'>> & {
  files?: number
  foreign?: number
  warning?: string
  sites?: Partial<typeof nothing>
} = {}) {
  const events = createServiceEvents()
  const breaker: {state: BreakerState} = {state: 'answering'}
  const readiness = new Readiness({
    events,
    breaker,
    sites: {status: () => ({...nothing, ...sites})},
    snapshots: {counts: {files, bytes: 0, foreign}},
    originTrial: {warning: () => warning},
    logHealth,
    probe,
    probeTimeout: 10,
  })
  return {events, readiness, breaker}
}

/** The error of a query that upstream refuses with 401. */
const refusedToken = new ClientError({
  statusCode: 401,
  statusMessage: 'Unauthorized',
  headers: {},
  body: {},
  url: '',
  method: 'GET',
})

test('a closing service is not ready, whatever the state of its parts, and sends no queries', async () => {
  const {events, readiness} = readinessWith({probe: () => assert.fail('the lake is queried')})
  events.emit('asked', 'site', 1, true, undefined)
  events.emit('live', true)
  assert.equal((await readiness.report()).status, 'ready')
  readiness.drain()
  const {status, reasons} = await readiness.report()
  assert.deepEqual([status, reasons], ['draining', ['The service is shutting down.']])
})

test('an origin trial token that ended is a warning, and the service stays ready', async () => {
  const {events, readiness} = readinessWith({warning: 'It has expired.'})
  events.emit('asked', 'site', 1, true, undefined)
  events.emit('live', true)
  const {status, reasons, warnings} = await readiness.report()
  assert.deepEqual([status, reasons, warnings], ['ready', [], ['It has expired.']])
})

test('only snapshots of another lake are nothing to serve, and the report names them until the lake responds', async () => {
  const {events, readiness} = readinessWith({foreign: 20})
  const {status, reasons} = await readiness.report()
  assert.equal(status, 'unready')
  assert.match(reasons.join(), /20 snapshots are of another SANITY_API_HOST/)
  events.emit('asked', 'site', 1, true, undefined)
  assert.doesNotMatch((await readiness.report()).reasons.join(), /snapshots/)
})

test('a lake that hangs does not delay the report', async () => {
  const {readiness} = readinessWith({probe: () => new Promise(() => {})})
  assert.equal((await readiness.report()).status, 'unready')
})

test('the last error is reported in one line of bounded length', async () => {
  const {events, readiness, breaker} = readinessWith({files: 1})
  events.emit('live', true)
  events.emit('asked', 'site', 1, true, undefined)
  events.emit('asked', 'site', 1, false, new Error(`first line\n  ${'x'.repeat(1_000)}`))
  breaker.state = 'failing'
  const [reason = ''] = (await readiness.report()).reasons
  assert.match(reason, /^Content lake unreachable; .* \(first line x{189}\)\.$/)
})

test('a token that upstream refuses is told apart from silence, before and after the first response', async () => {
  const {events, readiness, breaker} = readinessWith({files: 1})
  events.emit('live', true)
  const reasons = async () => (await readiness.report()).reasons.join()
  events.emit('asked', 'site', 1, false, new Error('connect ECONNREFUSED'))
  assert.match(await reasons(), /has not responded since/)
  events.emit('asked', 'site', 1, false, refusedToken)
  assert.match(
    await reasons(),
    /^The content lake refuses the token of the service: correct SANITY_API_TOKEN/,
  )
  events.emit('asked', 'probe', 1, true, undefined)
  assert.equal(await reasons(), '')
  breaker.state = 'failing'
  events.emit('asked', 'site', 1, false, refusedToken)
  assert.match(await reasons(), /refuses the token/)
  events.emit('asked', 'probe', 1, false, new Error('No result after 3000 ms.'))
  assert.match(await reasons(), /unreachable/)
})

test('losing Redis, and snapshots that cannot be written, degrade readiness until that ends', async () => {
  const {events, readiness} = readinessWith({files: 1})
  events.emit('asked', 'site', 1, true, undefined)
  events.emit('live', true)
  events.emit('limits', false, 'connect ECONNREFUSED')
  events.emit('snapshotFailed', 'write', '/snapshots', new Error('ENOSPC: no space left on device'))
  const {status, reasons} = await readiness.report()
  assert.deepEqual([status, reasons.length], ['degraded', 2])
  assert.match(reasons.join(), /ENOSPC.*ECONNREFUSED/)
  events.emit('limits', true)
  events.emit('snapshot', 'written', 'shop-public')
  assert.equal((await readiness.report()).status, 'ready')
})

test('an error for one site changes nothing, but does not prove that upstream has this dataset', async () => {
  const {events, readiness} = readinessWith()
  events.emit('live', true)
  events.emit('asked', 'site', 1, false, new SiteError('refused'))
  const first = await readiness.report()
  assert.equal(first.status, 'unready')
  assert.match(first.reasons.join(), /\(refused\)/)
  events.emit('asked', 'revision', 1, true, undefined)
  events.emit('asked', 'site', 1, false, new SiteError('refused'))
  const second = await readiness.report()
  assert.deepEqual([second.status, second.reasons], ['ready', []])
})

for (const {sites, expected} of [
  {sites: {sites: 3, oldestInUse: 5_000, failing: 1}, expected: 'ready'},
  {sites: {sites: 3, failing: 3}, expected: 'degraded'},
  {sites: {failing: 1}, expected: 'degraded'},
])
  test(`${JSON.stringify(sites)} while the content lake responds: ${expected}`, async () => {
    const {events, readiness} = readinessWith({sites})
    events.emit('asked', 'site', 1, true, undefined)
    events.emit('live', true)
    const {status, reasons} = await readiness.report()
    assert.equal(status, expected)
    assert.match(reasons.join(), expected === 'ready' ? /^$/ : /^No site that was requested can be refreshed/)
  })

test('a log that loses lines degrades the status, and the reason says how many', async () => {
  const {events, readiness} = readinessWith({logHealth: {lostLines: 7, isLosingLines: true}})
  events.emit('asked', 'site', 1, true, undefined)
  events.emit('live', true)
  const {status, reasons} = await readiness.report()
  assert.equal(status, 'degraded')
  assert.deepEqual(reasons, ['The log cannot be written: 7 lines were lost.'])
})
