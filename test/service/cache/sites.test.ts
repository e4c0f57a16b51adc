import assert from 'node:assert/strict'
import {test} from 'node:test'
import {UpstreamError} from '../../../service/errors.ts'
import type {ConfirmedSite, Snapshot} from '../../../service/snapshots/snapshots.ts'
import {followSites, HOUR} from '../support/followedSites.ts'

// Sites over an upstream and a clock of the test.

type World = Awaited<ReturnType<typeof followSites>>

/** Seconds since upstream confirmed what a visitor gets. */
async function age({sites, clock}: World, publicId = 'public-0'): Promise<number> {
  return (clock() - (await sites.get(publicId)).validatedAt) / 1_000
}

/** The stream of live events ends, and with it what covers sites. */
function endStream({sites}: World): void {
  sites.revalidation.setConnected(false)
}

test('concurrent requests for a cold site join one query', async () => {
  const {upstream, sites} = await followSites(0, 1)
  await Promise.all(Array.from({length: 100}, () => sites.get('public-0')))
  assert.deepEqual(
    upstream.queries.filter((query) => query === 'site'),
    ['site'],
  )
})

test('an unknown public ID is cached until a site with it is published', async () => {
  const {upstream, sites, pass} = await followSites()
  for (let visit = 0; visit < 3; visit++) assert.equal((await sites.get('not-yet-there')).site, null)
  assert.deepEqual(upstream.queries, ['site'])
  upstream.put('new', {_type: 'site', publicId: 'not-yet-there'})
  await pass(5)
  assert.ok((await sites.get('not-yet-there')).site)
})

test('a change invalidates the site it affects, and no other', async () => {
  const {upstream, sites, tools, pass} = await followSites()
  upstream.put('tool-0', {description: 'New.'})
  await pass(5)
  assert.deepEqual([await tools('public-0'), await tools('public-1')], ['New.', 'Old.'])
  await sites.get('public-2')
  assert.deepEqual(
    upstream.queries,
    ['changes', 'site'],
    'one refetch of the changed site, none of the others',
  )
})

test('ages count from the last sign of life of live events, without queries', async () => {
  const world = await followSites()
  const {upstream, sites} = world
  upstream.time += 20_000
  assert.equal(await age(world), 20)
  sites.revalidation.signOfLife()
  assert.equal(await age(world), 0)
  assert.deepEqual(upstream.queries, [])
})

test('without live events, a site is served immediately, and what changed is asked in the background', async () => {
  const world = await followSites()
  const {upstream, pass, swallow, tools} = world
  endStream(world)
  upstream.time += 12_000
  assert.equal(await age(world), 12)
  await pass(5)
  assert.ok((await age(world)) <= 5)
  assert.ok(upstream.queries.length > 0 && upstream.queries.every((query) => query === 'changes'))
  swallow(() => upstream.put('tool-0', {description: 'New.'}))
  await pass(15)
  assert.equal(await tools(), 'New.')
})

test('a site older than max-age is confirmed before it is served', async () => {
  const world = await followSites()
  endStream(world)
  world.upstream.time += 61_000
  assert.equal(await age(world), 0)
  assert.ok(world.upstream.queries.includes('site'))
  assert.equal(world.sites.answered.renewed, 1)
})

test('the last known good site is served, with its true age, while upstream fails, and renewed afterwards', async () => {
  const world = await followSites()
  const {upstream, tools, pass} = world
  endStream(world)
  upstream.isUnavailable = true
  upstream.time += HOUR * 1_000
  assert.deepEqual([await age(world), await tools()], [HOUR, 'Old.'])
  upstream.isUnavailable = false
  await pass(5)
  assert.ok((await age(world)) <= 5)
})

test('the last known good site is served, with its true age, while upstream hangs', async () => {
  const world = await followSites()
  const {promise, resolve} = Promise.withResolvers<void>()
  endStream(world)
  world.upstream.responding = promise
  world.upstream.time += HOUR * 1_000
  assert.equal(await age(world), HOUR)
  assert.equal(world.sites.answered.stale, 1)
  resolve()
  await world.pass(5)
  assert.ok((await age(world)) <= 5)
})

test('a site that changed while upstream is unavailable is served as it was', async () => {
  const {upstream, tools, pass} = await followSites()
  upstream.isUnavailable = true
  upstream.put('tool-0', {description: 'New.'})
  await pass(10)
  assert.equal(await tools(), 'Old.')
  upstream.isUnavailable = false
  await pass(5)
  assert.equal(await tools(), 'New.')
})

test('after a day, the last known good site is no longer served', async () => {
  const world = await followSites(1, 1)
  const {upstream, sites} = world
  endStream(world)
  upstream.isUnavailable = true
  upstream.time += 24 * HOUR * 1_000 - 1_000
  assert.equal(await age(world), 24 * HOUR - 1)
  upstream.time += 2_000
  await assert.rejects(sites.get('public-0'), UpstreamError)
})

/** Snapshots in memory. */
function keptSnapshots() {
  const kept = new Map<string, Snapshot>()
  return {
    has: (publicId: string) => kept.has(publicId),
    read: (publicId: string) => kept.get(publicId),
    keep({publicId, document = kept.get(publicId)?.document, validatedAt}: ConfirmedSite) {
      if (document) kept.set(publicId, {document, validatedAt})
      return true
    },
    remove: (publicId: string) => void kept.delete(publicId),
  }
}

test('after a restart without upstream, a site is served from its snapshot, for a day or until its deletion', async () => {
  const options = {snapshots: keptSnapshots()}
  const before = await followSites(1, 1, options)
  const restarted = async (seconds: number) => {
    const world = await followSites(0, 1, options)
    world.upstream.isUnavailable = true
    world.upstream.time += seconds * 1_000
    return world
  }
  const world = await restarted(24 * HOUR - 1)
  assert.deepEqual([await age(world), await world.tools()], [24 * HOUR - 1, 'Old.'])
  assert.deepEqual(world.sites.answered.snapshot, 1)
  await assert.rejects((await restarted(24 * HOUR + 1)).sites.get('public-0'), UpstreamError)
  before.upstream.delete('site-0')
  await before.pass(5)
  assert.equal((await before.sites.get('public-0')).site, null)
  const {sites, upstream} = await restarted(1)
  await assert.rejects(sites.get('public-0'), UpstreamError)
  upstream.isUnavailable = false
  upstream.delete('site-0')
  assert.equal((await sites.get('public-0')).site, null)
})
