import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {SiteError} from '../../../service/errors.ts'
import {PreviewedSites} from '../../../service/preview/drafts/previewedSites.ts'
import {PreviewSecrets} from '../../../service/preview/secrets.ts'
import {type Query, SlowUpstream, troublesWith} from '../support/slowUpstream.ts'

// What previews send, and what editors get, while upstream is slow for some sites or for all. The time is that of the test.

/** Sites that are previewed at the same time. */
const SITES = 20

/** How long upstream is slow, how soon after that everything works, and the timeout of a query, in milliseconds. */
const SLOW_FOR = 60_000
const WORKS_WITHIN = 90_000
const TIMEOUT = 3_000

/** Milliseconds between two requests of a tab, how long a query takes that is not slow, and how long other tabs wait. */
const REQUEST_EVERY = 1_000
const QUICK = 20
const MAX_WAIT = 1_000

const numbers = Array.from({length: SITES}, (_, number) => number)

/** The number of the site that a query is about. */
const numberOf = ({publicIds: [id = '']}: Query) => Number(/\d+$/.exec(id))

type Preview = {
  readonly upstream: SlowUpstream
  /** What a tab asks for. */
  readonly ask: (number: number) => Promise<unknown>
}

/** The most queries for a site within `SLOW_FOR` if each times out. */
const KINDS: Record<string, {readonly most: number; start(t: TestContext): Preview}> = {
  drafts: {
    most: 10,
    start(t) {
      const upstream = new SlowUpstream(t.mock.timers, ({params}) => ({
        result: params.publicId ? String(params.publicId).replace('public', 'site') : [],
      }))
      const sites = new PreviewedSites(upstream.client, 10_000, () => upstream.now)
      return {upstream, ask: (number) => sites.report({publicId: `public-${number}`}, '/')}
    },
  },
  secrets: {
    most: 21,
    start(t) {
      const [date, secret, code] = ['2026-11-25T12:00:00Z', 's'.repeat(40), 'c'.repeat(40)]
      const document = {_id: 'drafts.a', _createdAt: date, _updatedAt: date, secret, code}
      const upstream = new SlowUpstream(t.mock.timers, () => ({result: [document]}))
      const secrets = new PreviewSecrets(
        upstream.client,
        () => Date.parse(document._updatedAt),
        () => upstream.now,
      )
      return {upstream, ask: (number) => secrets.find(`public-${number}`, () => true)}
    },
  },
}

for (const [kind, {most, start}] of Object.entries(KINDS))
  for (const {milliseconds, share, isSlow} of troublesWith(10))
    test(`queries for ${kind} take ${milliseconds} ms for ${share}: others are shown, queries are bounded, and all work afterwards`, async (t) => {
      const {upstream, ask} = start(t)
      upstream.delay = (query) => (isSlow(numberOf(query)) ? milliseconds : QUICK)
      const failed = new Set<number>()
      const waits = [0]
      await upstream.pass(SLOW_FOR, () => {
        if (upstream.now % REQUEST_EVERY !== 0) return
        const began = upstream.now
        for (const number of numbers)
          ask(number).then(
            () => isSlow(number) || waits.push(upstream.now - began),
            () => failed.add(number),
          )
      })
      assert.deepEqual(
        [...failed].sort((a, b) => a - b),
        milliseconds > TIMEOUT ? numbers.filter(isSlow) : [],
      )
      assert.ok(Math.max(...waits) <= MAX_WAIT, `another tab waited ${Math.max(...waits)} ms`)
      assert.deepEqual(upstream.repeated, [], 'no query is sent twice at the same time')
      if (milliseconds > TIMEOUT)
        for (const number of numbers.filter(isSlow)) {
          const sent = upstream.queries.filter((query) => numberOf(query) === number).length
          assert.ok(sent <= most, `${sent} queries for site ${number}`)
        }

      upstream.delay = () => QUICK
      const working = new Set<number>()
      await upstream.pass(WORKS_WITHIN, () => {
        if (upstream.now % REQUEST_EVERY !== 0) return
        for (const number of numbers)
          ask(number).then(
            () => working.add(number),
            () => working.delete(number),
          )
      })
      assert.equal(working.size, SITES)
    })

test('a site that is too large for a preview is loaded every five to ten seconds, and shown when it is smaller', async (t) => {
  let size = 50_000
  const document = () => ({_id: 'site-0', _type: 'site', _rev: 'a', name: 'x'.repeat(size)})
  const upstream = new SlowUpstream(t.mock.timers, ({params}) => ({
    result: params.publicId ? 'site-0' : [document()],
  }))
  const sites = new PreviewedSites(upstream.client, 10_000, () => upstream.now)
  let outcome: unknown
  const ask = () => {
    if (upstream.now % REQUEST_EVERY === 0)
      sites.report({publicId: 'public-0'}, '/').then(
        (found) => {
          outcome = found
        },
        (error: unknown) => {
          outcome = error
        },
      )
  }
  await upstream.pass(120_000, ask)
  assert.ok(outcome instanceof SiteError)
  assert.match(outcome.message, /more than the limit of .* MB for a preview.* raise SITE_MEMORY_MB/)
  const loads = () => upstream.queries.filter(({params}) => 'siteId' in params).length
  assert.ok(loads() <= 28, `${loads()} loads in two minutes`)

  size = 10
  await upstream.pass(12_000, ask)
  assert.match(JSON.stringify(outcome), /x{10}/)
})
