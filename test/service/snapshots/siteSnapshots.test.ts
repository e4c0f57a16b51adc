import assert from 'node:assert/strict'
import test, {type TestContext} from 'node:test'
import {SiteCompiler} from '../../../service/site/compile.ts'
import {SiteSnapshots, type SiteSnapshotsOptions} from '../../../service/snapshots/siteSnapshots.ts'
import {temporaryFolder} from '../../lake/support/git.ts'
import {opened, pendingSnapshot} from './support.ts'

/** The age of a site whose real age is unknown, in milliseconds. */
const UNKNOWN_AGE = 60_000

/** Snapshots of sites in a folder, with one of `harbour` that upstream confirmed at 1,000 ms. */
async function withSite(t: TestContext, options: Partial<SiteSnapshotsOptions> = {}) {
  const {snapshots, events, actions} = await opened(await temporaryFolder(t))
  snapshots.keep(pendingSnapshot('harbour'), '1')
  await snapshots.flush()
  const failed: unknown[] = []
  events.on('failed', (publicId) => failed.push(publicId))
  const sites = new SiteSnapshots({
    snapshots,
    events,
    compiler: new SiteCompiler(),
    maxSiteBytes: 1_000_000,
    clock: () => 500,
    systemClock: () => 4_000,
    ...options,
  })
  return {sites, snapshots, actions, failed}
}

test('the date of a snapshot becomes a time of the steady clock', async (t) => {
  const {sites} = await withSite(t)
  const restored = await sites.restore('harbour', UNKNOWN_AGE)
  assert.equal(restored?.validatedAt, 500 - 3_000)
  assert.equal(await sites.restore('unknown', UNKNOWN_AGE), undefined)
})

test('if the system clock was set back, the age of a snapshot is unknown', async (t) => {
  const {sites} = await withSite(t, {systemClock: () => 999})
  assert.equal((await sites.restore('harbour', UNKNOWN_AGE))?.validatedAt, 500 - UNKNOWN_AGE)
})

test('a restored site is written again with its date of the system clock', async (t) => {
  const {sites, snapshots} = await withSite(t)
  const restored = await sites.restore('harbour', UNKNOWN_AGE)
  assert.ok(restored)
  sites.keep({...restored, revision: '2', validatedAt: 400}, false)
  await snapshots.flush()
  assert.equal((await snapshots.read('harbour'))?.validatedAt, 3_900)
  assert.equal((await sites.restore('harbour', UNKNOWN_AGE))?.validatedAt, 400)
})

test('the snapshot of a site that is too large now is removed, and the failure reported', async (t) => {
  const {sites, snapshots, actions, failed} = await withSite(t, {maxSiteBytes: 1})
  assert.equal(await sites.restore('harbour', UNKNOWN_AGE), undefined)
  await snapshots.flush()
  assert.deepEqual(failed, ['harbour'])
  assert.deepEqual(actions, ['written harbour', 'removed harbour'])
  assert.equal(sites.has('harbour'), false)
})
