import assert from 'node:assert/strict'
import {test} from 'node:test'
import {SharedVisits} from '../../../service/visits/sharedVisits.ts'
import {ANY_PAGE} from '../../../service/visits/visits.ts'
import {eventually} from '../../support/eventually.ts'
import {startRedis} from '../../support/network/redis.ts'

test('replicas share the newest time of each page, and go on without Redis', async (t) => {
  const redis = await startRedis([])
  t.after(() => redis.dispose())
  const [one, other] = ['one', 'other'].map(() => {
    const shared = new SharedVisits({url: redis.url, prefix: 'test:', clock: Date.now})
    t.after(() => shared.close())
    return shared
  })
  assert.ok(one && other)
  const now = Date.now()
  await eventually(
    () => one.of('shop'),
    (times) => times?.size === 0,
  )
  one.add('shop', new Map([[ANY_PAGE, now]]))
  other.add(
    'shop',
    new Map([
      [ANY_PAGE, now - 10_000],
      ['cart', now - 10_000],
    ]),
  )
  await eventually(
    () => one.of('shop'),
    (times) => times?.size === 2,
  )
  assert.deepEqual(
    await other.of('shop'),
    new Map([
      ['cart', now - 10_000],
      [ANY_PAGE, now],
    ]),
  )
  await redis.kill()
  other.add('shop', new Map([['cart', now]]))
  assert.equal(await other.of('shop'), undefined)
})
