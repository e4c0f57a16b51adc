import assert from 'node:assert/strict'
import {EventEmitter} from 'node:events'
import {test} from 'node:test'
import {setImmediate} from 'node:timers/promises'
import {Comparisons} from '../../../service/cache/comparisons.ts'
import type {Entry} from '../../../service/cache/entries.ts'
import {SiteError, UpstreamError} from '../../../service/errors.ts'
import {eventually} from '../../support/eventually.ts'
import {documentOf, entryOf} from '../support/entries.ts'

/**
 * Compares these sites with an upstream that returns their own revisions unless `answer` changes that, which gets
 * the seconds that passed so far. They do not pass in real time.
 * @param perSite how long upstream needs for each site of a batch, in milliseconds.
 */
async function compared(
  documents: readonly ReturnType<typeof documentOf>[],
  answer: (revisions: Map<string, string>, seconds: number) => void = () => {},
  perSite = 0,
) {
  const entries = new Map<string, Entry>()
  for (const document of documents) entries.set(document.publicId, await entryOf(document.publicId, document))
  const batches: number[] = []
  const closing = new AbortController()
  let passed = 0
  const heard = {same: new Set<string>(), refetched: new Set<string>(), failed: new Set<string>()}
  const own = (publicId: string): [string, string] => [publicId, entries.get(publicId)?.revision ?? '']
  const comparisons = new Comparisons({
    source: {
      async fetchRevisions(publicIds) {
        batches.push(publicIds.length)
        if (batches.length > MAX_BATCHES) {
          closing.abort()
          throw new UpstreamError('without end')
        }
        const revisions = new Map(publicIds.map(own))
        const took = publicIds.length * perSite
        passed += Math.min(took, TIMEOUT)
        if (took > TIMEOUT) throw new SiteError('no response in time')
        answer(revisions, passed / 1_000)
        return revisions
      },
    },
    entries: {peek: (publicId) => entries.get(publicId)},
    clock: () => 7,
    events: new EventEmitter(),
    closing: closing.signal,
    refresher: {
      confirm: ({publicId}) => void heard.same.add(publicId),
      refreshInBackground: (publicId) => void heard.refetched.add(publicId),
      fail: (publicId) => heard.failed.add(publicId),
    },
    now: () => passed,
    pause: (milliseconds) => {
      passed += milliseconds
      return setImmediate()
    },
  })
  for (const entry of entries.values()) comparisons.add(entry)
  await eventually(
    async () => heard.same.size + heard.refetched.size + heard.failed.size,
    (count) => count >= documents.length,
  )
  return {...heard, batches, seconds: () => passed / 1_000}
}

/** No test needs more. */
const MAX_BATCHES = 200

/** Milliseconds after which a batch fails. */
const TIMEOUT = 3_000

const sites = (count: number) => Array.from({length: count}, (_, number) => documentOf(`site-${number}`))

test('sites are compared in batches of 500, which are sent one after the other', async () => {
  const {same, batches} = await compared(sites(1_200))
  assert.deepEqual([same.size, batches], [1_200, [500, 500, 200]])
})

test('large sites are compared in smaller batches', async () => {
  const formTools = Array.from({length: 2_000}, (_, number) => ({
    _id: `form-${number}`,
    _rev: '1',
    name: null,
    description: null,
    pagePath: null,
    selector: null,
    autosubmit: null,
    fields: null,
  }))
  const {batches} = await compared(sites(5).map((site) => ({...site, formTools})))
  assert.deepEqual(batches, [2, 2, 1])
})

test('a site that differs is refetched, and so is one without a valid revision', async () => {
  const {same, refetched} = await compared(sites(4), (revisions) => {
    revisions.set('site-1', 'other')
    revisions.delete('site-2')
  })
  assert.deepEqual(
    [[...same], [...refetched]],
    [
      ['site-0', 'site-3'],
      ['site-1', 'site-2'],
    ],
  )
})

test('a site that makes upstream refuse a batch is found by smaller batches, and fetched alone', async () => {
  const {same, refetched, batches} = await compared(sites(500), (revisions) => {
    if (revisions.has('site-300')) throw new SiteError('refused')
  })
  assert.deepEqual([same.size, [...refetched]], [499, ['site-300']])
  assert.ok(batches.length < 40, `${batches}`)
})

test('while upstream refuses every batch, it is asked about once a second', async () => {
  const {same, refetched, batches} = await compared(sites(500), (_revisions, seconds) => {
    if (seconds < 5) throw new SiteError('refused')
  })
  assert.equal(same.size + refetched.size, 500)
  assert.ok(refetched.size < 5, `${[...refetched]}`)
  assert.ok(batches.length < 35, `${batches}`)
})

test('a batch that upstream is too slow for is divided, and the next ones stay small', async () => {
  const {same, batches, seconds} = await compared(sites(400), () => {}, 10)
  assert.equal(same.size, 400)
  assert.deepEqual(batches, [400, 200, 200])
  assert.ok(seconds() < 15, `${seconds()} s`)
})

test('comparisons of 10,000 sites end when upstream needs 10 ms a site', async () => {
  const {same, batches, seconds} = await compared(sites(10_000), () => {}, 10)
  assert.equal(same.size, 10_000)
  assert.ok(batches.filter((size) => size * 10 > TIMEOUT).length === 1, `${batches}`)
  // As long again for the pauses in which upstream has time for others.
  assert.ok(seconds() < 250, `${seconds()} s`)
})

test('sites of a batch that failed are compared after all others', async () => {
  const order: string[] = []
  await compared(sites(1_500), (revisions) => {
    order.push(revisions.has('site-300') ? 'with the site' : 'without it')
    if (revisions.has('site-300')) throw new SiteError('refused')
  })
  assert.deepEqual(order.slice(0, 4), ['with the site', 'without it', 'without it', 'without it'])
})

test('if upstream is unavailable, all sites of a batch fail, and are compared a second later', async () => {
  const {same, refetched, failed, batches} = await compared(sites(3), (_revisions, seconds) => {
    if (seconds < 1) throw new UpstreamError('unavailable')
  })
  assert.deepEqual([refetched.size, failed.size], [0, 3])
  await eventually(() => same.size, 3)
  assert.deepEqual(batches, [3, 3])
})
