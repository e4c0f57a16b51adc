import assert from 'node:assert/strict'
import {mkdir, readdir, readFile, rename, rm, utimes, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {PROBLEM_CODES} from '../../lake/readiness.ts'
import {UNIQUE_RULES} from '../../schemas/unique.ts'
import {changeState} from '../content/state/changeState.ts'
import {eventually} from '../support/eventually.ts'
import {metricsOf} from '../support/metrics.ts'
import {token} from './support/app.ts'
import {type TestRepository, temporaryFolder, temporaryRepository, testRepository} from './support/git.ts'
import {runLake, runLakeOver} from './support/lake.ts'

async function readiness(address: string): Promise<Record<string, unknown>> {
  const body: unknown = await (await fetch(`${address}/readyz`)).json()
  assert.ok(typeof body === 'object' && body !== null)
  return Object.fromEntries(Object.entries(body))
}

test('/readyz reports what is served, and that nothing is pushed without a remote', async (t) => {
  const {address, repository} = await runLake(t, {
    'post/a.json': {_id: 'a', _type: 'post'},
    'post/b.json': '{',
  })
  const {push, ...rest} = await readiness(address)
  assert.deepEqual(rest, {
    status: 'ready',
    problems: [],
    commit: (await repository.git('rev-parse', 'HEAD')).trim(),
    documents: 1,
    invalidFiles: 1,
    studio: 'missing',
  })
  assert.match(JSON.stringify(push), /"state":"off"/)
})

/**
 * The codes and messages of the problems, once `code` is among them; none names a path or host of the
 * machine.
 */
async function problemsWith(address: string, code: string, {directory}: TestRepository): Promise<string> {
  const ask = async () => JSON.stringify(await readiness(address))
  const text = await eventually(ask, (found) => found.includes(code))
  assert.match(text, /^\{"status":"degraded"/)
  assert.ok(!text.includes(directory), text)
  const {samples} = await metricsOf(address)
  assert.equal(samples.get(`lake_problem{code="${code}"}`), 1)
  return text
}

async function isReadyAgain(address: string): Promise<void> {
  await eventually(async () => (await readiness(address)).status, 'ready')
}

const post = {_id: 'a', _type: 'post'}

test('a leftover lock is reported and logged until it is resolved', async (t) => {
  const {address, repository, warnings} = await runLake(t, {'post/a.json': post})
  const lock = join(repository.directory, 'refs/heads/main.lock')
  await writeFile(lock, '')
  await utimes(lock, 1_000, 1_000)
  assert.match(await problemsWith(address, 'GIT_LOCK_LEFT', repository), /held refs\/heads\/main\.lock in/)
  const logged = warnings.find(({code}) => code === 'GIT_LOCK_LEFT')
  assert.deepEqual(logged?.paths, [lock])
  await rm(lock)
  await isReadyAgain(address)
})

test('a database that is damaged while the lake runs, and an unreadable branch, are reported', async (t) => {
  const {address, repository, client} = await runLake(t, {'post/a.json': post})
  changeState(repository, (state) => state.run('ALTER TABLE editor RENAME TO hidden'))
  assert.match(await problemsWith(address, 'STATE_DAMAGED', repository), /nothing can be saved/)
  await writeFile(join(repository.directory, 'refs/heads/main'), '')
  assert.match(
    await problemsWith(address, 'CONTENT_UNREADABLE', repository),
    /The content repository cannot be read/,
  )
  assert.equal((await client.getDocument('a'))?._type, 'post')
  assert.equal((await fetch(`${address}/readyz`)).status, 200)
})

test('a lake does not start with a damaged database, and says what to do', async (t) => {
  const repository = await temporaryRepository(t)
  await mkdir(join(repository.directory, 'handrail'))
  await writeFile(join(repository.directory, 'handrail/state.db'), 'garbage '.repeat(1_000))
  await assert.rejects(
    runLakeOver(t, repository),
    /damaged \(file is not a database\): stop the lake and restore state.db from a backup/,
  )
})

test('a database that is moved away while the lake runs is reported, takes no more drafts, and goes on when it is back', async (t) => {
  const {address, client, repository} = await runLake(t, {'post/a.json': post})
  await client.create({_id: 'drafts.a', _type: 'post', title: 'kept'})
  const folder = join(repository.directory, 'handrail')
  for (const name of await readdir(folder))
    if (name.startsWith('state.db')) await rename(join(folder, name), join(folder, `moved-${name}`))
  const draft = {_id: 'drafts.b', _type: 'post'}
  await assert.rejects(client.create(draft), /Nothing was saved: .*was moved, deleted or replaced/)
  await problemsWith(address, 'STATE_LOST', repository)
  await writeFile(join(folder, 'state.db'), '')
  await assert.rejects(client.create(draft), /moved, deleted or replaced/)
  for (const name of await readdir(folder))
    if (name.startsWith('moved-')) await rename(join(folder, name), join(folder, name.slice(6)))
  await client.create(draft)
  await isReadyAgain(address)
  assert.equal((await client.getDocument('drafts.a'))?.title, 'kept')
})

test('a served document that a commit broke is reported until it is corrected; a file that never was one is not', async (t) => {
  const {address, client, repository} = await runLake(t, {'post/a.json': post})
  await repository.commit({'post/notes.json': 'no document'})
  await repository.commit({'post/a.json': `<<<<<<< HEAD\n${JSON.stringify(post)}\n=======\n`})
  const told = await problemsWith(address, 'DOCUMENT_BROKEN', repository)
  assert.match(told, /A commit broke post\/a\.json; not served any more/)
  assert.equal(await client.getDocument('a'), undefined)
  await repository.commit({'post/a.json': post})
  await isReadyAgain(address)
  for (const name of ['post/A.json', 'post/other.json']) {
    await repository.commit({'post/a.json': undefined, [name]: post})
    const renamed = await problemsWith(address, 'DOCUMENT_BROKEN', repository)
    assert.match(renamed, new RegExp(`A commit broke ${name}; not served any more`))
    await repository.commit({[name]: undefined, 'post/a.json': post})
    await isReadyAgain(address)
  }
})

test('documents that share a unique value by a commit are named, and the older commit counts', async (t) => {
  const repository = await temporaryRepository(t)
  const site = (_id: string) => ({_id, _type: 'site', publicId: 'bank-0001-site'})
  const forged = {...site('evil'), _createdAt: '1970-01-01T00:00:01Z'}
  await repository.commit({'site/bank.json': site('bank')}, 1_000)
  const {address, client} = await runLakeOver(t, repository, {uniqueRules: UNIQUE_RULES})
  await repository.commit({'site/evil.json': forged}, 2_000)
  assert.match(
    await problemsWith(address, 'VALUE_SHARED', repository),
    /site\/bank\.json and site\/evil\.json have the same public ID, \\"bank-0001-site\\"\. Pages get/,
  )
  const oldest = '*[_type == "site" && publicId == "bank-0001-site"] | order(_createdAt asc)[0]._id'
  assert.equal(await client.fetch(oldest), 'bank')
  await client.delete('evil')
  await isReadyAgain(address)
  const named = (_type: string) => ({
    _id: _type,
    _type,
    name: 'search',
    site: {_type: 'reference', _ref: 'bank'},
  })
  await repository.commit({'tool/tool.json': named('tool'), 'formTool/formTool.json': named('formTool')})
  const shared = await problemsWith(address, 'VALUE_SHARED', repository)
  assert.match(shared, /formTool\/formTool\.json and tool\/tool\.json have the same name, \\"search\\"/)
})

test('a failed write is reported until writing is possible, without another write', async (t) => {
  const {address, repository, client} = await runLake(t, {'post/a.json': post})
  changeState(repository, (state) =>
    state.run("CREATE TRIGGER broken BEFORE INSERT ON draft BEGIN SELECT RAISE(ABORT, 'broken'); END"),
  )
  await assert.rejects(client.create({_id: 'drafts.a', _type: 'post'}), /Nothing was saved: broken/)
  await problemsWith(address, 'WRITES_FAILING', repository)
  changeState(repository, (state) => state.run('DROP TRIGGER broken'))
  await isReadyAgain(address)
  assert.deepEqual(await client.fetch('*[_type == "post"]._id'), ['a'])
  await client.create({_id: 'drafts.a', _type: 'post'})
})

test('publishes are pushed; an unreachable remote is reported and loses nothing', async (t) => {
  const folder = await temporaryFolder(t)
  const remote = testRepository(folder)
  const {address, client, repository} = await runLake(
    t,
    {'post/a.json': {_id: 'a', _type: 'post'}},
    {gitRemote: folder},
  )
  const state = async () => JSON.stringify((await readiness(address)).push)
  await eventually(state, /"state":"failing"/)
  // Strangers must see neither the remote's path nor Git's messages about it.
  const told = await problemsWith(address, 'PUSH_FAILING', remote)
  assert.ok(!told.includes('lastError'), told)
  // Editors see it, in Studio.
  const asked = await fetch(`${address}/v1/problems`, {headers: {authorization: `Bearer ${token}`}})
  const text = await asked.text()
  assert.match(text, /"code":"PUSH_FAILING".*"reason":"[^"]*does not appear to be a git repository/)
  assert.ok(!text.includes(folder), text)
  assert.equal((await fetch(`${address}/v1/problems`)).status, 401)
  await remote.git('init', '--quiet', '--bare', '--initial-branch=main')
  await client.create({_id: 'b', _type: 'post'})
  await eventually(state, /"state":"ok"/)
  const head = (await repository.git('rev-parse', 'HEAD')).trim()
  assert.equal((await remote.git('rev-parse', 'main')).trim(), head)
})

test('docs/monitoring.md says what to do about exactly the problems that exist', async () => {
  const page = await readFile(new URL('../../docs/monitoring.md', import.meta.url), 'utf8')
  const [list = ''] = page.split('## Metrics')
  const entries = [...list.matchAll(/^- (`[A-Z_]+`.*?):/gm)]
  const documented = entries.flatMap(([, names = '']) => names.match(/[A-Z_]+/g) ?? [])
  assert.deepEqual(documented.sort(), [...PROBLEM_CODES].sort())
})
