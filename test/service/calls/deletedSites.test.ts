import assert from 'node:assert/strict'
import {test} from 'node:test'
import {DeletedSites} from '../../../service/calls/deletedSites.ts'

const HOUR = 3_600_000

/** A store with quiet sites, and what upstream says of them. */
function deletedSitesOf(sites: readonly string[]) {
  const stored = new Set(sites)
  const gone = new Set<string>()
  const asked: string[] = []
  const world = {now: 1_800_000 * 1_000_000, isUpstreamDown: false}
  const closing = new AbortController()
  const deleted = new DeletedSites({
    store: {
      quietSites: async () => [...stored],
      async remove(publicId) {
        stored.delete(publicId)
      },
    },
    clock: () => world.now,
    async isGone(publicId) {
      asked.push(publicId)
      if (world.isUpstreamDown) throw new Error('upstream is unavailable')
      return gone.has(publicId)
    },
    closing: closing.signal,
  })
  const checkAfter = async (hours: number) => {
    asked.length = 0
    world.now += hours * HOUR
    await deleted.check()
  }
  return {stored, gone, asked, world, closing, checkAfter}
}

test('calls of a site are removed when it was gone for a day, although no page asked for it', async () => {
  const {stored, gone, checkAfter} = deletedSitesOf(['shop', 'back', 'stays'])
  gone.add('shop').add('back')
  await checkAfter(0)
  gone.delete('back')
  await checkAfter(23)
  assert.deepEqual([...stored], ['shop', 'back', 'stays'])
  gone.add('back')
  await checkAfter(1)
  assert.deepEqual([...stored], ['back', 'stays'])
  await checkAfter(23)
  assert.deepEqual([...stored], ['back', 'stays'], 'its day began again')
  await checkAfter(1)
  assert.deepEqual([...stored], ['stays'])
})

test('while upstream is unavailable, no calls are removed, and the check goes on later', async () => {
  const {stored, gone, world, checkAfter} = deletedSitesOf(['shop'])
  gone.add('shop')
  await checkAfter(0)
  world.isUpstreamDown = true
  await checkAfter(25)
  assert.deepEqual([...stored], ['shop'])
  world.isUpstreamDown = false
  await checkAfter(1)
  assert.deepEqual([...stored], [])
})

test('of many sites, each has its turn within hours', async () => {
  const {asked, checkAfter} = deletedSitesOf(Array.from({length: 250}, (_, number) => `site-${number}`))
  const seen = new Set<string>()
  for (let hour = 0; hour < 5; hour++) {
    await checkAfter(1)
    assert.equal(asked.length, 100)
    for (const publicId of asked) seen.add(publicId)
  }
  assert.equal(seen.size, 250)
})

test('nothing is removed once the store is closed', async () => {
  const {stored, gone, closing, checkAfter} = deletedSitesOf(['shop'])
  gone.add('shop')
  await checkAfter(0)
  closing.abort()
  await checkAfter(25)
  assert.deepEqual([...stored], ['shop'])
})
