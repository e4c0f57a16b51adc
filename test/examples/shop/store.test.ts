import assert from 'node:assert/strict'
import {test} from 'node:test'
import {Carts} from '../../../examples/shop/store/carts.ts'
import {Orders} from '../../../examples/shop/store/orders.ts'

const HOUR = 60 * 60 * 1000
const EMPTY = {lines: [], count: 0, total: 0}
const ADA = {name: 'Ada', address: 'Quay 1', email: 'ada@example.com'}

test('a cart is kept for a day after its visitor’s last request', () => {
  let now = 1
  const carts = new Carts({now: () => now})
  const [ada, charles] = [carts.open(), carts.open()]
  carts.set(ada, {productId: 'enamel-mug', size: undefined, quantity: 1})
  now += 23 * HOUR
  assert.equal(carts.linesOf(ada)?.length, 1)
  now += 23 * HOUR
  assert.equal(carts.linesOf(ada)?.length, 1)
  assert.equal(carts.linesOf(charles), undefined)
  now += 25 * HOUR
  assert.equal(carts.linesOf(ada), undefined)
})

test('beyond 10,000 carts, the least recently viewed one is removed', () => {
  const carts = new Carts()
  const [ada, charles] = [carts.open(), carts.open()]
  for (let number = 2; number < 10_000; number += 1) carts.open()
  assert.ok(carts.linesOf(ada))
  carts.open()
  assert.ok(carts.linesOf(ada))
  assert.equal(carts.linesOf(charles), undefined)
})

test('beyond 1,000 orders the oldest is removed, and its number is not reused', () => {
  const orders = new Orders()
  const first = orders.record('ada', EMPTY, ADA).number
  for (let number = 1; number < 1_000; number += 1) orders.record('ada', EMPTY, ADA)
  assert.ok(orders.find('ada', first))
  const next = orders.record('ada', EMPTY, ADA).number
  assert.deepEqual([first, next], ['HS-1001', 'HS-2001'])
  assert.ok(orders.find('ada', next))
  assert.equal(orders.find('ada', first), undefined)
})
