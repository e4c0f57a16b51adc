import {equal, ok} from 'node:assert/strict'
import {join} from 'node:path'
import {test} from 'node:test'
import type {ListenEvent, LiveEvent} from '@sanity/client'
import {SOON} from '../support/eventually.ts'
import {collect} from './support/collect.ts'
import {type TestRepository, testRepository} from './support/git.ts'
import {runLake} from './support/lake.ts'

const a = {_id: 'a', _type: 'post', title: 'A'}

const changes: [
  string,
  (repository: TestRepository) => Promise<unknown>,
  (repository: TestRepository) => Promise<unknown>,
][] = [
  ['a commit', async () => {}, (repository) => repository.commit({'post/a.json': {...a, title: 'new'}})],
  ['a push', commitOnBranch, pushToMain],
  [
    'another branch',
    commitOnBranch,
    (repository) => repository.git('symbolic-ref', 'HEAD', 'refs/heads/new'),
  ],
  [
    'a push to a branch whose refs are packed',
    async (repository) => {
      await commitOnBranch(repository)
      await repository.git('pack-refs', '--all')
    },
    pushToMain,
  ],
]

/** Commits to the branch `new` without moving HEAD, because the lake might only see that after the test has begun. */
async function commitOnBranch(repository: TestRepository): Promise<void> {
  const other = testRepository(join(repository.directory, 'other.git'))
  await repository.git('clone', '--quiet', '--bare', '--template=', '.', other.directory)
  await other.commit({'post/a.json': {...a, title: 'new'}})
  await other.git('push', '--quiet', repository.directory, 'main:new')
}

/** Git updates a branch of a bare repository in this way for `git push` over any protocol. */
async function pushToMain(repository: TestRepository): Promise<void> {
  await testRepository(join(repository.directory, 'other.git')).git(
    'push',
    '--quiet',
    repository.directory,
    'main',
  )
}

for (const [name, prepare, make] of changes) {
  test(`${name} is visible to queries, listeners and live events within ${SOON} s`, async (t) => {
    const {client, repository} = await runLake(t, {'post/a.json': a})
    await prepare(repository)
    const listened = collect<ListenEvent>(
      t,
      client.listen('*[_type == "post"]', {}, {events: ['welcome', 'mutation']}),
    )
    const live = collect<LiveEvent>(t, client.live.events({includeDrafts: true}))
    await listened.until((event) => event.type === 'welcome')
    await live.until((event) => event.type === 'welcome')

    await make(repository)
    const began = performance.now()
    await listened.until((event) => event.type === 'mutation')
    await live.until((event) => event.type === 'message')
    equal((await client.getDocument('a'))?.title, 'new')
    // Some seconds later, the lake would find the change by asking Git.
    ok(performance.now() - began < SOON * 1_000)
  })
}
