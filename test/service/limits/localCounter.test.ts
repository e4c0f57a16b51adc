import assert from 'node:assert/strict'
import {test} from 'node:test'
import {LocalCounter} from '../../../service/limits/localCounter.ts'

const WINDOW = 60_000

/** Maximum number of windows. */
const KEPT = 50_000

/** Counts requests of this many new clients. */
function crowd(counter: LocalCounter, count: number, name: string): void {
  for (let client = 0; client < count; client++) counter.increment(`${name} ${client}`, WINDOW)
}

test('the oldest window is evicted, and starts over', () => {
  const counter = new LocalCounter()
  for (let asked = 1; asked <= 5; asked++) assert.equal(counter.increment('shop', WINDOW).current, asked)
  crowd(counter, KEPT - 1, 'one')
  assert.equal(counter.increment('shop', WINDOW).current, 6, 'the window is kept next to that many others')
  crowd(counter, KEPT, 'other')
  const {current, ttl} = counter.increment('shop', WINDOW)
  assert.equal(current, 1, 'one more evicts it')
  assert.ok(ttl > WINDOW / 2)
})

test('evictions never make a client’s count higher than its requests', () => {
  const counter = new LocalCounter()
  const neighbours = ['often', 'now and then', 'seldom'].map((name, index) => ({
    name,
    every: 7 ** (index + 2),
    asked: 0,
    mostCounted: 0,
  }))
  for (let stranger = 0; stranger < 4 * KEPT; stranger++) {
    counter.increment(`stranger ${stranger}`, WINDOW)
    for (const neighbour of neighbours) {
      if (stranger % neighbour.every > 0) continue
      neighbour.asked++
      const {current} = counter.increment(neighbour.name, WINDOW)
      neighbour.mostCounted = Math.max(neighbour.mostCounted, current)
      assert.ok(current >= 1 && current <= neighbour.asked, neighbour.name)
    }
  }
  for (const {name, asked, mostCounted} of neighbours)
    assert.equal(mostCounted, asked, `${name}: a client that requests now and then keeps its window`)
})

test('refunding a request after its window was evicted leaves no negative count', () => {
  const counter = new LocalCounter()
  counter.increment('shop', WINDOW)
  crowd(counter, KEPT, 'stranger')
  counter.decrement('shop')
  assert.equal(counter.increment('shop', WINDOW).current, 1)
  counter.decrement('shop')
  counter.decrement('shop')
  assert.equal(counter.increment('shop', WINDOW).current, 1, 'never below zero')
})
