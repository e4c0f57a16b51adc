import assert from 'node:assert/strict'
import {test} from 'node:test'
import {Violation} from '../violation.ts'
import {fieldsOf, Ledger, publicIdOf} from './ledger.ts'
import {seriesOf} from './samples.ts'

// The load runs for half an hour and should find nothing. These tests check that it could.

const never = {
  oldest: () => 60_000,
  deadline: (acknowledged: number) => acknowledged + 10_000,
}

function configWith(number: number): string {
  return JSON.stringify({tools: [{name: 'everywhere', ...fieldsOf('everywhere', number)}], formTools: []})
}

test('the current edition may be served, and the previous one for as long as Age allows', (t) => {
  t.mock.timers.enable({apis: ['Date'], now: 1_000_000})
  const ledger = new Ledger(never)
  const old = ledger.read(0, '/', configWith(0))
  ledger.publish(0, 'everywhere').acknowledge()
  const current = ledger.read(0, '/', configWith(1))
  ledger.check(0, current, 1_005_000, 0)
  ledger.check(0, old, 1_005_000, 5)
})

test('a config older than its Age is a violation', (t) => {
  t.mock.timers.enable({apis: ['Date'], now: 1_000_000})
  const ledger = new Ledger(never)
  const old = ledger.read(0, '/', configWith(0))
  ledger.publish(0, 'everywhere').acknowledge()
  assert.throws(
    () => ledger.check(0, old, 1_005_000, 4),
    isViolation(/came 5000 ms after the next one with Age 4/),
  )
})

test('a config served after the deadline for the next one is a violation', (t) => {
  t.mock.timers.enable({apis: ['Date'], now: 1_000_000})
  const ledger = new Ledger(never)
  const old = ledger.read(0, '/', configWith(0))
  ledger.publish(0, 'everywhere').acknowledge()
  assert.throws(
    () => ledger.check(0, old, 1_010_001, 11),
    isViolation(/still came 10001 ms after the next one/),
  )
})

test('an Age beyond the stale limit is a violation', () => {
  const ledger = new Ledger(never)
  const current = ledger.read(0, '/', configWith(0))
  assert.throws(() => ledger.check(0, current, Date.now(), 62), isViolation(/Age 62, and 60 are allowed/))
})

test('a config that was never published, belongs to another path, or is otherwise changed is a violation', () => {
  const ledger = new Ledger(never)
  const unknown = ledger.read(0, '/', configWith(1))
  assert.throws(() => ledger.check(0, unknown, Date.now(), 0), isViolation(/never published/))
  assert.throws(
    () => ledger.read(0, '/contact', configWith(0)),
    isViolation(/public-0\/contact has everywhere/),
  )
  const otherwise = configWith(0).replace('Does what', 'Did what')
  assert.throws(
    () => ledger.read(0, '/', otherwise),
    isViolation(new RegExp(`${publicIdOf(0)}/ is .*Did what`)),
  )
})

test('growth by a tenth after the warm-up is reported, and fluctuation is not', () => {
  const samples = (memoryAt: (number: number) => number) =>
    Array.from({length: 100}, (_, number) => ({
      at: number,
      memory: memoryAt(number) * 2 ** 20,
      held: number % 4 === 0 ? memoryAt(number) * 2 ** 20 + (number % 12 === 0 ? 2 ** 25 : 0) : undefined,
      files: 40,
      handles: number < 95 ? 10 : 100,
    }))
  const growing = seriesOf(samples((number) => 200 + number / 2))
  assert.deepEqual(
    growing.map(({name, hasGrown}) => [name, hasGrown]),
    [
      ['memory', true],
      ['held', true],
      ['files', false],
      ['handles', false],
    ],
  )
  const steady = seriesOf(samples((number) => 200 + (number % 20) * 4))
  assert.ok(steady.every(({hasGrown}) => hasGrown === false))
  // Requests in outages at the end.
  const [, held] = seriesOf(samples((number) => (number > 80 && number % 8 !== 0 ? 260 : 200)))
  assert.equal(held?.hasGrown, false)
})

function isViolation(message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof Violation && message.test(error.message)
}
