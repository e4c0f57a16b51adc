import {equal, match} from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {RemoteSync} from '../../../git/remote/remoteSync.ts'
import {toolText} from '../../lake/support/publisher.ts'
import {findBroken, trio, until} from '../../lake/support/remote.ts'
import {eventually} from '../../support/eventually.ts'

const PUSHED = [{'tool/kept.json': toolText('kept', 'kept')}, {'tool/secret.json': toolText('secret', 'key')}]

/** A trio whose person has pushed a commit that the lake has fetched. */
async function withCommit(context: TestContext) {
  const found = await trio(context, {}, PUSHED)
  await found.pusher.pull()
  await until(found.pusher, 'ok')
  return {...found, removed: await found.head()}
}

/** A person removes the last commit from the remote. */
async function rewind({git}: Awaited<ReturnType<typeof trio>>['person']): Promise<void> {
  await git('reset', '--quiet', '--hard', 'HEAD~1')
  await git('push', '--quiet', '--force')
}

test('a rewind in the remote is not undone: pushing stops, and publishes are kept', async (context) => {
  const {person, pusher, publish, remoteHead, head, repository, removed} = await withCommit(context)
  await rewind(person)
  const theirs = (await person.git('rev-parse', 'HEAD')).trim()
  const pulled = await pusher.pull()
  equal(pulled.code, 'REMOTE_REWRITTEN')
  match(
    pulled.lastError ?? '',
    /history was rewritten: .* run "git update-ref refs\/heads\/main refs\/handrail\/main" to follow/,
  )
  equal(await head(), removed)
  const {commit} = await publish({'tool/a.json': toolText('a', 'ours')})
  pusher.published()
  await eventually(() => pusher.state.lastError ?? '', /the remote never had: 1\)/)
  equal(await remoteHead(), theirs)
  equal(await head(), commit)

  await repository.git('update-ref', 'refs/heads/main', 'refs/handrail/main')
  await until(pusher, 'ok')
  equal(await head(), theirs)
  equal(await remoteHead(), theirs)
})

test('a rewrite that happens while no lake runs is noticed at the next start', async (context) => {
  const {person, pusher, publisher, repository, remote, head, removed, remoteHead, logger, folder} =
    await withCommit(context)
  await pusher.close(1_000)
  await rewind(person)
  const next = new RemoteSync({
    folder,
    publisher,
    findBroken,
    remote: remote.directory,
    logger,
    pause: () => 10,
  })
  context.after(() => next.close(1_000))
  next.published()
  equal((await until(next, 'conflict')).code, 'REMOTE_REWRITTEN')
  equal(await head(), removed)
  await repository.git('push', '--quiet', '--force', remote.directory, 'main')
  await until(next, 'ok')
  equal(await remoteHead(), removed)
})
