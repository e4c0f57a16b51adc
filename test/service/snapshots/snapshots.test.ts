import assert from 'node:assert/strict'
import {readdir, readFile, rm, stat, utimes, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {createServiceEvents} from '../../../service/events.ts'
import {temporaryFolder} from '../../lake/support/git.ts'
import {eventually} from '../../support/eventually.ts'
import {BYTES, opened, pendingSnapshot, snapshotOf} from './support.ts'

test('the next service reads the snapshots, with their ages and tags', async (t) => {
  const dir = await temporaryFolder(t)
  const first = await opened(dir)
  first.snapshots.keep(pendingSnapshot('shop'), 'shop@1')
  await first.snapshots.flush()
  const {snapshots} = await opened(dir)
  assert.equal(snapshots.has('shop'), true)
  assert.deepEqual(await snapshots.read('shop'), snapshotOf('shop'))
  assert.equal(snapshots.has('other'), false)
  assert.equal(await snapshots.read('other'), undefined)
})

test('only its owner reads a snapshot', async (t) => {
  const dir = join(await temporaryFolder(t), 'snapshots')
  const first = await opened(dir)
  first.snapshots.keep(pendingSnapshot('shop'), 'shop@1')
  await first.snapshots.flush()
  const [name = ''] = await readdir(dir)
  const modes = [dir, join(dir, name)].map(async (path) => ((await stat(path)).mode & 0o777).toString(8))
  assert.deepEqual(await Promise.all(modes), ['700', '600'])
})

test('a change is written, a confirmation at most every five minutes', async (t) => {
  const {snapshots, actions} = await opened(await temporaryFolder(t))
  const at = async (revision: string, validatedAt: number) => {
    snapshots.keep(pendingSnapshot('shop', revision, validatedAt), revision)
    await snapshots.flush()
    return actions.splice(0).length
  }
  assert.equal(await at('1', 0), 1)
  assert.equal(await at('1', 299_000), 0)
  assert.equal(await at('2', 299_000), 1)
  assert.equal(await at('2', 598_000), 0)
  assert.equal(await at('2', 600_000), 1)
  assert.equal((await snapshots.read('shop'))?.validatedAt, 600_000)
})

test('changes in quick succession are written once', async (t) => {
  const {snapshots, actions} = await opened(await temporaryFolder(t))
  for (let revision = 1; revision <= 50; revision++) {
    snapshots.keep(pendingSnapshot('shop', String(revision)), String(revision))
  }
  assert.equal(
    (await snapshots.read('shop'))?.document._rev,
    '50',
    'what is not written yet is read all the same',
  )
  await snapshots.flush()
  assert.deepEqual(actions, ['written shop'])
})

test('a change that arrives while an earlier one is written is written after it', async (t) => {
  const dir = await temporaryFolder(t)
  const {snapshots, actions} = await opened(dir)
  const earlier = pendingSnapshot('shop', '1')
  const documentJson = () => {
    snapshots.keep(pendingSnapshot('shop', '2'), '2')
    return earlier.documentJson()
  }
  snapshots.keep({...earlier, documentJson}, '1')
  await snapshots.flush()
  await snapshots.flush()
  assert.deepEqual(actions, ['written shop', 'written shop'])
  assert.equal((await (await opened(dir)).snapshots.read('shop'))?.document._rev, '2')
})

test('thousands of sites that are asked for at once wait for the disk', async (t) => {
  const {snapshots} = await opened(await temporaryFolder(t))
  const ids = Array.from({length: 2_000}, (_, number) => `site-${number}`)
  for (const publicId of ids) snapshots.keep(pendingSnapshot(publicId), '1')
  assert.deepEqual(
    ids.filter((publicId) => !snapshots.has(publicId)),
    [],
  )
  // Nothing is left to write.
  for (const publicId of ids) snapshots.remove(publicId)
  await snapshots.flush()
})

test('memory for the queue of a slow disk is bounded: the site that was offered longest ago is written when it is next confirmed', async (t) => {
  const {snapshots, actions} = await opened(await temporaryFolder(t), {maxWaitingBytes: 3 * BYTES})
  for (const publicId of ['a', 'b', 'c', 'a', 'd']) snapshots.keep(pendingSnapshot(publicId), '1')
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((publicId) => snapshots.has(publicId)),
    [true, false, true, true],
  )
  await snapshots.flush()
  assert.deepEqual(actions, ['written c', 'written a', 'written d'])
  snapshots.keep(pendingSnapshot('b'), '1')
  await snapshots.flush()
  assert.deepEqual(actions.slice(3), ['written b'])
})

test('a deleted site leaves no file, whether it was written already or is still queued', async (t) => {
  const dir = await temporaryFolder(t)
  const {snapshots} = await opened(dir)
  snapshots.keep(pendingSnapshot('written'), '1')
  await snapshots.flush()
  snapshots.remove('written')
  snapshots.keep(pendingSnapshot('pending'), '1')
  snapshots.remove('pending')
  snapshots.keep(pendingSnapshot('in-the-midst'), '1')
  const flushed = snapshots.flush()
  snapshots.remove('in-the-midst')
  await flushed
  await snapshots.flush()
  assert.deepEqual(await readdir(dir), [])
  for (const publicId of ['written', 'pending', 'in-the-midst']) assert.equal(snapshots.has(publicId), false)
})

for (const [name, damage] of [
  ['cut off', (text: string) => text.slice(0, -20)],
  ['changed by one character', (text: string) => text.replace('"_rev":"1"', '"_rev":"2"')],
  ['empty', () => ''],
  ['of another format', (text: string) => text.replace(/^\S+/, '$&x')],
  ['no snapshot', () => '{"publicId": "shop"}\n'],
] as const) {
  test(`a file that is ${name} is skipped, logged by name, and replaced by the next good one`, async (t) => {
    const dir = await temporaryFolder(t)
    const before = await opened(dir)
    before.snapshots.keep(pendingSnapshot('shop'), '1')
    await before.snapshots.flush()
    const [file = ''] = await readdir(dir)
    const path = join(dir, file)
    await writeFile(path, damage(await readFile(path, 'utf8')))

    const {snapshots, failures} = await opened(dir)
    assert.equal(await snapshots.read('shop'), undefined)
    assert.deepEqual(
      failures.map(({action, path: named}) => [action, named]),
      [['read', path]],
    )
    assert.equal(snapshots.has('shop'), false, 'it is not read again')
    snapshots.keep(pendingSnapshot('shop', '3'), '3')
    await snapshots.flush()
    assert.equal((await snapshots.read('shop'))?.document._rev, '3')
  })
}

test('a file under the name of another site is not used for it', async (t) => {
  const dir = await temporaryFolder(t)
  const {snapshots, failures} = await opened(dir)
  snapshots.keep(pendingSnapshot('shop'), '1')
  await snapshots.flush()
  const [shop = ''] = await readdir(dir)
  snapshots.keep(pendingSnapshot('other'), '1')
  await snapshots.flush()
  const [other = ''] = (await readdir(dir)).filter((name) => name !== shop)
  await writeFile(join(dir, other), await readFile(join(dir, shop)))
  assert.equal(await snapshots.read('other'), undefined)
  assert.equal(failures.length, 1)
})

test('snapshots of another lake are ignored, counted and evicted', async (t) => {
  const dir = await temporaryFolder(t)
  const first = await opened(dir)
  first.snapshots.keep(pendingSnapshot('shop'), '1')
  await first.snapshots.flush()
  const events = createServiceEvents()
  const found: unknown[] = []
  events.on('snapshotsForeign', (...told) => found.push(told))
  const {snapshots} = await opened(dir, {origin: 'lake/local/staging', events, maxFiles: 1})
  assert.equal(snapshots.has('shop'), false)
  assert.deepEqual(
    [found, snapshots.counts.files, snapshots.counts.foreign],
    [[[1, 'lake/local/staging']], 0, 1],
  )
  snapshots.keep(pendingSnapshot('shop'), '1')
  await snapshots.flush()
  assert.deepEqual([snapshots.counts.files, snapshots.counts.foreign], [1, 0])
  assert.deepEqual((await readdir(dir)).length, 1)
})

test('files and bytes are bounded: the least recently used is deleted first, also after a restart', async (t) => {
  const dir = await temporaryFolder(t)
  const {snapshots} = await opened(dir, {maxFiles: 3})
  for (const publicId of ['a', 'b', 'c']) snapshots.keep(pendingSnapshot(publicId), '1')
  await snapshots.flush()
  await snapshots.read('a')
  snapshots.keep(pendingSnapshot('d'), '1')
  await snapshots.flush()
  assert.equal((await readdir(dir)).length, 3)
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((id) => snapshots.has(id)),
    [true, false, true, true],
  )

  for (const [age, name] of (await readdir(dir)).entries())
    await utimes(join(dir, name), 1_000 - age, 1_000 - age)
  const [youngest = '', , oldest = ''] = await readdir(dir)
  const again = await opened(dir, {maxFiles: 2})
  await again.snapshots.flush()
  const left = await readdir(dir)
  assert.deepEqual([left.length, left.includes(youngest), left.includes(oldest)], [2, true, false])

  const small = await opened(dir, {maxBytes: 350})
  await small.snapshots.flush()
  assert.equal((await readdir(dir)).length, 1)
})

test('if there are more sites than files, few of those that are only confirmed are written again', async (t) => {
  const {snapshots, actions} = await opened(await temporaryFolder(t), {maxFiles: 30})
  const ids = Array.from({length: 100}, (_, number) => `site-${number}`)
  for (const publicId of ids) snapshots.keep(pendingSnapshot(publicId), '1')
  await snapshots.flush()
  assert.equal(snapshots.counts.files, 30)
  actions.length = 0
  for (const publicId of ids) snapshots.keep(pendingSnapshot(publicId), '1', true)
  await snapshots.flush()
  assert.deepEqual(
    actions,
    ids.slice(0, 10).map((publicId) => `written ${publicId}`),
  )
  snapshots.keep(pendingSnapshot('site-50', '2'), '2')
  await snapshots.flush()
  assert.ok(snapshots.has('site-50'), 'a change is always written')
})

test('files left half written by a crash are removed, and those that another replica is writing are not', async (t) => {
  const dir = await temporaryFolder(t)
  await writeFile(join(dir, 'aside-old'), 'half')
  await utimes(join(dir, 'aside-old'), 1_000, 1_000)
  await writeFile(join(dir, 'aside-new'), 'half')
  await writeFile(join(dir, 'README'), 'of somebody else')
  const {snapshots} = await opened(dir)
  await snapshots.flush()
  assert.deepEqual((await readdir(dir)).sort(), ['README', 'aside-new'])
})

test('public IDs are not used as file paths', async (t) => {
  const dir = await temporaryFolder(t)
  const {snapshots} = await opened(dir)
  for (const publicId of ['../../etc/passwd', 'a/b', '.', 'x'.repeat(1_000)]) {
    snapshots.keep(pendingSnapshot(publicId), '1')
    await snapshots.flush()
    assert.deepEqual(await snapshots.read(publicId), snapshotOf(publicId))
  }
  assert.ok((await readdir(dir)).every((name) => /^[0-9a-f]{64}\.json$/.test(name)))
})

test('a folder that cannot be created disables only snapshots, and is logged', async (t) => {
  const dir = await temporaryFolder(t)
  await writeFile(join(dir, 'a-file'), '')
  const {snapshots, failures} = await opened(join(dir, 'a-file', 'snapshots'))
  snapshots.keep(pendingSnapshot('shop'), '1')
  await snapshots.flush()
  assert.equal(snapshots.counts.files, 0)
  assert.deepEqual(
    failures.map(({action}) => action),
    ['read', 'write'],
  )
})

test('writing resumes when the folder is back', async (t) => {
  const dir = await temporaryFolder(t)
  const {snapshots, actions} = await opened(join(dir, 'snapshots'))
  await rm(join(dir, 'snapshots'), {recursive: true})
  await writeFile(join(dir, 'snapshots'), 'in the way')
  snapshots.keep(pendingSnapshot('shop'), '1')
  await snapshots.flush()
  await rm(join(dir, 'snapshots'))
  snapshots.keep(pendingSnapshot('shop', '1', 2_000), '1')
  await snapshots.flush()
  assert.deepEqual(actions, ['written shop'])
})

test('a write that failed is tried again by itself, unless the site is removed', async (t) => {
  const dir = join(await temporaryFolder(t), 'snapshots')
  const {snapshots, actions, failures} = await opened(dir, {retryAfter: 5, writeAfter: 1})
  const failed = (count: number) => eventually(async () => failures.length >= count, Boolean)
  await rm(dir, {recursive: true})
  await writeFile(dir, 'in the way')
  snapshots.keep(pendingSnapshot('shop'), '1')
  // The first write and one repetition.
  await failed(2)
  await rm(dir)
  await eventually(() => actions.join(), 'written shop')

  await rm(dir, {recursive: true})
  await writeFile(dir, 'in the way')
  failures.length = 0
  snapshots.keep(pendingSnapshot('blog'), '1')
  await failed(1)
  snapshots.remove('blog')
  await rm(dir)
  snapshots.keep(pendingSnapshot('shop', '2'), '2')
  await snapshots.flush()
  assert.deepEqual(
    actions.filter((action) => action.startsWith('written')),
    ['written shop', 'written shop'],
  )
})
