import assert from 'node:assert/strict'
import {randomBytes} from 'node:crypto'
import {readFile, rm, stat, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {ReplicaDatabase} from '../../../service/database.ts'
import {createServiceEvents} from '../../../service/events.ts'
import {type ConfirmedSite, Snapshots, type SnapshotsOptions} from '../../../service/snapshots/snapshots.ts'
import {temporaryFolder} from '../../lake/support/git.ts'
import {documentOf} from '../support/entries.ts'

test('the next service reads the snapshots, with their ages by the system clock, and only its owner', async (t) => {
  const dir = join(await temporaryFolder(t), 'snapshots')
  const first = opened(dir, {systemClock: () => 50_000})
  first.keep('shop', '1', 400)
  const next = opened(dir, {clock: () => 7_000, systemClock: () => 60_000})
  const document = {...documentOf('shop'), _id: 'shop'}
  assert.deepEqual(next.snapshots.read('shop', 0), {document, validatedAt: 7_000 - 10_600})
  assert.deepEqual([next.snapshots.has('shop'), next.snapshots.has('other')], [true, false])
  assert.equal(next.snapshots.read('other', 0), undefined)
  const modes = [dir, join(dir, 'counts.db')].map(async (path) =>
    ((await stat(path)).mode & 0o777).toString(8),
  )
  assert.deepEqual(await Promise.all(modes), ['700', '600'])
  const setBack = opened(dir, {systemClock: () => 40_000})
  assert.equal(setBack.snapshots.read('shop', 60_000)?.validatedAt, 1_000 - 60_000)
})

test('a change is written, the date of a confirmation at most every five minutes, also after a restart', async (t) => {
  const dir = await temporaryFolder(t)
  const time = {now: 0}
  const clock = () => time.now
  const first = opened(dir, {clock})
  const writes = (revision: string, at: number, {snapshots, actions} = first) => {
    time.now = at
    snapshots.keep({publicId: 'shop', revision, validatedAt: at})
    return actions.splice(0).length
  }
  assert.equal(writes('2', 0), 0, 'it has no document')
  time.now = 299_000
  first.keep('shop', '2', 299_000)
  assert.equal(first.actions.splice(0).length, 1)
  assert.equal(writes('2', 598_000, opened(dir, {clock})), 0)
  assert.equal(writes('2', 600_000), 1)
  assert.equal(first.snapshots.read('shop', 0)?.validatedAt, 600_000)
})

test('a deleted site leaves no snapshot', async (t) => {
  const {snapshots, keep} = opened(await temporaryFolder(t))
  keep('shop')
  snapshots.remove('shop')
  assert.deepEqual([snapshots.has('shop'), snapshots.counts.files], [false, 0])
})

test('a damaged snapshot is skipped and said once, and replaced by the next good one', async (t) => {
  const dir = await temporaryFolder(t)
  for (const texts of ['', 'no JSON', '{"publicId": "other"}', '{}']) {
    const {database, snapshots, failures, keep, revisionOf} = opened(dir)
    keep('shop', texts)
    database.write((run) => void run('UPDATE snapshots SET document = ?', texts))
    assert.deepEqual(
      [revisionOf('shop'), snapshots.has('shop'), revisionOf('shop')],
      [undefined, false, undefined],
    )
    assert.deepEqual(
      failures.map(({action, path}) => [action, path]),
      [['read', join(dir, 'counts.db')]],
    )
    keep('shop', '3')
    assert.equal(revisionOf('shop'), '3')
    snapshots.remove('shop')
  }
})

const PAGE = 4_096
const names = Array.from({length: 15}, (_, number) => `site-${number}`)
const ADD_CALL = "INSERT INTO calls VALUES ('site', ?, 'a-tool', 'ok 0', 1)"

test('a file with a damaged page is replaced by one with all that the other pages have, unless it is the first one of the file or of a table', async (t) => {
  const dir = await temporaryFolder(t)
  const path = join(dir, 'counts.db')
  const first = opened(dir)
  for (const name of names) first.keep(name, randomBytes(2_000).toString('hex'))
  first.database.write((run) => {
    for (let hour = 1; hour <= 300; hour += 1) run(ADD_CALL, hour)
  })
  first.database.close()
  const whole = await readFile(path)
  const lost: [snapshots: number, calls: number][] = []
  for (let at = 0; at < whole.length; at += PAGE) {
    await writeFile(path, Buffer.from(whole).fill(0xff, at, at + PAGE))
    const {database, snapshots, revisionOf} = opened(dir)
    const readable = () => names.filter((name) => revisionOf(name) !== undefined).length
    readable()
    database.write((run) => void run(ADD_CALL, 0))
    lost.push([names.length - readable(), 301 - database.rows('SELECT key FROM calls').length])
    assert.ok(snapshots.counts.files - readable() <= 1)
    database.close()
  }
  const much = lost.filter(([snapshots, calls]) => snapshots > 1 || calls > 150).map(String)
  assert.deepEqual(much, ['15,300', '15,0', '0,300'])
})

for (const [table, older] of [
  ['calls', 'CREATE TABLE calls (site TEXT, hour INTEGER, number INTEGER)'],
  ['snippets', 'CREATE TABLE snippets (name TEXT)'],
]) {
  test(`a file in which ${table} are those of another version gets a new one, and keeps its snapshots`, async (t) => {
    const dir = await temporaryFolder(t)
    const {database, keep} = opened(dir)
    keep('shop')
    database.write((run) => {
      run(`DROP TABLE ${table}`)
      run(`${older}`)
    })
    database.close()
    const next = opened(dir)
    next.database.write((run) => void run(ADD_CALL, 1))
    assert.deepEqual([next.revisionOf('shop'), next.replaced.length], ['1', 1])
    assert.deepEqual(next.database.rows('SELECT hash FROM snippets'), [])
  })
}

test('snapshots of another lake are not used, but counted and said; those of another format are neither', async (t) => {
  const dir = await temporaryFolder(t)
  const first = opened(dir)
  first.keep('shop')
  const {snapshots, foreign, keep} = opened(dir, {origin: 'lake/local/staging'})
  assert.equal(snapshots.has('shop'), false)
  assert.deepEqual(
    [foreign, snapshots.counts.files, snapshots.counts.foreign],
    [[[1, 'lake/local/staging']], 0, 1],
  )
  keep('shop')
  assert.deepEqual([snapshots.counts.files, snapshots.counts.foreign], [1, 1])
  first.database.write((run) => void run("UPDATE snapshots SET format = 'later'"))
  const other = opened(dir)
  assert.deepEqual(
    [other.snapshots.has('shop'), other.snapshots.counts.files, other.foreign.length],
    [false, 0, 1],
  )
})

test('bytes are bounded: what was confirmed longest ago is removed first', async (t) => {
  const time = {now: 0}
  const {snapshots, keep} = opened(await temporaryFolder(t), {maxBytes: 4_000, clock: () => time.now})
  for (; time.now < 100; time.now += 1) keep(`site-${time.now}`, '1', time.now)
  assert.ok(snapshots.counts.bytes <= 4_400 && snapshots.counts.files > 10, `${snapshots.counts.files}`)
  assert.deepEqual([snapshots.has('site-0'), snapshots.has('site-99')], [false, true])
})

test('a site that a full disk refused is asked for until it is written', async (t) => {
  const dir = join(await temporaryFolder(t), 'snapshots')
  await writeFile(dir, 'in the way')
  const {snapshots, actions, failures, keep, revisionOf} = opened(dir)
  const confirm = (publicId: string) => snapshots.keep({publicId, revision: '1', validatedAt: 2_000})
  keep('shop')
  assert.deepEqual([failures.length, snapshots.counts.files, revisionOf('shop')], [1, 0, undefined])
  assert.deepEqual([confirm('shop'), confirm('blog')], [false, true])
  await rm(dir)
  assert.equal(confirm('shop'), false)
  keep('shop')
  assert.deepEqual([actions, revisionOf('shop'), confirm('shop')], [['written shop'], '1', true])
})

/** Snapshots in a folder, and what they report. */
function opened(dir: string, options: Partial<SnapshotsOptions> = {}) {
  const events = createServiceEvents()
  const failures: {action: string; path: string; error: unknown}[] = []
  const actions: string[] = []
  const foreign: unknown[] = []
  const replaced: unknown[] = []
  events.on('snapshotFailed', (action, path, error) => failures.push({action, path, error}))
  events.on('snapshot', (action, publicId) => actions.push(`${action} ${publicId}`))
  events.on('snapshotsForeign', (...told) => foreign.push(told))
  events.on('databaseReplaced', (_path, error) => replaced.push(error))
  const path = join(dir, 'counts.db')
  const database = new ReplicaDatabase(path, (error) => events.emit('databaseReplaced', path, error))
  const snapshots = new Snapshots({
    database,
    origin: 'lake/local/production',
    events,
    clock: () => 1_000,
    systemClock: options.clock ?? (() => 1_000),
    ...options,
  })
  /** Writes a site. */
  const keep = (...of: Parameters<typeof confirmedSite>) => snapshots.keep(confirmedSite(...of))
  const revisionOf = (publicId: string) => snapshots.read(publicId, 0)?.document._rev
  return {database, snapshots, events, failures, actions, foreign, replaced, keep, revisionOf}
}

/** A site without tools, as upstream returned it. */
function confirmedSite(publicId: string, revision = '1', validatedAt = 1_000): ConfirmedSite {
  const document = {...documentOf(publicId), _id: publicId, _rev: revision}
  return {publicId, revision, validatedAt, document}
}
