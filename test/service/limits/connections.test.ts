import assert from 'node:assert/strict'
import {once} from 'node:events'
import {test} from 'node:test'
import {connectFrom} from '../../support/client.ts'
import {startHouse} from '../../support/house.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

test('a client learns the keep-alive timeout', async (t) => {
  const house = await startHouse([siteDocument(), toolDocument()])
  t.after(() => house.close())
  const kept = await connectFrom('127.0.0.3', house.serviceAddress)
  t.after(() => kept.destroy())
  kept.write('GET /api/sites/shop-public/config HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const [answer]: Buffer[] = await once(kept, 'data')
  assert.match(String(answer), /^keep-alive: timeout=72\r$/im)
})
