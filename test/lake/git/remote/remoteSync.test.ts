import {deepEqual, equal, match, ok, rejects} from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import {mkdir, readFile, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {DOCUMENT_RULES} from '../../../../lake/documents/contentRules.ts'
import {isSafePath} from '../../../../lake/git/checkout/workTreeFiles.ts'
import {openContentDirectory} from '../../../../lake/git/openContentDirectory.ts'
import {withoutCredentials} from '../../../../lake/git/remote/redact.ts'
import {type PushState, RemoteSync, type RemoteSyncParts} from '../../../../lake/git/remote/remoteSync.ts'
import {type TestRepository, temporaryFolder, temporaryRepository, testRepository} from '../../support/git.ts'
import {LAKE_JSON, oneFile, script, splitFiles} from '../../support/layout.ts'
import {recordingLogger} from '../../support/log.ts'
import {publisherAt, toolText} from '../../support/publisher.ts'

const lines = (changes: Record<number, string> = {}) =>
  `${Array.from({length: 20}, (_, line) => changes[line] ?? `line ${line}`).join('\n')}\n`

/** A content repository, a bare one it is pushed to, and a person's clone of the bare one. */
async function trio(context: TestContext, parts: Partial<RemoteSyncParts> = {}) {
  const remote = testRepository(await temporaryFolder(context))
  await remote.git('init', '--quiet', '--bare', '--initial-branch=main')
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': toolText('a', 'first'), 'notes.txt': lines()})
  await repository.git('push', '--quiet', remote.directory, 'main')
  const person = testRepository(join(await temporaryFolder(context), 'clone'))
  await repository.git('clone', '--quiet', remote.directory, person.directory)
  const {publisher, publish, warnings, head} = await publisherAt(context, repository)
  const {logger, warnings: log} = recordingLogger()
  const pusher = new RemoteSync({
    folder: await openContentDirectory(repository.directory),
    publisher,
    rules: DOCUMENT_RULES,
    remote: remote.directory,
    logger,
    pause: () => 10,
    ...parts,
  })
  context.after(() => pusher.close(1_000))
  return {
    remote,
    repository,
    person,
    publisher,
    publish,
    warnings,
    head,
    pusher,
    log,
    remoteHead: async () => (await remote.git('rev-parse', 'main')).trim(),
    push: async (state: PushState['state'] = 'ok') => {
      pusher.published()
      return until(pusher, state)
    },
  }
}

async function until(pusher: RemoteSync, state: PushState['state']): Promise<PushState> {
  const deadline = Date.now() + 10_000
  while (pusher.state.state !== state) {
    if (Date.now() > deadline) throw new Error(`not ${state}: ${JSON.stringify(pusher.state)}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return pusher.state
}

async function clean({git}: TestRepository) {
  await git('fsck', '--strict', '--no-dangling')
  equal(await git('status', '--porcelain'), '')
}

test('without a remote nothing is pushed', async (context) => {
  const {pusher} = await trio(context, {remote: undefined})
  pusher.published()
  equal((await pusher.pull()).state, 'off')
})

test('publishes are pushed; of many, only the newest state is', async (context) => {
  const {publish, push, pusher, remoteHead, head} = await trio(context)
  equal(pusher.state.state, 'pending')
  for (let count = 0; count < 5; count += 1) {
    await publish({'tool/a.json': toolText('a', count)})
    pusher.published()
  }
  deepEqual({...(await push()), since: ''}, {state: 'ok', since: '', ahead: 0})
  equal(await remoteHead(), await head())
})

test('a named remote is pushed to, and a missing branch is created there', async (context) => {
  const {publish, push, remote, repository, head} = await trio(context, {remote: 'origin'})
  await repository.git('remote', 'add', 'origin', remote.directory)
  await repository.git('checkout', '--quiet', '-b', 'drafts/spring')
  await publish({'tool/a.json': toolText('a', 'second')})
  await push()
  equal((await remote.git('rev-parse', 'drafts/spring')).trim(), await head())
})

test('a push to an unreachable remote is retried and loses nothing', async (context) => {
  const missing = join(await temporaryFolder(context), 'later')
  const {publish, push, pusher, head, log} = await trio(context, {remote: missing})
  await publish({'tool/a.json': toolText('a', 'second')})
  const state = await push('failing')
  match(state.lastError ?? '', /does not appear to be a git repository/)
  await mkdir(missing)
  await testRepository(missing).git('init', '--quiet', '--bare')
  await until(pusher, 'ok')
  equal((await testRepository(missing).git('rev-parse', 'main')).trim(), await head())
  equal(log.length, 1)
})

test('commits of others are merged if they do not conflict, in the work tree too', async (context) => {
  const {publish, push, publisher, person, repository, remoteHead, head, warnings} = await trio(context)
  await person.commit({
    'tool/theirs.json': toolText('theirs', 'new'),
    'docs/deep/page.md': 'theirs',
    'notes.txt': lines({2: 'theirs'}),
  })
  await person.git('push', '--quiet')
  const {commit} = await publish({'tool/a.json': toolText('a', 'ours')})
  deepEqual({...(await push()), since: ''}, {state: 'ok', since: '', ahead: 0})
  equal(await remoteHead(), await head())
  await repository.git('merge-base', '--is-ancestor', commit, 'HEAD')
  await publisher.settled()
  equal(await readFile(join(repository.directory, 'docs/deep/page.md'), 'utf8'), 'theirs')
  equal(await repository.git('show', 'HEAD:tool/a.json'), toolText('a', 'ours'))
  await clean(repository)
  deepEqual(warnings, [])
  match(
    await repository.git('show', '-s', '--format=%an: %s', 'HEAD'),
    /^Handrail: Merge the content of the remote/,
  )
})

test('a pull fast-forwards if nothing was published here', async (context) => {
  const {pusher, publisher, person, repository, head} = await trio(context)
  const theirs = await person.commit({'tool/a.json': undefined, 'tool/b.json': toolText('b', 'theirs')})
  await person.git('push', '--quiet')
  await pusher.pull()
  equal(await head(), theirs)
  await publisher.settled()
  await clean(repository)
  await rejects(stat(join(repository.directory, 'tool/a.json')), /ENOENT/)
  await until(pusher, 'ok')
})

test('a pull into an empty repository takes the whole remote', async (context) => {
  const {remote, remoteHead} = await trio(context)
  const empty = await temporaryRepository(context)
  const {publisher, head} = await publisherAt(context, empty)
  const folder = await openContentDirectory(empty.directory)
  const {logger} = recordingLogger()
  const pusher = new RemoteSync({folder, publisher, rules: DOCUMENT_RULES, remote: remote.directory, logger})
  context.after(() => pusher.close(1_000))
  await pusher.pull()
  equal(await head(), await remoteHead())
  await publisher.settled()
  await clean(empty)
})

test('a conflict is reported, left to a person, and cleared once they have merged', async (context) => {
  const {publish, push, pusher, person, repository, remoteHead, head, publisher} = await trio(context)
  await person.commit({'tool/a.json': toolText('a', 'theirs')})
  await person.git('push', '--quiet')
  const {commit} = await publish({'tool/a.json': toolText('a', 'ours')})
  const state = await push('conflict')
  match(state.lastError ?? '', /^tool\/a\.json changed both here and in the remote: merge by hand/)
  equal(state.ahead, 1)
  equal(await head(), commit)
  await publisher.settled()
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
  const {publish, push, person, publisher, repository} = await trio(context)
  await publish({'tool/p.json': text('[', ',\n', ']')})
  await push()
  await person.git('pull', '--quiet')
  const [ours, theirs] = [text('[[', ',\n', ']]'), text('[', '\n],\n"b": [\n', ']')]
  for (const side of [ours, theirs]) JSON.parse(side)
  await person.commit({'tool/p.json': theirs})
  await person.git('push', '--quiet')
  await publish({'tool/p.json': ours})
  match((await push('conflict')).lastError ?? '', /^tool\/p\.json changed both/)
  await publisher.settled()
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

test('files of a remote are never written into the Git folder', async (context) => {
  const {pusher, person, repository, head} = await trio(context)
  const before = await head()
  const blob = (await person.git('hash-object', '-w', 'notes.txt')).trim()
  const tree = (line: string) =>
    execFileSync('git', ['mktree'], {cwd: person.directory, input: line}).toString().trim()
  const inner = tree(`100644 blob ${blob}\tpwned\n`)
  const root = tree(`040000 tree ${inner}\t.git\n`)
  const commit = (await person.git('commit-tree', root, '-p', 'HEAD', '-m', 'Evil')).trim()
  await person.git('push', '--quiet', 'origin', `${commit}:main`)
  equal((await pusher.pull()).state, 'conflict')
  equal(await head(), before)
  await rejects(stat(join(repository.directory, '.git/pwned')), /ENOENT/)
})

test('paths into the Git folder or out of the work tree are detected', () => {
  for (const path of [
    '.git/x',
    'a/.GIT/x',
    '.git',
    '../x',
    'a/./x',
    'a//x',
    'git~1/x',
    '.git. /x',
    '.g\u200cit/x',
    '.git:x',
    'a\\b',
  ]) {
    ok(!isSafePath(path), path)
  }
  for (const path of [
    'tool/a.json',
    '.github/x',
    '.gitignore',
    'a/.gitattributes',
    'git~/x',
    'ünï/x',
    '...x',
  ]) {
    ok(isSafePath(path), path)
  }
})

test('a push to a remote that never responds times out and does not delay closing', async (context) => {
  const {repository, publish, push, pusher} = await trio(context, {
    remote: 'ssh://slow.example/x',
    timeout: 50,
  })
  await repository.git('config', 'core.sshCommand', 'sleep 2 #')
  await publish({'tool/a.json': toolText('a', 'second')})
  match((await push('failing')).lastError ?? '', /^the remote did not respond in time$/)
  const started = Date.now()
  await pusher.close(100)
  ok(Date.now() - started < 5_000)
})

test('a detached HEAD is not pushed, and this is reported', async (context) => {
  const {repository, push} = await trio(context)
  await repository.git('checkout', '--quiet', '--detach')
  match((await push('failing')).lastError ?? '', /HEAD is detached/)
})

test('closing pushes everything that was published before', async (context) => {
  const {publish, pusher, remoteHead, head} = await trio(context)
  await publish({'tool/a.json': toolText('a', 'second')})
  pusher.published()
  await pusher.close(10_000)
  equal(await remoteHead(), await head())
})

test('credentials of a remote appear neither in the state nor in the log', async (context) => {
  const remote = 'http://ada:s3cr%40t@127.0.0.1:9/x.git?key=s3cret'
  const {push, log} = await trio(context, {remote})
  const state = await push('failing')
  for (const text of [JSON.stringify(state), JSON.stringify(log)]) ok(!/s3cr|ada/.test(text), text)
  match(state.lastError ?? '', /127\.0\.0\.1/)
})

test('credentials are redacted from any text', () => {
  equal(
    withoutCredentials('to https://a:b@c@h/x and ssh://git@h:22/y'),
    'to https://***@h/x and ssh://***@h:22/y',
  )
  equal(withoutCredentials("'https://h/x?token=abc&b=c'"), "'https://h/x?token=***&b=***'")
  equal(withoutCredentials('git@github.com:a/b.git'), 'git@github.com:a/b.git')
})

test('changes of different lines of one script are merged, and what does not fit together is not', async (context) => {
  const {person, publish, push, head, pusher, remote, repository, log} = await trio(context)
  await person.commit({'lake.json': LAKE_JSON, ...splitFiles('s'), 'tool/t.json': toolText('t', 'first')})
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
