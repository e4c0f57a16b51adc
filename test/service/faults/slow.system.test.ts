import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {ageOf, configOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import type {Fault} from '../../support/network/network.ts'
import {type Fairground, type Stand, startFairground} from './stand.ts'

const slow: [name: string, fault: Fault][] = [
  ['responds after a second and a half', {kind: 'slow', milliseconds: 1_500}],
  ['sends its response a few bytes at a time', {kind: 'trickle'}],
]

const descriptionOf = async (stand: Stand) => (await configOf(stand.config())).tools[0]?.description

describe('a slow lake', {concurrency: 4}, () => {
  let fairground: Fairground
  before(async () => {
    fairground = await startFairground(3 * slow.length)
  })
  after(() => fairground.close())

  for (const [name, fault] of slow) {
    test(`a changed site, and the lake ${name}: the last known good config immediately, and the newest when it arrives`, async (t) => {
      const stand = await fairground.stand()
      t.after(() => stand.close())
      await stand.config()
      stand.network.fault = fault
      await stand.publish('New.')
      await eventually(
        async () => stand.network.unanswered,
        (unanswered) => unanswered > 0,
      )
      assert.equal(await descriptionOf(stand), 'Old.')
      assert.equal(stand.network.unanswered, 1, 'served before the lake responds')
      await eventually(() => descriptionOf(stand), 'New.')
    })

    test(`a site confirmed an hour ago, and the lake ${name}: the last known good config immediately, with its Age`, async (t) => {
      const stand = await fairground.stand()
      t.after(() => stand.close())
      await stand.config()
      stand.pass(3_600)
      stand.network.fault = fault
      const response = await stand.config()
      assert.ok(ageOf(response) >= 3_600)
      await eventually(
        async () => ageOf(await stand.config()),
        (age) => age < 10,
      )
    })

    test(`a site never requested, and the lake ${name}: the first requests wait, and join one query`, async (t) => {
      const stand = await fairground.stand()
      t.after(() => stand.close())
      stand.network.fault = fault
      const answers = await Promise.all(Array.from({length: 20}, () => descriptionOf(stand)))
      assert.deepEqual(new Set(answers), new Set(['Old.']))
      assert.equal(stand.network.queries.length, 1)
    })
  }
})
