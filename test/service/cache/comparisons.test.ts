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
 */
async function compared(
  documents: readonly ReturnType<typeof documentOf>[],
  answer: (revisions: Map<string, string>, seconds: number) => void = () => {},
) {
  const entries = new Map<string, Entry>()
  for (const document of documents) entries.set(document.publicId, await entryOf(document.publicId, document))
  const batches: number[] = []
  let passed = 0
  const heard = {same: new Set<string>(), refetched: new Set<string>(), failed: new Set<string>()}
  const own = (publicId: string): [string, string] => [publicId, entries.get(publicId)?.revision ?? '']
  const comparisons = new Comparisons({
    source: {
      async fetchRevisions(publicIds) {
        batches.push(publicIds.length)
        const revisions = new Map(publicIds.map(own))
        answer(revisions, passed / 1_000)
        return revisions
      },
    },
    entries: {peek: (publicId) => entries.get(publicId)},
    clock: () => 7,
    events: new EventEmitter(),
    closing: new AbortController().signal,
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
  return {...heard, batches}
}

const sites = (count: number) => Array.from({length: count}, (_, number) => documentOf(`site-${number}`))

test('sites are compared in batches of 500, which are sent one after the other', async () => {
  const {same, batches} = await compared(sites(1_200))
  assert.deepEqual([same.size, batches], [1_200, [500, 500, 200]])
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

test('the sites of a batch that upstream refuses are fetched alone, and the others compared', async () => {
  const {same, refetched, batches} = await compared(sites(700), (revisions) => {
    if (revisions.has('site-300')) throw new SiteError('refused')
  })
  assert.deepEqual([same.size, refetched.size, batches], [200, 500, [500, 200]])
})

test('if upstream is unavailable, all sites of a batch fail, and are compared a second later', async () => {
  const {same, refetched, failed, batches} = await compared(sites(3), (_revisions, seconds) => {
    if (seconds < 1) throw new UpstreamError('unavailable')
  })
  assert.deepEqual([refetched.size, failed.size], [0, 3])
  await eventually(() => same.size, 3)
  assert.deepEqual(batches, [3, 3])
})
