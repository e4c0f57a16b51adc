import {deepEqual, equal, match, ok, rejects} from 'node:assert/strict'
import {mkdir, readdir} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {createRepository, temporaryFolder, temporaryWorkTree, testRepository} from '../../lake/support/git.ts'
import {runLakeOver} from '../../lake/support/lake.ts'
import {eventually} from '../../support/eventually.ts'

const post = (id: string) => ({_id: id, _type: 'post'})

/** A bare remote whose branch `trunk` has a post, an empty folder, and example content that must not be used. */
async function withRemote(t: TestContext) {
  const person = await temporaryWorkTree(t)
  await person.git('symbolic-ref', 'HEAD', 'refs/heads/trunk')
  await person.commit({'post/real.json': post('real')})
  const base = await temporaryFolder(t)
  const seed = testRepository(join(base, 'seed'))
  await seed.write('post/example.json', post('example'))
  const remote = testRepository(join(base, 'remote'))
  await person.git('clone', '--quiet', '--bare', '--template=', '.', remote.directory)
  await person.git('remote', 'add', 'origin', remote.directory)
  const content = testRepository(join(base, 'content'))
  await mkdir(content.directory)
  const settings = {gitRemote: remote.directory, seedDir: seed.directory}
  return {person, remote, content, settings}
}

test('an empty folder becomes a clone of the remote, on its branch, and is served at once', async (t) => {
  const {remote, content, settings} = await withRemote(t)
  const {client} = await runLakeOver(t, content, settings)
  deepEqual(await client.fetch('*._id'), ['real'])
  await client.create(post('new'))
  await eventually(
    () => remote.git('ls-tree', '-r', '--name-only', 'trunk'),
    'post/new.json\npost/real.json\n',
  )
  equal(await remote.git('branch', '--format=%(refname:short)'), 'trunk\n')
})

test('the only branch is cloned if HEAD of the remote names none', async (t) => {
  const {remote, content, settings} = await withRemote(t)
  await remote.git('symbolic-ref', 'HEAD', 'refs/heads/main')
  const {client} = await runLakeOver(t, content, settings)
  deepEqual(await client.fetch('*._id'), ['real'])
})

test('an empty remote is not filled with example content', async (t) => {
  const {remote, content, settings} = await withRemote(t)
  await remote.git('update-ref', '-d', 'refs/heads/trunk')
  const {client} = await runLakeOver(t, content, settings)
  deepEqual(await client.fetch('*._id'), [])
  await client.create(post('first'))
  await eventually(() => remote.git('branch', '--format=%(refname:short)'), 'main\n')
  equal(await remote.git('ls-tree', '-r', '--name-only', 'main'), 'post/first.json\n')
})

test('a remote that cannot be cloned stops the start with a reason, and leaves the folder empty', async (t) => {
  const {content, settings} = await withRemote(t)
  const start = runLakeOver(t, content, {...settings, gitRemote: join(content.directory, 'missing')})
  await rejects(
    start,
    /CONTENT_DIR .* is empty, and GIT_REMOTE cannot be cloned into it: .*not appear to be a git/,
  )
  deepEqual(await readdir(content.directory), [])
})

test('a repository without a commit gets the content of the remote before it is served', async (t) => {
  const {content, settings} = await withRemote(t)
  await createRepository(content.directory)
  await rejects(
    runLakeOver(t, content, settings),
    /no branch main, but trunk\. .* run in the content repository: git symbolic-ref HEAD refs\/heads\/trunk/,
  )
  await content.git('symbolic-ref', 'HEAD', 'refs/heads/trunk')
  const {client} = await runLakeOver(t, content, settings)
  deepEqual(await client.fetch('*._id'), ['real'])
})

test('a push to a remote without a webhook is fetched by itself; a rewrite is a problem with a code', async (t) => {
  const {person, content, settings} = await withRemote(t)
  const {client, address} = await runLakeOver(t, content, {...settings, gitFetchSeconds: 0.05})
  await person.commit({'post/more.json': post('more')})
  await person.git('push', '--quiet', 'origin', 'trunk')
  const ids = () => client.fetch<string[]>('*._id')
  await eventually(ids, (found) => found.length === 2)
  await person.git('reset', '--quiet', '--hard', 'HEAD~1')
  await person.git('push', '--quiet', '--force', 'origin', 'trunk')
  const readiness = async () => (await fetch(`${address}/readyz`)).text()
  const text = await eventually(readiness, (found) => found.includes('REMOTE_REWRITTEN'))
  ok(!text.includes(settings.gitRemote))
  match(text, /"state":"conflict","code":"REMOTE_REWRITTEN"/)
  deepEqual(await ids(), ['more', 'real'])
})
