import assert from 'node:assert/strict'
import {test} from 'node:test'
import {eventually} from '../support/house.ts'
import {temporaryFolder, testRepository} from './support/git.ts'
import {runLake, runLakeOver} from './support/lake.ts'

async function readiness(address: string): Promise<Record<string, unknown>> {
  const body: unknown = await (await fetch(`${address}/readyz`)).json()
  assert.ok(typeof body === 'object' && body !== null)
  return Object.fromEntries(Object.entries(body))
}

test('/readyz says what is served, and that nothing is pushed where no remote is set', async (t) => {
  const {address, repository} = await runLake(t, {
    'post/a.json': {_id: 'a', _type: 'post'},
    'post/b.json': '{',
  })
  const {push, ...rest} = await readiness(address)
  assert.deepEqual(rest, {
    status: 'ready',
    commit: (await repository.git('rev-parse', 'HEAD')).trim(),
    documents: 1,
    invalidFiles: 1,
    mayWrite: true,
  })
  assert.match(JSON.stringify(push), /"state":"off"/)
})

test('what is published is pushed; a remote that cannot be reached shows, and loses nothing', async (t) => {
  const folder = await temporaryFolder(t)
  const remote = testRepository(folder)
  const {address, client, repository} = await runLake(
    t,
    {'post/a.json': {_id: 'a', _type: 'post'}},
    {gitRemote: folder},
  )
  const state = async () => JSON.stringify((await readiness(address)).push)
  await eventually(state, (text) => /"state":"failing"/.test(text), 10)
  await remote.git('init', '--quiet', '--bare', '--initial-branch=main')
  await client.create({_id: 'b', _type: 'post'})
  await eventually(state, (text) => /"state":"ok"/.test(text), 20)
  const head = (await repository.git('rev-parse', 'HEAD')).trim()
  assert.equal((await remote.git('rev-parse', 'main')).trim(), head)
})

test('a second lake over one repository is refused, and the error names the first', async (t) => {
  const {repository} = await runLake(t, {'post/a.json': {_id: 'a', _type: 'post'}})
  await assert.rejects(runLakeOver(t, repository), (error: Error) =>
    error.message.includes(String(process.pid)),
  )
})
