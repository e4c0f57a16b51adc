import assert from 'node:assert/strict'
import {test} from 'node:test'
import {removeDeletedSites} from '../../../service/counts/deletedSites.ts'

const HOUR = 3_600_000

/** A store with quiet sites, and what upstream says of them. */
function deletedSitesOf(sites: readonly string[]) {
  const stored = new Set(sites)
  const noted = new Map<string, number>()
  const gone = new Set<string>()
  const asked: (readonly string[])[] = []
  const world = {now: 1_800_000 * 1_000_000, isUpstreamDown: false}
  const closing = new AbortController()
  const checkAfter = async (hours: number) => {
    asked.length = 0
    world.now += hours * HOUR
    await removeDeletedSites({
      store: {
        quietSites: async () => [...stored],
        goneSites: async () => new Map(noted),
        async setGone(publicId, since) {
          if (since === undefined) noted.delete(publicId)
          else noted.set(publicId, since)
        },
        async remove(publicId) {
          stored.delete(publicId)
          noted.delete(publicId)
        },
      },
      clock: () => world.now,
      async findGone(publicIds) {
        asked.push(publicIds)
        if (world.isUpstreamDown) throw new Error('upstream is unavailable')
        return new Set(publicIds.filter((publicId) => gone.has(publicId)))
      },
      closing: closing.signal,
    })
  }
  return {stored, noted, gone, asked, world, closing, checkAfter}
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
  await assert.rejects(checkAfter(25), /upstream is unavailable/)
  assert.deepEqual([...stored], ['shop'])
  world.isUpstreamDown = false
  await checkAfter(1)
  assert.deepEqual([...stored], [])
})

test('the day goes on, whatever the number of sites is', async () => {
  const sites = Array.from({length: 5_000}, (_, number) => `site-${number}`)
  const {stored, gone, asked, checkAfter} = deletedSitesOf(sites)
  for (const site of sites.slice(0, -1)) gone.add(site)
  await checkAfter(0)
  for (let hour = 1; hour < 24; hour++) {
    await checkAfter(1)
  }
  assert.equal(stored.size, sites.length)
  await checkAfter(1)
  assert.deepEqual([...stored], ['site-4999'])
  assert.equal(asked.length, 50, 'queries')
})

test('a site that has calls again is not gone any more', async () => {
  const {stored, noted, gone, checkAfter} = deletedSitesOf(['shop'])
  gone.add('shop')
  await checkAfter(0)
  stored.delete('shop')
  await checkAfter(1)
  assert.equal(noted.size, 0)
})

test('nothing is removed once the store is closed', async () => {
  const {stored, gone, closing, checkAfter} = deletedSitesOf(['shop'])
  gone.add('shop')
  await checkAfter(0)
  closing.abort()
  await checkAfter(25)
  assert.deepEqual([...stored], ['shop'])
})
