import assert from 'node:assert/strict'
import {test} from 'node:test'
import {eventually} from '../../support/eventually.ts'
import {followSites} from '../support/followedSites.ts'

test('a burst of changes is asked about at most twice, and ends with the newest content', async () => {
  const {upstream, pass, tools} = await followSites()
  for (let number = 1; number <= 20; number++) upstream.put('tool-0', {description: `Change ${number}.`})
  await pass(5)
  assert.equal(await tools(), 'Change 20.')
  assert.ok(upstream.queries.filter((query) => query === 'changes').length <= 2, upstream.queries.join())
})

test('a change overtakes a first fetch that is in flight', async () => {
  const {upstream, tools} = await followSites(1, 3)
  const {promise, resolve} = Promise.withResolvers<void>()
  upstream.responding = promise
  const first = tools('public-2')
  await eventually(() => upstream.queries.includes('site'), true)
  upstream.responding = undefined
  upstream.put('tool-2', {description: 'New.'})
  await eventually(() => upstream.queries.includes('changes'), true)
  resolve()
  assert.equal(await first, 'New.')
})

test('a lake that may lag is asked once more after a change: what changed, or what the sites have that were fetched', async () => {
  const pauses: {readonly milliseconds: number; readonly end: () => void}[] = []
  const pause = (milliseconds: number) => {
    const {promise, resolve} = Promise.withResolvers<void>()
    pauses.push({milliseconds, end: resolve})
    return milliseconds === 5_000 ? promise : Promise.resolve()
  }
  const {upstream, settle, tools} = await followSites(2, 2, {mayLag: true, pause})
  upstream.oldState = new Map(upstream.documents)
  upstream.put('tool-0', {description: 'New.'})
  await eventually(() => upstream.queries.join(), 'changes')
  upstream.oldState = undefined
  assert.equal(await tools(), 'Old.')
  const followUps = () => pauses.filter(({milliseconds}) => milliseconds === 5_000)
  assert.equal(followUps().length, 1)
  followUps()[0]?.end()
  await eventually(tools, 'New.')
  upstream.queries.length = 0
  upstream.put('tool-0', {description: 'Newer.'})
  await settle()
  followUps()[1]?.end()
  await settle()
  assert.deepEqual([await tools(), upstream.queries], ['Newer.', ['changes', 'site', 'revision']])
})

test('while what changed is not known, no sign of life makes content look valid', async () => {
  const {upstream, sites, clock} = await followSites()
  const {promise, resolve} = Promise.withResolvers<void>()
  upstream.responding = promise
  const before = clock()
  upstream.put('tool-0', {description: 'New.'})
  upstream.time += 20_000
  sites.revalidation.signOfLife()
  const {validatedAt = 0} = sites.getIfFresh('public-0') ?? {}
  assert.ok(validatedAt <= before)
  resolve()
})

for (const count of [0, 1])
  test(`a ${count === 0 ? 'site that was never served' : 'cached site'} backs off, also after a gap of live events, until one of its documents changes`, async () => {
    const {upstream, sites, settle, tools} = await followSites(count, 1)
    const fetches = () => upstream.queries.filter((query) => query === 'site').length
    const fails = () => tools().catch(() => 'backs off')
    upstream.refused = 'public-0'
    upstream.put('tool-0', {description: 'Broken.'})
    await fails()
    await eventually(fetches, 1)
    sites.revalidation.setConnected(true)
    await settle()
    await fails()
    assert.equal(fetches(), 1)
    upstream.refused = undefined
    upstream.put('tool-0', {description: 'New.'})
    await eventually(fails, 'New.')
  })

test('sites that upstream did not have for a moment are served once it has them again, with the dates that they had', async () => {
  const {upstream, pass, tools} = await followSites()
  upstream.oldState = new Map()
  upstream.put('tool-other', {description: 'Other.'})
  await pass(5)
  assert.equal(await tools(), undefined)
  upstream.oldState = undefined
  await pass(60, () => void tools())
  assert.equal(await tools(), 'Old.')
})
