import assert from 'node:assert/strict'
import {existsSync} from 'node:fs'
import {
  appendFile,
  chmod,
  cp,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import {basename, join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {type TestContext, test} from 'node:test'
import type {SanityClient} from '@sanity/client'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import {type Manifest, manifestText} from '../../../lake/backup/manifest.ts'
import {runBackupCommand} from '../../../lake/commands/backup.ts'
import {recordOf} from '../../support/answers.ts'
import {metricsOf} from '../../support/metrics.ts'
import {
  cloneOf,
  type TestRepository,
  temporaryFolder,
  temporaryRepository,
  testRepository,
} from '../support/git.ts'
import {type RunningLake, runLake, runLakeOver} from '../support/lake.ts'
import {accountsIn, stateFolderOf} from '../support/signIn.ts'

/** Only for its digests. */
const MANIFEST: Manifest = {at: '', version: '', branch: '', objectFormat: 'sha1'}

const run = (contentDir: string, words: readonly string[], gitRemote?: string) =>
  runBackupCommand(words, {contentDir, gitRemote})

async function backUp({repository}: RunningLake, to: string, ...options: string[]): Promise<string> {
  const said = (await run(repository.directory, ['backup', '--to', to, ...options])) ?? ''
  assert.match(said, /^Wrote /)
  return said.slice('Wrote '.length)
}

/** A restored repository, and what the command said. */
async function restored(t: TestContext, from: string, gitRemote?: string) {
  const contentDir = join(await temporaryFolder(t), 'content.git')
  const said = (await run(contentDir, ['restore', '--from', from], gitRemote)) ?? ''
  return {said, repository: testRepository(contentDir)}
}

const draft = (client: SanityClient, id: string, title: string) =>
  client.createOrReplace({_id: `drafts.${id}`, _type: 'note', title})

const publish = (client: SanityClient, id: string) =>
  client.action({
    actionType: 'sanity.action.document.publish',
    draftId: `drafts.${id}`,
    publishedId: id,
  })

async function titles(client: SanityClient): Promise<unknown> {
  const found = await client.fetch<{_id: string; title: string}[]>(
    '*[_type == "note"] {_id, title} | order(_id)',
    {},
    {perspective: 'raw'},
  )
  return Object.fromEntries(found.map(({_id, title}) => [_id, title]))
}

/** A lake with a published note `a` and a draft of it. */
async function lakeWithDraft(t: TestContext, remote?: TestRepository) {
  const settings = remote === undefined ? {} : {gitRemote: remote.directory}
  const lake = await runLake(t, {'note/a.json': {_id: 'a', _type: 'note', title: 'first'}}, settings)
  await draft(lake.client, 'a', 'typed')
  return lake
}

/** Changes the manifest of a backup. The digests are those of the files. */
async function change(copy: string, members: Record<string, unknown>): Promise<void> {
  const path = join(copy, 'backup.json')
  const manifest = recordOf(JSON.parse(await readFile(path, 'utf8')))
  const {sha256} = recordOf(JSON.parse(await manifestText(copy, MANIFEST)))
  await writeFile(path, JSON.stringify({...manifest, sha256, ...members}))
}

async function changeDatabase(copy: string): Promise<void> {
  const database = new DatabaseSync(join(copy, 'state.db'))
  database.exec('PRAGMA user_version = 1000')
  database.close()
  await change(copy, {})
}

test('a restored lake has content, drafts and people, and accepts publishes and pushes', async (t) => {
  const lake = await lakeWithDraft(t)
  const secret = await accountsIn(lake.stateFolder).tokens.add('ci', everywhere('publisher'))
  await lake.repository.git('config', 'remote.backup.url', 'https://git.example/content.git')
  await lake.repository.write('hooks/post-receive', '#!/bin/sh\n')
  await chmod(join(lake.repository.directory, 'hooks/post-receive'), 0o755)
  const backup = await backUp(lake, join(await temporaryFolder(t), 'backups'))
  assert.equal((await stat(join(backup, 'state.db'))).mode & 0o777, 0o600)
  assert.equal((await stat(backup)).mode & 0o777, 0o700)
  const {samples} = await metricsOf(lake.address)
  const at = Date.parse(basename(backup).replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:')) / 1_000
  assert.equal(samples.get('lake_last_backup_timestamp_seconds'), at)
  await lake.close()

  const {said, repository} = await restored(t, backup)
  assert.match(said, /^Restored .+: the content and 1 draft of /)
  assert.equal(
    (await repository.git('config', 'remote.backup.url')).trim(),
    'https://git.example/content.git',
  )
  assert.equal((await stat(join(repository.directory, 'hooks/post-receive'))).mode & 0o777, 0o755)
  const next = await runLakeOver(t, repository)
  const withToken = next.clientWith({token: secret})
  assert.deepEqual(await titles(withToken), {a: 'first', 'drafts.a': 'typed'})
  await publish(withToken, 'a')
  const person = await cloneOf(t, repository)
  await person.commit({'note/b.json': {_id: 'b', _type: 'note', title: 'pushed'}})
  await person.git('push', '--quiet')
  assert.equal((await repository.git('rev-list', '--count', 'HEAD')).trim(), '3')
  await repository.git('fsck', '--strict')
})

test('drafts that are older than what the remote has cannot be published', async (t) => {
  const remote = await temporaryRepository(t)
  const lake = await lakeWithDraft(t)
  for (const id of ['b', 'c', 'd']) await draft(lake.client, id, `draft ${id}`)
  await publish(lake.client, 'd')
  await draft(lake.client, 'd', 'typed after publishing')
  const backups = await temporaryFolder(t)
  await backUp(lake, backups)
  await publish(lake.client, 'b')
  await draft(lake.client, 'a', 'typed later')
  await publish(lake.client, 'a')
  await lake.client.delete('d')
  await lake.close()
  await lake.repository.git('push', '--quiet', remote.directory, 'main')

  const {said, repository} = await restored(t, backups, remote.directory)
  assert.match(said, /Added newer commits of GIT_REMOTE\. Drafts that are older/)
  const next = await runLakeOver(t, repository, {gitRemote: remote.directory})
  assert.deepEqual(await titles(next.client), {
    a: 'typed later',
    b: 'draft b',
    'drafts.a': 'typed',
    'drafts.b': 'draft b',
    'drafts.c': 'draft c',
    'drafts.d': 'typed after publishing',
  })
  await assert.rejects(
    publish(next.client, 'a'),
    /was published again after this draft began: .* discard the draft/,
  )
  await assert.rejects(publish(next.client, 'd'), /was unpublished or deleted after this draft began/)
  for (const id of ['b', 'c']) await publish(next.client, id)
})

test('a remote that cannot be reached does not prevent a restore', async (t) => {
  const backup = await backUp(await lakeWithDraft(t), await temporaryFolder(t))
  const {said} = await restored(t, backup, join(backup, 'missing.git'))
  assert.match(said, /Nothing was added from GIT_REMOTE, which the lake tries again: /)
})

test('a backup is kept under its time, and older ones are deleted only on request', async (t) => {
  const lake = await lakeWithDraft(t)
  const folder = await temporaryFolder(t)
  const killed = [await mkdtemp(join(folder, '.partial-')), await mkdtemp(join(folder, '.partial-'))]
  const longAgo = new Date(Date.now() - 16 * 60_000)
  for (const path of killed) await utimes(path, longAgo, longAgo)
  const [running = '', gone = ''] = killed
  await writeFile(join(running, 'state.db'), '')
  const made: string[] = []
  for (const options of [[], [], ['--keep', '2']]) made.push(basename(await backUp(lake, folder, ...options)))
  assert.deepEqual((await readdir(folder)).sort(), [basename(running), ...made.slice(1)])
  assert.ok(!existsSync(gone))
  await rm(running, {recursive: true})
  await assert.rejects(
    run(lake.repository.directory, ['backup', '--to', folder, '--keep', '0']),
    /--keep 0: /,
  )
  await assert.rejects(run(lake.repository.directory, ['backup']), /--to is missing/)
  const file = join(folder, 'file')
  await writeFile(file, '')
  await assert.rejects(run(lake.repository.directory, ['backup', '--to', file]), /EEXIST/)
  const missing = join(folder, 'no', 'such')
  await assert.rejects(run(lake.repository.directory, ['backup', '--to', missing]), /no does not exist/)
  // A recursive `mkdir` never ends here.
  await assert.rejects(run(lake.repository.directory, ['backup', '--to', '/proc/x']), /created: ENOENT/)
  await assert.rejects(run(folder, ['backup', '--to', folder]), /has no lake's database/)
  assert.equal((await readdir(folder)).length, 3)
})

test('backups are verified', async (t) => {
  const lake = await lakeWithDraft(t)
  const folder = await temporaryFolder(t)
  const verify = () => run(lake.repository.directory, ['verify', '--from', folder])
  await assert.rejects(verify(), /has no backup/)
  await backUp(lake, folder)
  const damaged = await backUp(lake, folder)
  assert.match((await verify()) ?? '', /^2 backups in .* can be restored\.$/)
  await appendFile(join(damaged, 'state.db'), 'x')
  await assert.rejects(verify(), /state\.db is not as it was written.*\n1 backup can be restored/)
})

test('a restore is refused in words, and leaves CONTENT_DIR as it was', async (t) => {
  const lake = await lakeWithDraft(t)
  const backup = await backUp(lake, await temporaryFolder(t))
  const target = await temporaryFolder(t)
  await assert.rejects(run(stateFolderOf(lake.repository), ['restore', '--from', backup]), /is not empty/)
  const changes: readonly [RegExp, (copy: string) => Promise<unknown>][] = [
    [/content\.bundle is not as it was written/, (copy) => appendFile(join(copy, 'content.bundle'), 'x')],
    [/state\.db is missing/, (copy) => rm(join(copy, 'state.db'))],
    [/has no backup/, (copy) => rm(join(copy, 'backup.json'))],
    [/its backup\.json is not valid/, (copy) => writeFile(join(copy, 'backup.json'), '{}')],
    [/was written by version 9\.0: restore it with/, (copy) => change(copy, {format: 2, version: '9.0'})],
    [/its backup\.json is not valid/, (copy) => change(copy, {at: '2026-11-27\u001b[2J'})],
    [/was written by version 9 \[2J: restore it/, (copy) => change(copy, {format: 2, version: '9\u001b[2J'})],
    [/lacks the commit /, (copy) => change(copy, {commit: '0'.repeat(40)})],
    [/have version \d+, and this lake knows them up to \d+: /, (copy) => changeDatabase(copy)],
  ]
  for (const [words, damage] of changes) {
    const copy = join(await temporaryFolder(t), 'copy')
    await cp(backup, copy, {recursive: true})
    await damage(copy)
    await assert.rejects(run(target, ['restore', '--from', copy]), words)
    assert.deepEqual(await readdir(target), [])
  }
})
