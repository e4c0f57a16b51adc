import assert from 'node:assert/strict'
import {readFile, rename} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {everywhere} from '../../lake/access/rights/rights.ts'
import {runBackupCommand} from '../../lake/commands/backup.ts'
import {promote} from '../../lake/commands/promote.ts'
import {eventually} from '../support/eventually.ts'
import {metricsOf} from '../support/metrics.ts'
import {createRepository, temporaryFolder, testRepository} from './support/git.ts'
import {runLake, runLakeOver} from './support/lake.ts'
import {accountsIn} from './support/signIn.ts'

const readinessOf = async (address: string) => JSON.stringify(await (await fetch(`${address}/readyz`)).json())

test('a standby serves what the primary publishes and changes nothing, until it is promoted and the other one stops', async (t) => {
  const folder = await temporaryFolder(t)
  await createRepository(join(folder, 'remote.git'))
  const remote = testRepository(join(folder, 'remote.git'))
  const primary = await runLake(t, {'post/a.json': {_id: 'a', _type: 'post'}}, {gitRemote: remote.directory})
  await eventually(() => readinessOf(primary.address), /"state":"ok"/)
  const contentDir = join(folder, 'standby.git')
  const following = {gitRemote: remote.directory, follows: true, gitFetchSeconds: 0.1, checkRoleEvery: 20}
  const standby = await runLakeOver(t, testRepository(contentDir), following)

  // Reads, and live events.
  const events: unknown[] = []
  const listening = standby.client.listen('*[_type == "post"]').subscribe((event) => events.push(event))
  t.after(() => listening.unsubscribe())
  await primary.client.create({_id: 'b', _type: 'post'})
  await eventually(
    () => standby.client.fetch('*[_type == "post"]._id | order(@)'),
    (ids) => ids.length === 2,
  )
  await eventually(() => JSON.stringify(events), /"documentId":"b"/)

  // Changes of content and people are refused.
  await assert.rejects(standby.client.create({_id: 'drafts.c', _type: 'post'}), /This is a standby/)
  const administrator = await accountsIn(standby.stateFolder).addToken('admin', everywhere('administrator'))
  const ask = (route: string, method: string) =>
    fetch(standby.address + route, {
      method,
      headers: {authorization: `Bearer ${administrator}`, 'content-type': 'application/json'},
      ...(method === 'GET' ? {} : {body: '{}'}),
    })
  for (const [route, method] of [
    ['/v1/data/actions/production', 'POST'],
    ['/v1/data/mutate/production', 'POST'],
    ['/v1/access/people', 'POST'],
    ['/v1/access/people/none', 'DELETE'],
  ] as const) {
    const response = await ask(route, method)
    assert.equal(response.status, 403, route)
    assert.match(await response.text(), /"type":"standbyError","description":"This is a standby: /)
  }
  for (const route of ['/v1/access/people', '/v1/access/audit'])
    assert.equal((await ask(route, 'GET')).status, 200, route)

  // It says so.
  assert.match(await readinessOf(standby.address), /^\{"status":"ready","problems":\[\],"role":"standby"/)
  assert.match(await readinessOf(primary.address), /"role":"primary"/)
  const shown = await standby.client.request<unknown>({url: '/problems'})
  assert.match(JSON.stringify(shown), /"code":"STANDBY","message":"This is a standby: /)
  const {samples} = await metricsOf(standby.address)
  assert.deepEqual([samples.get('lake_standby'), samples.get('lake_may_write')], [1, 0])
  assert.ok(standby.warnings.some(({msg}) => msg.startsWith('this lake is a standby')))

  await assert.rejects(
    promote({contentDir: primary.repository.directory, gitRemote: remote.directory, follows: false}),
    /is the primary already/,
  )
  const lost = promote({contentDir, gitRemote: join(folder, 'lost.git'), follows: true})
  await assert.rejects(
    lost,
    /^Error: Not promoted, because the remote cannot stop the old primary: .*--without-remote\.$/,
  )

  assert.match(
    await promote({contentDir, gitRemote: remote.directory, follows: true}),
    /^This lake is the primary now\./,
  )
  const {_id} = await eventually(
    () => standby.client.create({_id: 'c', _type: 'post'}).catch(() => ({_id: ''})),
    (created) => created._id !== '',
  )
  assert.equal(_id, 'c')

  // The old one is refused at its next push.
  await primary.client.create({_id: 'lost', _type: 'post'})
  const replaced = await eventually(() => readinessOf(primary.address), /REPLACED/)
  assert.match(replaced, /"status":"degraded".*"mayWrite":false/)
  await assert.rejects(primary.client.create({_id: 'd', _type: 'post'}), /This is a standby/)
  await eventually(() => standby.client.fetch('*[_type == "post"]._id | order(@)'), ['a', 'b', 'c'])
  const branches = await primary.repository.git(
    'for-each-ref',
    '--format=%(refname)',
    'refs/heads/not-pushed',
  )
  assert.equal(branches.trim().split('\n').length, 1)
  const [, branch = ''] = /^refs\/heads\/(.+)$/m.exec(branches) ?? []
  assert.match(
    await eventually(() => readinessOf(primary.address), /NOT_PUSHED/),
    new RegExp(
      `taken back when another lake was promoted: post/lost\\.json\\. They are in the branch ${branch} `,
    ),
  )
  const activity = await primary.client.request<unknown>({url: '/data/history/production/activity'})
  assert.match(JSON.stringify(activity), new RegExp(`"subject":"Taken back \\(branch ${branch}\\): `))
  await primary.repository.git('branch', '-D', branch)
  await eventually(
    () => readinessOf(primary.address),
    (said) => !/NOT_PUSHED/.test(said),
  )
  assert.equal(await remote.git('log', '--format=%s', 'main').then((log) => /lost/.test(log)), false)
  assert.match(await readFile(join(contentDir, 'handrail/role.json'), 'utf8'), /"role":"primary"/)
})

test('a lake that was promoted without the remote stops the old one as soon as both reach it', async (t) => {
  const folder = await temporaryFolder(t)
  const gitRemote = join(folder, 'remote.git')
  await createRepository(gitRemote)
  const old = await runLake(t, {'post/a.json': {_id: 'a', _type: 'post'}}, {gitRemote, gitFetchSeconds: 0.1})
  await eventually(() => readinessOf(old.address), /"state":"ok"/)
  const contentDir = join(folder, 'standby.git')
  const following = {gitRemote, follows: true, gitFetchSeconds: 0.1, checkRoleEvery: 20}
  const standby = await runLakeOver(t, testRepository(contentDir), following)
  await rename(gitRemote, `${gitRemote}.away`)
  const said = await promote({contentDir, gitRemote, follows: true}, {withoutRemote: true})
  assert.match(said, /Nothing stops the old one before this lake reaches the remote/)
  await eventually(() => readinessOf(standby.address), /"mayWrite":true/)
  await standby.client.create({_id: 'b', _type: 'post'})
  assert.match(await readinessOf(old.address), /"mayWrite":true/)
  await rename(`${gitRemote}.away`, gitRemote)
  await eventually(() => readinessOf(old.address), /REPLACED.*"mayWrite":false/)
  await eventually(() => old.client.fetch('*[_type == "post"]._id | order(@)'), ['a', 'b'])
  assert.match(await readinessOf(standby.address), /"role":"primary".*"mayWrite":true/)
})

test('a standby that is restored from a backup of the primary has its drafts and what was published since, once promoted', async (t) => {
  const folder = await temporaryFolder(t)
  await createRepository(join(folder, 'remote.git'))
  const gitRemote = join(folder, 'remote.git')
  const primary = await runLake(t, {'post/a.json': {_id: 'a', _type: 'post'}}, {gitRemote})
  await primary.client.create({_id: 'drafts.b', _type: 'post'})
  const contentDir = primary.repository.directory
  await runBackupCommand(['backup', '--to', join(folder, 'backups')], {contentDir, gitRemote})
  await primary.client.create({_id: 'c', _type: 'post'})
  await primary.close()

  const restored = join(folder, 'standby.git')
  await runBackupCommand(['restore', '--from', join(folder, 'backups')], {contentDir: restored, gitRemote})
  const standby = {gitRemote, follows: true, checkRoleEvery: 20}
  const {client, address} = await runLakeOver(t, testRepository(restored), standby)
  await promote({contentDir: restored, gitRemote, follows: true})
  await eventually(() => readinessOf(address), /"mayWrite":true/)
  await client.create({_id: 'd', _type: 'post'})
  const ids = await client.fetch('*[_type == "post"]._id | order(@)', {}, {perspective: 'raw'})
  assert.deepEqual(ids, ['a', 'c', 'd', 'drafts.b'])
  assert.match(await readinessOf(address), /"role":"primary"/)
})
