import assert from 'node:assert/strict'
import {randomUUID} from 'node:crypto'
import {join} from 'node:path'
import {test} from 'node:test'
import {runBackupCommand} from '../../lake/commands/backup.ts'
import {pause} from '../../studio/saving/attempts.ts'
import {Outbox} from '../../studio/saving/outbox.ts'
import {token} from '../lake/support/app.ts'
import {createRepository, temporaryFolder, testRepository} from '../lake/support/git.ts'
import {runLakeOver} from '../lake/support/lake.ts'
import {eventually} from '../support/eventually.ts'
import {QUICK, runHouse} from '../support/house.ts'
import {siteDocument, toolDocument} from '../support/shop.ts'
import {smallDisk} from '../support/smallDisk.ts'
import {
  alertsOf,
  isQuiet,
  LAKE,
  type Observation,
  observe,
  SERVICE,
  scraped,
  upOf,
  Visitors,
} from './alerts/observe.ts'

test('the disk of the lake is full: /readyz, metrics, the log, Studio and alerts say so, and are quiet afterwards', async (t) => {
  const {folder, fill, free} = await smallDisk(t, 32)
  const contentDir = join(folder, 'content')
  await createRepository(contentDir)
  const {address, warnings} = await runLakeOver(t, testRepository(contentDir))
  const backups = join(await temporaryFolder(t), 'backups')
  await runBackupCommand(['backup', '--to', backups], {contentDir, gitRemote: undefined})
  const authorized = {authorization: `Bearer ${token}`, 'content-type': 'application/json'}
  const kept = new Map<string, string>()
  const items = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  const saves = new Outbox({items, wait: pause})
  saves.watch(address, (input, init) => fetch(input, {...init, headers: authorized}))
  // As Studio saves what an editor types.
  const type = async (title: string) => {
    const draft = {publishedId: 'a', draftId: 'drafts.a'}
    const actions = [
      {
        actionType: 'sanity.action.document.create',
        ...draft,
        attributes: {_id: 'drafts.a', _type: 'post'},
        ifExists: 'ignore',
      },
      {actionType: 'sanity.action.document.edit', ...draft, patch: {set: {title}}},
    ]
    const url = `${address}/v2025-02-19/data/actions/production?tag=sanity.studio.document.commit`
    await saves.take({url, body: {transactionId: randomUUID(), actions}}, () => assert.fail())
  }
  const problems = async () => (await fetch(`${address}/v1/problems`, {headers: authorized})).text()
  const until = (codes: readonly string[], status: string) =>
    eventually(
      () => observe(address),
      (now) => now.status === status && problemsIn(now).join() === codes.join(),
    )
  await type('before')
  const before = await until([], 'ready')

  await fill()
  await type('x'.repeat(100_000))
  await eventually(() => saves.of('a')?.reason, 'the disk is full.')
  const during = await until(['DISK_FULL', 'WRITES_FAILING'], 'degraded')
  assert.match(during.readyz, /full or nearly full: free some space".*could not be saved: the disk is full/)
  assert.match(await problems(), /full or nearly full: free some space/)
  const logged = warnings.find(({code}) => code === 'DISK_FULL')
  assert.deepEqual([logged?.path, logged?.freeBytes], [contentDir, 0])

  await free()
  const after = await until([], 'ready')
  assert.equal(await problems(), '{"problems":[]}')
  await eventually(() => saves.of('a'), undefined)
  const sent = await alertsOf([upOf(SERVICE), upOf(LAKE), ...scraped(LAKE, [before, during, after])])
  assert.deepEqual(sent, {during: ['HandrailDiskFilling', 'LakeProblem'], after: []})
})

/** The codes of the problems that a lake has by its metrics. */
function problemsIn({samples}: Observation): string[] {
  return [...samples].flatMap(([series, value]) => {
    const [, code] = /^lake_problem\{code="(\w+)"\}$/.exec(series) ?? []
    return code !== undefined && value === 1 ? [code] : []
  })
}

test('the disk of the service is full: /readyz, metrics, the log and alerts say so, and are quiet afterwards', async (t) => {
  const {folder, fill, free} = await smallDisk(t, 1)
  const timing = {...QUICK, snapshots: 50}
  const house = await runHouse(t, [siteDocument(), toolDocument()], {}, timing)
  const visitors = new Visitors(await house.replica({SNAPSHOT_DIR: folder}))
  const failures = 'handrail_snapshot_operations_total{operation="write",outcome="failed"}'
  const before = await visitors.until(
    (now) => isQuiet(now) && Number(now.samples.get('handrail_snapshots')) === 1,
  )
  await fill()
  await house.repository.commit([toolDocument({description: 'Changed.'})])
  const during = await visitors.until(
    ({status, readyz}) => status === 'degraded' && /Snapshots cannot be written/.test(readyz),
  )
  assert.match(during.readyz, /Snapshots cannot be written.*disk is full/)
  assert.ok(Number(during.samples.get(failures)) > 0)
  const told = house.lines.filter(({msg}) => /^cannot write snapshots/.test(String(msg)))
  assert.deepEqual(
    told.map(({path}) => path),
    [join(folder, 'counts.db')],
    'once',
  )

  await free()
  // Without a change: a visit is enough.
  const after = await visitors.until(isQuiet)
  assert.ok(house.lines.some(({msg}) => msg === 'snapshots can be written again'))
  const sent = await alertsOf([
    upOf(SERVICE),
    upOf(LAKE),
    ...scraped(SERVICE, [before, during, after], failures),
  ])
  assert.deepEqual(sent, {during: ['HandrailDiskFilling', 'HandrailSnapshotsNotWritten'], after: []})
})
