import {deepEqual, equal, match, ok} from 'node:assert/strict'
import {join} from 'node:path'
import {test} from 'node:test'
import {openContentDirectory} from '../../../git/openContentDirectory.ts'
import {RemoteSync} from '../../../git/remote/remoteSync.ts'
import {temporaryFolder, temporaryRepository, testRepository} from '../../lake/support/git.ts'
import {oneFile, script, splitFiles} from '../../lake/support/layout.ts'
import {recordingLogger} from '../../lake/support/log.ts'
import {publisherAt, toolText} from '../../lake/support/publisher.ts'
import {clean, findBroken, lines, trio, until} from '../../lake/support/remote.ts'

test('commits of others are merged if they do not conflict', async (context) => {
  const {publish, push, person, repository, remoteHead, head, warnings} = await trio(context)
  await person.commit({
    'tool/theirs.json': toolText('theirs', 'new'),
    'docs/deep/page.md': 'theirs',
    'notes.txt': lines({2: 'theirs'}),
  })
  await person.git('push', '--quiet')
  const {commit} = await publish({'tool/a.json': toolText('a', 'ours')})
  deepEqual({...(await push()), since: ''}, {state: 'ok', since: ''})
  equal(await remoteHead(), await head())
  await repository.git('merge-base', '--is-ancestor', commit, 'HEAD')
  equal(await repository.git('show', 'HEAD:docs/deep/page.md'), 'theirs')
  equal(await repository.git('show', 'HEAD:tool/a.json'), toolText('a', 'ours'))
  await clean(repository)
  deepEqual(warnings, [])
  match(
    await repository.git('show', '-s', '--format=%an: %s', 'HEAD'),
    /^Handrail: Merge the content of the remote/,
  )
})

test('two lakes that push to one remote merge, and have what both published', async (context) => {
  const {publish, push, pusher, head, remote, remoteHead} = await trio(context)
  const folder = await openContentDirectory(join(await temporaryFolder(context), 'other'), {
    remote: remote.directory,
  })
  const other = await publisherAt(context, testRepository(folder.root))
  const {logger} = recordingLogger()
  const options = {folder, publisher: other.publisher, findBroken, logger, pause: () => 10}
  const second = new RemoteSync({...options, remote: remote.directory})
  context.after(() => second.close(1_000))
  await second.fetchFirst()
  await publish({'tool/one.json': toolText('one', 'one')})
  await other.publish({'tool/two.json': toolText('two', 'two')})
  await push()
  second.published()
  await until(second, 'ok')
  await pusher.pull()
  equal(await head(), await remoteHead())
  equal(await other.head(), await remoteHead())
  for (const name of ['one', 'two'])
    equal(await remote.git('show', `main:tool/${name}.json`), toolText(name, name))
})

test('a pull fast-forwards if nothing was published here', async (context) => {
  const {pusher, person, repository, head} = await trio(context)
  const theirs = await person.commit({'tool/a.json': undefined, 'tool/b.json': toolText('b', 'theirs')})
  await person.git('push', '--quiet')
  await pusher.pull()
  equal(await head(), theirs)
  await clean(repository)
  await until(pusher, 'ok')
})

test('a conflict is reported, left to a person, and cleared once they have merged', async (context) => {
  const {publish, push, pusher, person, repository, remoteHead, head} = await trio(context)
  await person.commit({'tool/a.json': toolText('a', 'theirs')})
  await person.git('push', '--quiet')
  const {commit} = await publish({'tool/a.json': toolText('a', 'ours')})
  const state = await push('conflict')
  match(state.lastError ?? '', /^tool\/a\.json changed both here and in the remote: merge by hand in a clone/)
  equal(await head(), commit)
  await clean(repository)
  await person.git('fetch', '--quiet', repository.directory, 'main')
  await person.git('merge', '--quiet', '--strategy-option=ours', '--message', 'By hand', 'FETCH_HEAD')
  await person.git('push', '--quiet')
  await until(pusher, 'ok')
  equal(await remoteHead(), await head())
  equal(await repository.git('show', 'HEAD:tool/a.json'), toolText('a', 'theirs'))
})

test('changes of one document that merge into an invalid document are a conflict', async (context) => {
  const text = (start: string, middle: string, end: string) =>
    `{\n  "_id": "p",\n  "_type": "tool",\n  "a": ${start}\n1,\n2,\n3,\n4${middle}5,\n6,\n7,\n8\n  ${end}\n}\n`
  const {publish, push, person, repository} = await trio(context)
  await publish({'tool/p.json': text('[', ',\n', ']')})
  await push()
  await person.git('pull', '--quiet')
  const [ours, theirs] = [text('[[', ',\n', ']]'), text('[', '\n],\n"b": [\n', ']')]
  for (const side of [ours, theirs]) JSON.parse(side)
  await person.commit({'tool/p.json': theirs})
  await person.git('push', '--quiet')
  await publish({'tool/p.json': ours})
  match((await push('conflict')).lastError ?? '', /^tool\/p\.json changed both/)
  await clean(repository)
})

test('unrelated histories are a conflict', async (context) => {
  const {push, publish, remote} = await trio(context)
  const stranger = await temporaryRepository(context)
  await stranger.commit({'tool/s.json': toolText('s', 'strange')})
  await stranger.git('push', '--quiet', '--force', remote.directory, 'main')
  await publish({'tool/a.json': toolText('a', 'ours')})
  match((await push('conflict')).lastError ?? '', /unrelated histories/)
})

test('changes of different lines of one script are merged, and what does not fit together is not', async (context) => {
  const {person, publish, push, head, pusher, remote, repository, log} = await trio(context)
  await person.commit({...splitFiles('s'), 'tool/t.json': toolText('t', 'first')})
  await person.git('push', '--quiet')
  await pusher.pull()
  await until(pusher, 'ok')

  await person.commit({'tool/s.js': `${script({3: 'by hand'})}\n`})
  await person.git('push', '--quiet')
  await publish({'tool/s.js': `${script({15: 'published'})}\n`})
  await push()
  equal(await repository.git('show', 'HEAD:tool/s.js'), `${script({3: 'by hand', 15: 'published'})}\n`)

  // Each side is valid: one has the script in the JSON, the other one in a file.
  await person.git('pull', '--quiet')
  await person.commit({'tool/t.js': 'return 1\n'})
  await person.git('push', '--quiet')
  await publish(oneFile('t'))
  const before = await head()
  const state = await push('conflict')
  match(state.lastError ?? '', /tool\/t\.json/)
  equal(await head(), before)
  ok(log.length > 0)
  equal(await remote.git('show', 'main:tool/t.js'), 'return 1\n')
})
