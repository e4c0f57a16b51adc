import assert from 'node:assert/strict'
import {test} from 'node:test'
import {setImmediate} from 'node:timers/promises'
import type {Announcement} from '../../../service/cache/revalidation.ts'
import {eventually} from '../../support/eventually.ts'
import {followSites} from '../support/followedSites.ts'
import type {StandInDocument, StandInUpstream} from '../support/standInUpstream.ts'

/** Sites of a service without live events. Upstream may lag: it returns what it had before. */
async function world(count = 3) {
  const waits: {readonly milliseconds: number; readonly end: () => void}[] = []
  const later = (milliseconds: number) => {
    const {promise, resolve} = Promise.withResolvers<void>()
    waits.push({milliseconds, end: resolve})
    return promise
  }
  const followed = await followSites(count, 3, {later})
  const {upstream, sites, swallow} = followed
  sites.revalidation.setConnected(false)
  upstream.queries.length = 0
  return {
    ...followed,
    /** What waits after announcements. */
    waits,
    lag() {
      upstream.oldState = new Map(upstream.documents)
    },
    put: (id: string, fields: Partial<StandInDocument>) => swallow(() => upstream.put(id, fields)),
    announce: (documentId = 'tool-0', more: Partial<Announcement> = {}) =>
      sites.revalidation.announce({
        documentId,
        revision: upstream.documents.get(documentId)?._rev ?? null,
        ...more,
      }),
  }
}

type Case = {
  readonly change: (upstream: StandInUpstream) => void
  readonly announcement: Partial<Announcement> & {readonly documentId: string}
  readonly purged: readonly string[]
  /** What visitors of the three sites get then. */
  readonly tools: readonly unknown[]
}

/** Changes, as the recommended projection and the whole document announce them. */
const CASES: Record<string, Case> = {
  'a changed tool': {
    change: (upstream) => upstream.put('tool-0', {description: 'New.'}),
    announcement: {documentId: 'tool-0'},
    purged: ['public-0'],
    tools: ['New.', 'Old.', 'Old.'],
  },
  'a tool that moves': {
    change: (upstream) => upstream.put('tool-0', {siteId: 'site-1'}),
    announcement: {documentId: 'tool-0', siteIds: ['site-1']},
    purged: ['public-0', 'public-1'],
    tools: ['', 'Old.,Old.', 'Old.'],
  },
  'a new tool': {
    change: (upstream) => upstream.put('zzz', {siteId: 'site-0', description: 'New.'}),
    announcement: {documentId: 'zzz', siteIds: ['site-0']},
    purged: ['public-0'],
    tools: ['Old.,New.', 'Old.', 'Old.'],
  },
  'a deleted tool': {
    change: (upstream) => upstream.delete('tool-0'),
    announcement: {documentId: 'tool-0', siteIds: []},
    purged: ['public-0'],
    tools: ['', 'Old.', 'Old.'],
  },
  'a deleted site': {
    change: (upstream) => upstream.delete('site-2'),
    announcement: {documentId: 'site-2'},
    purged: ['public-2'],
    tools: ['Old.', 'Old.', undefined],
  },
  'a document of no site': {
    change: (upstream) => upstream.put('other', {}),
    announcement: {documentId: 'other'},
    purged: [],
    tools: ['Old.', 'Old.', 'Old.'],
  },
}

for (const [name, {change, announcement, purged, tools: expected}] of Object.entries(CASES))
  test(`${name} invalidates its sites, and no others`, async () => {
    const {upstream, swallow, announce, tools} = await world()
    swallow(() => change(upstream))
    const announced = announce(announcement.documentId, announcement)
    assert.deepEqual([announced.purged.sort(), announced.current], [purged, []])
    const all = () => Promise.all(['public-0', 'public-1', 'public-2'].map(tools))
    await eventually(all, (found) => JSON.stringify(found) === JSON.stringify(expected))
    assert.equal(upstream.queries.length, purged.length)
  })

test('a renamed site is gone under its old public ID and served under the new one', async () => {
  const {sites, put, announce, tools} = await world()
  assert.equal((await sites.get('renamed')).site, null, 'which is cached')
  put('site-0', {publicId: 'renamed'})
  assert.deepEqual(announce('site-0', {publicIds: ['renamed']}).purged.sort(), ['public-0', 'renamed'])
  await eventually(async () => [await tools('public-0'), await tools('renamed')].join(), ',Old.')
})

test('a change already received through live events is reported as current', async () => {
  const {upstream, announce, tools} = await world()
  upstream.put('tool-0', {description: 'New.'})
  await eventually(tools, 'New.')
  assert.deepEqual(announce(), {purged: [], current: ['public-0']})
})

test('twenty announcements, in any order, end with the newest content', async () => {
  const {upstream, put, announce, tools} = await world()
  const revisions: (string | undefined)[] = []
  for (let number = 1; number <= 20; number++) {
    put('tool-0', {description: `Change ${number}.`})
    revisions.push(upstream.documents.get('tool-0')?._rev)
  }
  for (const revision of revisions.toSorted(() => Math.random() - 0.5))
    announce('tool-0', {revision: revision ?? null})
  await eventually(tools, 'Change 20.')
  announce('tool-0', {revision: revisions[3] ?? null})
  assert.equal(await tools(), 'Change 20.')
})

test('a site that a lagging lake returns as it was is compared after one and five seconds', async () => {
  const {upstream, lag, put, announce, tools, waits} = await world()
  lag()
  put('tool-0', {description: 'New.'})
  assert.deepEqual(announce(), {purged: ['public-0'], current: []})
  await eventually(() => upstream.queries.join(), 'site')
  waits[0]?.end()
  await eventually(() => upstream.queries.join(), 'site,revision')
  assert.equal(await tools(), 'Old.')
  upstream.oldState = undefined
  waits[1]?.end()
  await eventually(tools, 'New.')
  assert.deepEqual(
    waits.map(({milliseconds}) => milliseconds),
    [1_000, 4_000],
  )
})

test('a site that has changed after its announcement is not compared again', async () => {
  const {upstream, put, announce, tools, waits} = await world()
  put('tool-0', {description: 'New.'})
  announce()
  await eventually(tools, 'New.')
  for (const wait of [0, 1]) {
    waits[wait]?.end()
    await setImmediate()
    await setImmediate()
  }
  assert.deepEqual([waits.length, upstream.queries], [2, ['site']])
})

test('for some seconds, neither a change nor a deletion is undone by a copy of the lake that lags behind', async () => {
  for (const [change, expected] of [
    [(upstream: StandInUpstream) => upstream.put('tool-0', {description: 'New.'}), 'New.'],
    [(upstream: StandInUpstream) => upstream.delete('tool-0'), ''],
  ] as const) {
    const {upstream, sites, swallow, put, announce, tools} = await world()
    const before = new Map(upstream.documents)
    swallow(() => change(upstream))
    announce()
    await eventually(tools, expected)
    upstream.oldState = before
    upstream.queries.length = 0
    upstream.time += 11_000
    sites.revalidation.markAllUnverified()
    await eventually(() => upstream.queries.filter((query) => query === 'site').length > 0, true)
    for (let time = 0; time < 20; time++) assert.equal(await tools(), expected)
    upstream.oldState = undefined
    put('tool-0', {siteId: 'site-0', description: 'Newest.'})
    announce('tool-0', {siteIds: ['site-0']})
    await eventually(tools, 'Newest.')
  }
})

test('a replaced revision is refused for some seconds only: a wrong webhook cannot hold a site', async () => {
  const {upstream, sites, put, announce, tools} = await world()
  const before = new Map(upstream.documents)
  put('tool-0', {description: 'New.'})
  announce()
  await eventually(tools, 'New.')
  upstream.oldState = before
  upstream.time += 16_000
  sites.revalidation.markAllUnverified()
  await eventually(tools, 'Old.')
})

test('an announcement overtakes a first fetch that is in flight', async () => {
  const {upstream, put, announce, tools} = await world(0)
  const {promise, resolve} = Promise.withResolvers<void>()
  upstream.responding = promise
  const first = tools()
  await eventually(() => upstream.queries.includes('site'), true)
  put('tool-0', {description: 'New.'})
  announce('tool-0', {publicIds: ['public-0']})
  resolve()
  assert.equal(await first, 'New.')
})
