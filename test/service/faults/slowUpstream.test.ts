import assert from 'node:assert/strict'
import {test} from 'node:test'
import {descriptionOf, slowSites, troublesWith} from '../support/slowUpstream.ts'

// What the service sends, and what visitors get, while upstream is slow for some sites or for all. The time is that of the
// test.

/** Sites that are visited, and others that are not requested before upstream is slow. */
const WARM = 30
const ALL = 60

/** How long upstream is slow, in milliseconds. */
const SLOW_FOR = 75_000

/** How soon after that everything is fresh, in milliseconds, and how old a fresh site is at most, in seconds. */
const FRESH_WITHIN = 90_000
const FRESH = 15

/** Milliseconds between two visits of all warm sites, and between two first requests for a cold one. */
const VISIT_EVERY = 1_000
const COLD_EVERY = 12_000

/** How long a query takes that is not slow, and how long visitors of other sites wait at most, in milliseconds. */
const QUICK = 20
const MAX_WAIT = 2_000

/** The tags of the queries that are slow. */
const KINDS: Record<string, string[]> = {
  sites: ['site'],
  comparisons: ['revision'],
  changes: ['changes'],
  anything: ['site', 'revision', 'changes', 'probe'],
}

/** The kinds for which live events arrive: without them, sites are compared. */
const LIVE = ['sites', 'changes']

/** The timeout of a query in milliseconds, and how often a site is fetched within `SLOW_FOR` if each fetch times out. */
const TIMEOUT = 3_000
const MAX_FETCHES = 8

const numberOf = (publicId: string) => Number(publicId.slice('public-'.length))

for (const [kind, tags] of Object.entries(KINDS))
  for (const {milliseconds, share, isSlow} of troublesWith(10, WARM + 2)) {
    const isAboutSites = kind === 'sites' || kind === 'comparisons'
    if (!isAboutSites && share !== 'all sites') continue
    test(`queries for ${kind} take ${milliseconds} ms for ${share}: others are served, queries are bounded, and all is fresh afterwards`, async (t) => {
      const world = await slowSites(t.mock.timers, {warm: WARM, all: ALL, isLive: LIVE.includes(kind)})
      const {content, upstream, sites} = world
      t.after(() => sites.close())
      const isOfSlow = (publicId: string) => isSlow(numberOf(publicId))
      upstream.delay = ({tag, publicIds}) =>
        tags.includes(tag) && (!isAboutSites || publicIds.some(isOfSlow)) ? milliseconds : QUICK
      for (let number = 0; number < WARM; number++) content.put(`tool-${number}`, {description: 'New.'})

      const failed = new Set<string>()
      const served = new Map<string, string>()
      const waits = [0]
      const request = (number: number) => {
        const publicId = `public-${number}`
        const began = upstream.now
        sites.get(publicId).then(
          (known) => {
            served.set(publicId, descriptionOf(known))
            if (!isOfSlow(publicId)) waits.push(upstream.now - began)
          },
          () => failed.add(publicId),
        )
      }
      const visitAll = () => {
        for (let number = 0; number < WARM; number++) request(number)
      }
      let requested = WARM
      await world.pass(SLOW_FOR, () => {
        if (upstream.now % VISIT_EVERY === 0) visitAll()
        if (upstream.now % COLD_EVERY === 0) request(requested++)
      })

      const mayFail = (publicId: string) =>
        tags.includes('site') && milliseconds > TIMEOUT && numberOf(publicId) >= WARM && isOfSlow(publicId)
      assert.deepEqual(
        [...failed].filter((publicId) => !mayFail(publicId)),
        [],
      )
      const quick = [...served].filter(([publicId]) => !isOfSlow(publicId) && numberOf(publicId) < WARM)
      assert.deepEqual(
        quick.filter(([, description]) => description !== 'New.'),
        [],
        'changes of other sites are served: those not compared in a minute are fetched',
      )
      assert.ok(Math.max(...waits) <= MAX_WAIT, `a visitor of another site waited ${Math.max(...waits)} ms`)
      assert.deepEqual(upstream.repeated, [], 'no query is sent twice at the same time')
      const sent = (name: string) => upstream.queries.filter(({tag}) => tag === name).length
      const slow = Array.from({length: requested}, (_, number) => number).filter(isSlow).length
      // A fetch that is in flight when a change is found is sent once more. Without live events, a comparison and the query for
      // changes may both find it.
      const fetches =
        requested +
        2 +
        (LIVE.includes(kind) ? 0 : WARM) +
        (milliseconds > TIMEOUT ? slow * (MAX_FETCHES - 1) : 0)
      assert.ok(sent('site') <= fetches, `${sent('site')} queries for sites, ${fetches} expected`)
      assert.ok(sent('revision') <= SLOW_FOR / 1_000, `${sent('revision')} comparisons`)
      assert.ok(sent('changes') <= SLOW_FOR / 5_000 + 1, `${sent('changes')} queries for changes`)
      assert.ok(sent('probe') <= SLOW_FOR / 500, `${sent('probe')} probes`)

      upstream.delay = () => QUICK
      await world.pass(FRESH_WITHIN, () => {
        if (upstream.now % VISIT_EVERY === 0) visitAll()
      })
      for (let number = 0; number < WARM; number++) {
        const {age, description} = await world.seen(`public-${number}`)
        assert.ok(age <= FRESH && description === 'New.', `public-${number}: ${description}, ${age} s`)
      }
      assert.equal(world.breaker.state, 'answering')
    })
  }
