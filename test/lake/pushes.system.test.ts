import assert from 'node:assert/strict'
import {chmod} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {openContentDirectory} from '../../git/openContentDirectory.ts'
import {eventually, PATIENCE} from '../support/eventually.ts'
import {pastOf} from './history/support.ts'
import {cloneOf, type TestRepository, temporaryFolder, testRepository} from './support/git.ts'
import {type RunningLake, runLakeOver} from './support/lake.ts'
import {splitFiles, tool} from './support/layout.ts'
import {documentAt, mutate} from './support/mutate.ts'

const PUSHES = 5
/** Milliseconds between publishes. A push needs a moment without any, a longer one on a busy machine. */
const PAUSES = [0, 40, 200, 0, 500, 900]

async function publish(lake: RunningLake, document: object): Promise<void> {
  const {status, text} = await mutate(lake.address, [{createOrReplace: document}])
  assert.equal(status, 200, text)
}

/** Pushes a commit; rebases it as often as the lake has published in between. Adds the refusals to a list. */
async function push({git}: TestRepository, refusals: string[] = []): Promise<string[]> {
  for (const deadline = Date.now() + PATIENCE * 1_000; Date.now() < deadline; ) {
    await git('pull', '--quiet', '--rebase')
    const refusal = await git('push', '--quiet').then(
      () => undefined,
      (error: unknown) => String(error),
    )
    if (refusal === undefined) return refusals
    refusals.push(refusal)
  }
  throw new Error(`no push was accepted: ${refusals.join('\n')}`)
}

/** Pushes and publishes at the same time, each to its own documents, and checks that both are complete. */
async function pushWhilePublishing(t: TestContext, repository: TestRepository) {
  const lake = await runLakeOver(t, repository)
  const person = await cloneOf(t, repository)
  let published = 0
  let pushing = true
  let refusals: string[] = []
  const publishing = (async () => {
    while (pushing) {
      published += 1
      const pause = PAUSES[published % PAUSES.length] ?? 0
      await setTimeout(pause * (1 + refusals.length)) // a person pauses
      await publish(lake, tool('published', {name: String(published), executeJs: `return ${published}`}))
    }
  })()
  for (let number = 1; number <= PUSHES; number += 1) {
    await person.commit(splitFiles('pushed', {name: String(number), executeJs: `return ${number}`}))
    refusals = []
    await push(person, refusals)
  }
  pushing = false
  await publishing
  const served = await eventually(
    () => documentAt(lake.address, 'pushed'),
    (document) => document?.name === String(PUSHES),
  )
  assert.equal(served?.executeJs, `return ${PUSHES}`)
  assert.equal((await documentAt(lake.address, 'published'))?.executeJs, `return ${published}`)
  const {git} = repository
  const changes = async (path: string) =>
    (await git('log', '--format=%H', '--', path)).trim().split('\n').length
  assert.equal(await changes('tool/pushed.js'), PUSHES)
  assert.equal(await changes('tool/published.js'), published)
  await git('fsck', '--strict', '--no-dangling')
  assert.deepEqual(lake.warnings, [])
  return {lake, person}
}

test('a push while Studio publishes loses neither', async (t) => {
  const repository = testRepository(join(await temporaryFolder(t), 'content.git'))
  await openContentDirectory(repository.directory)
  await repository.commit({...splitFiles('first')}, 1_000)
  const {lake, person} = await pushWhilePublishing(t, repository)
  assert.equal((await documentAt(lake.address, 'first'))?._createdAt, '1970-01-01T00:16:40Z')
  assert.equal((await pastOf(lake).events('pushed')).length, PUSHES)

  await publish(lake, tool('first', {name: 'changed'}))
  await assert.rejects(person.git('push', '--quiet', '--force'), /denying non-fast-forward/)
  await person.git('pull', '--quiet', '--rebase')
  await person.git('revert', '--no-edit', 'HEAD')
  await push(person)
  const served = () => documentAt(lake.address, 'first')
  assert.equal((await eventually(served, (document) => document?.name === 'first'))?.name, 'first')
})

test('a push that began before a publish is refused, and accepted after a rebase', async (t) => {
  const repository = testRepository(join(await temporaryFolder(t), 'content.git'))
  await openContentDirectory(repository.directory)
  await repository.commit({'README.md': 'Content\n'})
  const person = await cloneOf(t, repository)
  const lake = await runLakeOver(t, repository)
  // The client compares with the branch before its own hook runs, Git on the other side only at the end.
  const hook = join(person.directory, '.git', 'hooks', 'pre-push')
  await person.write('.git/hooks/pre-push', '#!/bin/sh\nwhile [ ! -e ../go ]; do sleep 0.05; done\n')
  await chmod(hook, 0o755)
  await person.commit(splitFiles('pushed'))
  const pushed = person.git('push').then(
    () => '',
    (error: unknown) => String(error),
  )
  await publish(lake, tool('published'))
  const head = await repository.git('rev-parse', 'HEAD')
  await testRepository(join(person.directory, '..')).write('go', '')
  assert.match(await pushed, /rejected|failed to push/)
  assert.equal(await repository.git('rev-parse', 'HEAD'), head)
  assert.deepEqual(await push(person), [])
  assert.ok(await eventually(() => documentAt(lake.address, 'pushed'), Boolean))
  assert.ok(await documentAt(lake.address, 'published'))
})
