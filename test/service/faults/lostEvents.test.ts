import assert from 'node:assert/strict'
import {test} from 'node:test'
import {eventually} from '../../support/eventually.ts'
import {followSites, HOUR} from '../support/followedSites.ts'
import type {StandInUpstream} from '../support/standInUpstream.ts'

test('2,000 sites visited for 40 s with live events: at most 4 queries, and Age stays small', async () => {
  const {upstream, sites, clock, pass, swallow, tools} = await followSites(2_000)
  let oldest = 0
  await pass(40, () => {
    for (let number = 0; number < 2_000; number++) {
      const site = sites.getIfFresh(`public-${number}`)
      assert.ok(site)
      oldest = Math.max(oldest, clock() - site.validatedAt)
    }
  })
  assert.ok(upstream.queries.length <= 4, upstream.queries.join())
  assert.ok(oldest <= 11_000, `${oldest} ms`)

  swallow(() => upstream.put('tool-7', {description: 'New.'}))
  swallow(() => upstream.delete('tool-9'))
  await pass(60)
  assert.deepEqual([await tools('public-7'), await tools('public-9')], ['New.', ''])
  assert.equal(await tools('public-11'), 'Old.')
})

test('a change among 3,000 sites that no live event reports is served within 60 s, with few queries', async () => {
  const {upstream, pass, swallow, tools} = await followSites(300, 3_000)
  await pass(10)
  swallow(() => upstream.put('tool-7', {description: 'New.'}))
  swallow(() => upstream.delete('tool-9'))
  swallow(() => upstream.put('tool-2999', {description: 'New.'}))
  await pass(60)
  assert.deepEqual([await tools('public-7'), await tools('public-9')], ['New.', ''])
  assert.deepEqual(upstream.queries, ['changes', 'revision', 'site', 'site'])
})

test('an audit asks once for all sites, and nothing is asked without visitors', async () => {
  const {upstream, pass} = await followSites()
  await pass(HOUR / 2)
  assert.ok(upstream.queries.length <= 40 && upstream.queries.every((query) => query === 'changes'))
  await pass(600, () => {})
  upstream.queries.length = 0
  await pass(HOUR, () => {})
  assert.deepEqual(upstream.queries, [])
})

/** Changes of which one event is enough, and what the sites `public-0` and `public-1` have afterwards. */
const changes: Record<string, {change: (upstream: StandInUpstream) => void; tools: [unknown, unknown]}> = {
  'an update of a tool': {
    change: (upstream) => upstream.put('tool-0', {description: 'New.'}),
    tools: ['New.', 'Old.'],
  },
  'a deletion of a tool': {change: (upstream) => upstream.delete('tool-0'), tools: ['', 'Old.']},
  'a deletion of a site': {change: (upstream) => upstream.delete('site-0'), tools: [undefined, 'Old.']},
  'a tool that is disabled': {
    change: (upstream) => upstream.put('tool-0', {enabled: false}),
    tools: ['', 'Old.'],
  },
  'a tool that is added': {
    change: (upstream) => upstream.put('zzz', {siteId: 'site-0', description: 'New.'}),
    tools: ['Old.,New.', 'Old.'],
  },
  'a tool that moves to another site': {
    change: (upstream) => upstream.put('tool-0', {siteId: 'site-1', description: 'New.'}),
    tools: ['', 'New.,Old.'],
  },
  'a site that changes its public ID': {
    change: (upstream) => upstream.put('site-0', {publicId: 'other'}),
    tools: [undefined, 'Old.'],
  },
  'a deletion and a creation': {
    change(upstream) {
      upstream.delete('tool-0')
      upstream.put('new', {siteId: 'site-9', description: 'New.'})
    },
    tools: ['', 'Old.'],
  },
  'an update by a commit that is older than its push': {
    change: (upstream) => upstream.put('tool-0', {description: 'New.', _updatedAt: '2025-01-01T00:00:00Z'}),
    tools: ['New.', 'Old.'],
  },
  'a deletion and a creation by such a commit': {
    change(upstream) {
      upstream.delete('tool-0')
      upstream.put('new', {siteId: 'site-9', _updatedAt: '2025-01-01T00:00:00Z'})
    },
    tools: ['', 'Old.'],
  },
  'more updates than an audit lists': {
    change(upstream) {
      for (let number = 0; number < 2_000; number++) upstream.put(`a${number}`, {siteId: 'site-9'})
      upstream.put('tool-0', {description: 'New.'})
    },
    tools: ['New.', 'Old.'],
  },
}

for (const [name, {change, tools: expected}] of Object.entries(changes)) {
  test(`${name} that no live event reports is served within 60 s`, async () => {
    const {upstream, pass, swallow, tools} = await followSites()
    // Deletions are found by the number of documents before.
    await pass(10)
    swallow(() => change(upstream))
    await pass(60)
    assert.deepEqual([await tools('public-0'), await tools('public-1')], expected)
  })

  test(`${name} that a live event reports is served at once`, async () => {
    const {upstream, pass, tools} = await followSites()
    await pass(10)
    change(upstream)
    await pass(5)
    assert.deepEqual([await tools('public-0'), await tools('public-1')], expected)
  })
}

test('a public ID that got a site is found though no live event reports it', async () => {
  const {upstream, pass, swallow, tools} = await followSites()
  assert.equal(await tools('not-yet-there'), undefined)
  swallow(() => upstream.put('new', {_type: 'site', publicId: 'not-yet-there'}))
  await pass(60)
  assert.equal(await tools('not-yet-there'), '')
})

test('an old state that upstream returns after an event is replaced within 60 s', async () => {
  const {upstream, pass, tools} = await followSites()
  upstream.oldState = new Map(upstream.documents)
  upstream.put('tool-0', {description: 'New.'})
  upstream.delete('tool-1')
  await pass(5)
  upstream.oldState = undefined
  assert.deepEqual([await tools('public-0'), await tools('public-1')], ['Old.', 'Old.'])
  await pass(60)
  assert.deepEqual([await tools('public-0'), await tools('public-1')], ['New.', ''])
})

test('a lost deletion that a publish of an old draft hides is found within an hour', async () => {
  const {upstream, pass, swallow, tools} = await followSites()
  await pass(60)
  swallow(() => {
    upstream.delete('tool-0')
    upstream.put('new', {siteId: 'site-9', _createdAt: '2025-01-01T00:00:00Z'})
  })
  await pass(60)
  assert.equal(await tools(), 'Old.', 'the number of documents is the same')
  await pass(HOUR)
  assert.equal(await tools(), '')
})

for (const [name, seconds] of [
  ['forward', HOUR],
  ['back', -HOUR],
  ['forward a little', 20],
  ['back a little', -20],
] as const) {
  test(`a lost event is found within 60 s after upstream's clock is set ${name}`, async () => {
    const {upstream, jump, pass, swallow, tools} = await followSites()
    await pass(60)
    upstream.time += seconds * 1_000
    jump(-seconds)
    swallow(() => upstream.put('tool-0', {description: 'New.'}))
    swallow(() => upstream.delete('tool-1'))
    await pass(60)
    assert.deepEqual([await tools('public-0'), await tools('public-1')], ['New.', ''])
  })
}

test('a clock that jumps forward makes no content look older than its comparison, which follows at once', async () => {
  const {upstream, sites, clock, jump, pass} = await followSites()
  await pass(60)
  upstream.queries.length = 0
  jump(HOUR)
  await pass(10)
  const {validatedAt = 0} = sites.getIfFresh('public-0') ?? {}
  assert.ok(clock() - validatedAt < 11_000)
  assert.ok(upstream.queries.length <= 4)
})

test('a stream that only keeps alive does not hide what upstream has', async () => {
  const {upstream, pass, swallow, tools} = await followSites()
  for (let number = 1; number <= 3; number++) {
    swallow(() => upstream.put('tool-0', {description: `${number}`}))
    await pass(60)
    assert.equal(await tools(), `${number}`)
  }
})

test('if live events return before upstream does, all sites in use are compared once it is back', async () => {
  const {upstream, sites, pass} = await followSites()
  upstream.isUnavailable = true
  sites.revalidation.setConnected(false)
  sites.revalidation.setConnected(true)
  await eventually(
    async () => upstream.queries.length,
    (count) => count > 0,
  )
  upstream.isUnavailable = false
  await pass(15)
  assert.ok((sites.status().oldestInUse ?? 0) <= 10_000)
})

test('if upstream refuses audits, sites in use are compared instead', async () => {
  const {upstream, pass, swallow, tools} = await followSites()
  upstream.refusesAudits = true
  await pass(60)
  swallow(() => upstream.put('tool-0', {description: 'New.'}))
  swallow(() => upstream.delete('tool-1'))
  await pass(10)
  assert.deepEqual([await tools('public-0'), await tools('public-1')], ['New.', ''])
})
