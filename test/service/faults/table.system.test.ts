import assert from 'node:assert/strict'
import {after, before, describe, test} from 'node:test'
import {ageOf, configOf, errorOf} from '../../support/answers.ts'
import {eventually} from '../../support/eventually.ts'
import {type Fairground, type Stand, startFairground} from './stand.ts'
import {type State, states} from './states.ts'
import {type Trouble, troubles, typicalTroubles} from './troubles.ts'

type Row = {name: string; state: State; trouble: Trouble; asked: number}

const rows = Object.entries(states).flatMap(([stateName, state]) =>
  Object.entries(troubles)
    .filter(([name]) => typicalTroubles.includes(name))
    .map(([troubleName, trouble]): Row => {
      const asked = state.askedFor === 'no one' ? 0 : trouble.asked
      const name = `a site ${stateName}, and the lake ${troubleName}: ${state.sees}, ${asked} queries`
      return {name, state, trouble, asked}
    }),
)

/** Milliseconds within which a faulty response certainly arrives. */
const LONG_QUERY = 30_000

/** Concurrent visitors after the first one was served. */
const CROWD = 10

describe('what a visitor receives, and how many queries the lake gets', {concurrency: 12}, () => {
  let fairground: Fairground
  before(async () => {
    fairground = await startFairground(rows.length)
  })
  after(() => fairground.close())

  for (const {name, state, trouble, asked} of rows) {
    test(name, async (t) => {
      // A busy machine must not add timeouts to the faults that are not about time.
      const stand = await fairground.stand(trouble.isSlow ? {} : {query: LONG_QUERY})
      t.after(() => stand.close())
      const good = await state.prepare(stand)

      const retries = await begin(stand, trouble, state)
      if (state.isRestarted) await stand.restart()
      if (state.askedFor === 'the change') {
        await stand.publish('New.')
        await asksOf(stand, asked, retries)
      }
      await see(stand, state, good)
      await asksOf(stand, asked, retries)
      if (trouble.isSlow && state.sees !== 500)
        assert.equal(stand.network.unanswered, asked, 'served while the lake still hangs')
      await Promise.all(Array.from({length: CROWD}, () => see(stand, state, good)))
      // After three consecutive failures the circuit breaker opens.
      const {length} = stand.network.queries
      assert.ok(length <= asked * (3 + retries()), `${length} queries`)

      await end(stand, trouble)
      if (state.askedFor !== 'the change' && !state.afterwards) await stand.publish('New.')
      await seeNewest(stand, state)
    })
  }
})

/** The shortest delays before retries, in milliseconds: half of what the circuit breaker's back-off doubles each time. */
const FIRST_RETRY = 250
const LATER_RETRY = 2_500

/** How many retries may have become due in so many milliseconds. */
function retriesWithin(elapsed: number): number {
  let retries = 0
  for (let due = FIRST_RETRY; due <= elapsed; retries++)
    due += Math.min(FIRST_RETRY * 2 ** (retries + 1), LATER_RETRY)
  return retries
}

/** Starts a fault. Returns a function that returns how many retries may have become due since. */
async function begin({network}: Stand, {fault}: Trouble, {askedFor}: State): Promise<() => number> {
  // Without a sign of life, the age is that of the last confirmation.
  network.isMuted = askedFor !== 'the change'
  network.queries.length = 0
  if (fault === 'unplugged') await network.unplug()
  // `lostEvents.test.ts` tests audits that fail: sites are then compared.
  else network.fault = (url) => (url.includes('tag=handrail.changes') ? {kind: 'none'} : fault)
  const began = performance.now()
  return () => retriesWithin(performance.now() - began)
}

async function end({network}: Stand, {fault}: Trouble): Promise<void> {
  if (fault === 'unplugged') await network.plug()
  network.fault = {kind: 'none'}
  network.isMuted = false
  network.cut()
}

async function asksOf({network}: Stand, asked: number, retries: () => number): Promise<void> {
  await eventually(
    async () => network.queries.length,
    (length) => length >= asked,
    10,
  )
  const {length} = network.queries
  assert.ok(length >= asked && length <= asked * (1 + retries()), `${length} queries`)
}

async function see(stand: Stand, {sees, age = 0}: State, good: string | undefined): Promise<void> {
  const response = await stand.config()
  if (sees !== 'the last known good config') {
    assert.equal((await errorOf(response)).status, sees)
    return
  }
  assert.equal(response.status, 200)
  assert.equal(await response.text(), good)
  assert.ok(ageOf(response) >= age && ageOf(response) < age + 60, `Age: ${ageOf(response)}`)
}

async function seeNewest(stand: Stand, state: State): Promise<void> {
  const expected: number = state.afterwards ?? 200
  await eventually(
    async () => {
      const response = await stand.config()
      if (response.status !== 200) return {status: response.status}
      const {tools} = await configOf(response)
      return {status: 200, description: tools[0]?.description, age: ageOf(response)}
    },
    ({status, description, age = 0}) =>
      status === expected && (status !== 200 || (description === 'New.' && age < 10)),
    10,
  )
}
