import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {findRegressions, type Publish} from '../../../studio/calls/publishes.ts'
import type {CallsInHour} from '../../../studio/calls/report.ts'
import {type Counts, HOUR, hoursOf, NOW} from './hours.ts'

/** The same calls in each hour of a range. Hours count from now, so -1 is the one before this. */
function each(from: number, to: number, counts: Counts): CallsInHour[] {
  return Array.from({length: to - from}, (_, index) => hoursOf(at(from + index), counts)).flat()
}

function at(hours: number): number {
  return NOW - (NOW % HOUR) + hours * HOUR
}

const publish = (commit: string, hours: number, tools = ['cart']): Publish => ({
  commit,
  author: 'Ada Lovelace',
  time: at(hours) + HOUR / 2,
  tools,
})

const GOOD: Counts = {ok: 99, error: 1}
const BAD: Counts = {ok: 86, error: 14}

/** The commits that are named for the tool. */
function named(publishes: readonly Publish[], hours: readonly CallsInHour[]): string {
  const found = findRegressions(publishes, {hours, now: NOW})
  return found.map((one) => one.publishes.map(({commit}) => commit).join('+')).join(' ')
}

describe('a publish since which more calls fail', () => {
  test('is named with the shares before and after', () => {
    const hours = [...each(-100, -10, GOOD), ...each(-10, 1, BAD)]
    const abc = publish('abc', -10)
    assert.deepEqual(findRegressions([publish('older', -400), abc], {hours, now: NOW}), [
      {tool: 'cart', publishes: [abc], before: 0.01, after: 0.14},
    ])
  })

  test('is named within the first hour', () => {
    assert.equal(
      named([publish('abc', 0)], [...each(-10, 0, GOOD), ...each(0, 1, {ok: 20, error: 10})]),
      'abc',
    )
  })

  test('is named if it makes a tool refuse arguments', () => {
    const hours = [...each(-10, 0, {ok: 30}), ...each(0, 1, {ok: 20, refused: 10})]
    assert.equal(named([publish('abc', 0)], hours), 'abc')
  })

  test('is not named if cancelled and declined calls are more', () => {
    const hours = [...each(-10, 0, {ok: 30}), ...each(0, 1, {ok: 20, declined: 10, cancelled: 10})]
    assert.equal(named([publish('abc', 0)], hours), '')
  })

  test('is not named for other tools', () => {
    const hours = [...each(-100, -10, GOOD), ...each(-10, 1, BAD)]
    assert.equal(named([publish('abc', -10, ['search'])], hours), '')
  })

  test('is not named for a difference that chance explains', () => {
    assert.equal(
      named([publish('abc', -1)], [...each(-9, -1, {ok: 9, error: 1}), ...each(-1, 1, {ok: 8, error: 2})]),
      '',
    )
  })

  test('is not named before there are 20 calls on each side', () => {
    assert.equal(named([publish('abc', 0)], [...each(-1, 0, {ok: 19}), ...each(0, 1, {error: 100})]), '')
    assert.equal(named([publish('abc', 0)], [...each(-1, 0, {ok: 100}), ...each(0, 1, {error: 19})]), '')
    assert.equal(named([publish('abc', 0)], [...each(-1, 0, {ok: 20}), ...each(0, 1, {error: 20})]), 'abc')
  })

  test('is named after days if calls are rare', () => {
    const hours = [
      ...each(-200, -100, {ok: 1}),
      ...[-99, -70, -50, -20].flatMap((hour) => each(hour, hour + 1, {error: 5})),
    ]
    assert.equal(named([publish('abc', -100)], hours), 'abc')
  })

  test('is not named if no call fails', () => {
    assert.equal(named([publish('abc', -5)], [...each(-50, -5, {ok: 10}), ...each(-5, 1, {ok: 10})]), '')
  })
})

describe('of several publishes', () => {
  test('the one that broke the tool is named, not those before and after it', () => {
    const publishes = [publish('before', -60), publish('culprit', -40), publish('after', -20)]
    assert.equal(named(publishes, [...each(-100, -40, GOOD), ...each(-40, 1, BAD)]), 'culprit')
  })

  test('none is named after one of them repaired the tool', () => {
    const publishes = [publish('broke', -40), publish('repaired', -20)]
    const hours = [...each(-100, -40, GOOD), ...each(-40, -20, BAD), ...each(-20, 1, GOOD)]
    assert.equal(named(publishes, hours), '')
  })

  test('none is named until there are enough calls since the last one', () => {
    const publishes = [publish('broke', -40), publish('reverted', 0)]
    const hours = [...each(-100, -40, GOOD), ...each(-40, 0, BAD), ...each(0, 1, {ok: 10})]
    assert.equal(named(publishes, hours), '')
  })

  test('the last one that broke the tool is named', () => {
    const publishes = [publish('first', -80), publish('repaired', -60), publish('second', -20)]
    const hours = [
      ...each(-100, -80, GOOD),
      ...each(-80, -60, BAD),
      ...each(-60, -20, GOOD),
      ...each(-20, 1, BAD),
    ]
    assert.equal(named(publishes, hours), 'second')
  })

  test('those with too few calls between them are named together', () => {
    const publishes = [publish('one', -11), publish('two', -11), publish('three', -10)]
    const hours = [...each(-100, -11, GOOD), ...each(-11, -10, {ok: 5, error: 5}), ...each(-10, 1, BAD)]
    assert.equal(named(publishes, hours), 'one+two+three')
  })

  test('their order in the list does not matter', () => {
    const publishes = [publish('after', -20), publish('culprit', -40), publish('before', -60)]
    assert.equal(named(publishes, [...each(-100, -40, GOOD), ...each(-40, 1, BAD)]), 'culprit')
  })
})

test('errors that began long after a publish are not blamed on it', () => {
  const hours = [...each(-300, -200, GOOD), ...each(-200, -100, GOOD), ...each(-100, 1, BAD)]
  assert.equal(named([publish('abc', -200)], hours), '')
})

test('a publish is not named any more once the errors have stopped', () => {
  const hours = [...each(-400, -300, GOOD), ...each(-300, -200, BAD), ...each(-200, 1, GOOD)]
  assert.equal(named([publish('abc', -300)], hours), '')
})
