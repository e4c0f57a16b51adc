import {equal, match, ok} from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {DOCUMENT_RULES} from '../../../content/contentRules.ts'
import {RemoteSync} from '../../../git/remote/remoteSync.ts'
import {toolText} from '../../lake/support/publisher.ts'
import {clean, trio, until} from '../../lake/support/remote.ts'
import {eventually} from '../../support/eventually.ts'

const PUSHED = [{'tool/kept.json': toolText('kept', 'kept')}, {'tool/secret.json': toolText('secret', 'key')}]

/** A trio whose person has pushed a commit that the lake has fetched. */
async function withCommit(context: TestContext, rewrites: 'ask' | 'follow') {
  const found = await trio(context, {rewrites}, PUSHED)
  await found.pusher.pull()
  await until(found.pusher, 'ok')
  const files = async (revision: string, {git} = found.remote) =>
    (await git('ls-tree', '-r', '--name-only', revision))
      .split('\n')
      .filter((path) => path.startsWith('tool/'))
      .join(' ')
  return {...found, removed: await found.head(), files}
}

/** What a person does in their clone before a force push. */
const REWRITES: {
  readonly [name: string]: (person: Awaited<ReturnType<typeof trio>>['person']) => Promise<unknown>
} = {
  'a rewind': ({git}) => git('reset', '--quiet', '--hard', 'HEAD~1'),
  'an amend': async ({git, write}) => {
    await write('tool/secret.json', toolText('secret', 'no key'))
    await git('commit', '--quiet', '--all', '--amend', '--message', 'Amended')
  },
}

for (const [name, rewrite] of Object.entries(REWRITES)) {
  test(`${name} in the remote is not undone: pushing stops, and publishes are kept`, async (context) => {
    const {person, pusher, publish, remoteHead, head, repository, removed} = await withCommit(context, 'ask')
    await rewrite(person)
    const theirs = (await person.git('rev-parse', 'HEAD')).trim()
    await person.git('push', '--quiet', '--force')
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

  test(`${name} in the remote is followed if the operator wants so, with local publishes on top`, async (context) => {
    const {person, publish, push, pusher, remote, remoteHead, head, repository, removed, files, log} =
      await withCommit(context, 'follow')
    await rewrite(person)
    const theirs = (await person.git('rev-parse', 'HEAD')).trim()
    await person.git('push', '--quiet', '--force')
    const {commit} = await publish({'tool/a.json': toolText('a', 'ours')}, 'Publish a\n\nWith words')
    await push()
    equal(await head(), await remoteHead())
    equal((await repository.git('rev-parse', 'HEAD^')).trim(), theirs)
    equal(await files('main'), await files(theirs, person))
    equal(await remote.git('show', 'main:tool/a.json'), toolText('a', 'ours'))
    const facts = (revision: string) =>
      repository.git('show', '-s', '--format=%an %ae %at %cn %ct%n%B', revision)
    equal(await facts('HEAD'), await facts(commit))
    ok(!(await remote.git('rev-list', 'main')).includes(removed))
    ok(log.some(({msg}) => /followed the remote/.test(msg)))
    await clean(repository)
    await pusher.pull()
    await until(pusher, 'ok')
    equal((await repository.git('rev-parse', 'HEAD^')).trim(), theirs)
  })
}

test('a rewrite that removes what an editor published is not followed', async (context) => {
  const {person, publish, push, head, remoteHead} = await withCommit(context, 'follow')
  const {commit} = await publish({'tool/a.json': toolText('a', 'ours')})
  await push()
  const theirs = (await person.git('rev-parse', 'HEAD')).trim()
  await person.git('commit', '--quiet', '--allow-empty', '--amend', '--message', 'Amended')
  await person.git('push', '--quiet', '--force')
  const {lastError = '', code} = await push('conflict')
  equal(code, 'REMOTE_REWRITTEN')
  match(lastError, /What editors published in tool\/a\.json would be lost/)
  equal(await head(), commit)
  ok((await remoteHead()) !== theirs)
})

test('a rewrite that has the same content as before is followed', async (context) => {
  const {person, publish, push, head, remoteHead} = await withCommit(context, 'follow')
  await publish({'tool/a.json': toolText('a', 'ours')})
  await push()
  await person.git('pull', '--quiet')
  await person.git('reset', '--quiet', '--soft', 'HEAD~2')
  const squashed = await person.commit({})
  await person.git('push', '--quiet', '--force')
  await push('ok')
  equal(await remoteHead(), squashed)
  equal(await head(), squashed)
})

test('a local publish that conflicts with a followed history is reported, and nothing changes', async (context) => {
  const {person, publish, push, head} = await withCommit(context, 'follow')
  await REWRITES['an amend']?.(person)
  await person.git('push', '--quiet', '--force')
  const {commit} = await publish({'tool/secret.json': toolText('secret', 'ours')})
  const {lastError = '', code} = await push('conflict')
  equal(code, 'REMOTE_REWRITTEN')
  match(
    lastError,
    /tool\/secret\.json changed both here and in the remote\. Nothing is pushed until a person/,
  )
  // The merge would have the removed commit as an ancestor.
  ok(!lastError.includes('merge by hand'))
  equal(await head(), commit)
})

test('a rewrite that happens while no lake runs is noticed at the next start', async (context) => {
  const {person, pusher, publisher, repository, remote, head, removed, remoteHead, logger, folder} =
    await withCommit(context, 'ask')
  await pusher.close(1_000)
  await REWRITES['a rewind']?.(person)
  await person.git('push', '--quiet', '--force')
  const next = new RemoteSync({
    folder,
    publisher,
    rules: DOCUMENT_RULES,
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
