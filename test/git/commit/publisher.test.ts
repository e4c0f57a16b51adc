import {deepEqual, equal, match, ok, rejects} from 'node:assert/strict'
import {appendFile, chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import type {CommitResult} from '../../../git/commit/publication.ts'
import {HeadMovedError, PublishError} from '../../../git/errors.ts'
import {cloneOf, temporaryFolder, temporaryRepository, testRepository} from '../../lake/support/git.ts'
import {ada, day, publisherAt} from '../../lake/support/publisher.ts'
import {clean} from '../../lake/support/remote.ts'

/** The paths that a publication added, and those that it changed or deleted. */
const pathsOf = ({changes}: CommitResult) =>
  [false, true].map((existed) =>
    changes.filter(({before}) => (before !== undefined) === existed).map(({path}) => path),
  )

test('the first publish in a new repository creates its branch', async (context) => {
  const repository = await temporaryRepository(context)
  const {publish, head} = await publisherAt(context, repository)
  const published = await publish({'tool/a.json': '{"a":1}\n'}, 'Publish tool a')
  equal(published.commit, await head())
  equal(published.parent, undefined)
  deepEqual(pathsOf(published), [['tool/a.json'], []])
  equal(await repository.git('show', 'HEAD:tool/a.json'), '{"a":1}\n')
  await clean(repository)
})

test('a commit has its author, time and message, with Handrail as the committer', async (context) => {
  const repository = await temporaryRepository(context)
  const {publish} = await publisherAt(context, repository)
  await publish({'tool/a.json': '1'}, 'Publish tool a\n\nDocument: a\n')
  const format = '%an|%ae|%at|%cn|%ce|%ct|%s|%(trailers:key=Document,valueonly)'
  equal(
    (await repository.git('show', '-s', `--format=${format}`)).trim(),
    `Ada Lovelace|ada@example.com|${day}|Handrail|handrail@localhost|${day}|Publish tool a|a`,
  )
  match(await repository.git('reflog', '-1'), /handrail: Publish tool a/)
})

test('the committer is the identity configured in the repository', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.git('config', 'user.name', 'The Shop')
  await repository.git('config', 'user.email', 'shop@example.com')
  const {publish} = await publisherAt(context, repository)
  await publish({'tool/a.json': '1'})
  equal(
    (await repository.git('show', '-s', '--format=%an %cn %ce')).trim(),
    'Ada Lovelace The Shop shop@example.com',
  )
})

test('a name that is invalid in Git is made valid', async (context) => {
  const repository = await temporaryRepository(context)
  const {publisher, head} = await publisherAt(context, repository)
  const authors = [
    {name: 'Eve <root>\nauthor Mallory', email: 'eve@x>\ncommitter y'},
    {name: '', email: ''},
    {name: ' ."\0', email: 'bob@example.com'},
    {name: 'Łukasz 🙂', email: 'l u@example.com'},
  ]
  let parent: string | undefined
  for (const author of authors) {
    const files = new Map([['tool/a.json', author.name]])
    parent = (await publisher.publish(parent, {files, author, message: '', seconds: day})).commit
  }
  equal(parent, await head())
  deepEqual((await repository.git('log', '--reverse', '--format=%an <%ae>')).trim().split('\n'), [
    'Eve root author Mallory <eve@xcommittery>',
    'Unknown <unknown@localhost>',
    'bob <bob@example.com>',
    'Łukasz 🙂 <lu@example.com>',
  ])
  await clean(repository)
})

test('one publish adds, changes and deletes files and keeps all others', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({
    'README.md': 'Read me',
    'tool/a.json': 'a',
    'tool/b.json': 'b',
    'tool/notes/deep.txt': 'deep',
    'tool.md': 'sorts before the folder',
    'tool0/z.json': 'sorts after the folder',
    'site/only.json': 'only',
  })
  const before = (await repository.git('ls-tree', '-r', 'HEAD')).split('\n')
  const {publish} = await publisherAt(context, repository)
  const published = await publish({
    'tool/a.json': undefined,
    'tool/b.json': 'B',
    'tool/c.json': 'c',
    'site/only.json': undefined,
    'tool-x/new.json': 'new',
    'aaa/first.json': 'first',
    'never/was.json': undefined,
  })
  deepEqual(pathsOf(published), [
    ['tool/c.json', 'tool-x/new.json', 'aaa/first.json'],
    ['tool/a.json', 'tool/b.json', 'site/only.json'],
  ])
  await clean(repository)
  const after = (await repository.git('ls-tree', '-r', 'HEAD')).split('\n')
  const untouched = before.filter((line) => !/tool\/[ab]|site/.test(line))
  for (const line of untouched) ok(after.includes(line), line)
  deepEqual((await repository.git('ls-tree', '--name-only', 'HEAD')).trim().split('\n'), [
    'README.md',
    'aaa',
    'tool-x',
    'tool.md',
    'tool',
    'tool0',
  ])
})

test('an executable file stays executable, and a symbolic link is replaced with a file', async (context) => {
  const repository = await temporaryRepository(context)
  const person = await cloneOf(context, repository)
  await person.write('tool/x.json', 'x')
  await chmod(join(person.directory, 'tool/x.json'), 0o755)
  await symlink('x.json', join(person.directory, 'tool/link.json'))
  await person.commit({})
  await person.git('push', '--quiet', 'origin', 'HEAD:main')
  const {publish} = await publisherAt(context, repository)
  await publish({'tool/x.json': 'X', 'tool/link.json': 'no link'})
  const modes = (await repository.git('ls-tree', '-r', 'HEAD')).split('\n').map((line) => line.slice(0, 6))
  deepEqual(modes, ['100644', '100755', ''])
})

test('publishing without a change creates an empty commit', async (context) => {
  const repository = await temporaryRepository(context)
  const first = await repository.commit({'tool/a.json': 'a'})
  const {publish} = await publisherAt(context, repository)
  const published = await publish({'tool/a.json': 'a'})
  equal(published.parent, first)
  deepEqual(published.changes, [])
  equal(await repository.git('diff', first, 'HEAD'), '')
  await clean(repository)
})

test('deleting the last file leaves the empty tree', async (context) => {
  const repository = await temporaryRepository(context)
  const {publish} = await publisherAt(context, repository)
  await publish({'tool/a.json': 'a'})
  await publish({'tool/a.json': undefined})
  equal(await repository.git('ls-tree', 'HEAD'), '')
  await clean(repository)
})

test('publishing onto a commit that is not HEAD is rejected and moves nothing', async (context) => {
  const repository = await temporaryRepository(context)
  const first = await repository.commit({'tool/a.json': 'a'})
  const {publisher, head} = await publisherAt(context, repository)
  const second = await repository.commit({'tool/a.json': 'by hand'})
  const publication = {files: new Map([['tool/a.json', 'late']]), author: ada, message: 'Late', seconds: day}
  await rejects(publisher.publish(first, publication), HeadMovedError)
  await rejects(publisher.publish(undefined, publication), HeadMovedError)
  equal(await head(), second)
  await clean(repository)
  await publisher.publish(second, publication)
  equal(await repository.git('show', 'HEAD:tool/a.json'), 'late')
})

test('of two publishers on one commit, one is rejected because HEAD moved', async (context) => {
  const repository = await temporaryRepository(context)
  const parent = await repository.commit({'tool/a.json': 'a'})
  const one = await publisherAt(context, repository)
  const two = await publisherAt(context, repository)
  const publication = (text: string) => ({
    files: new Map([['tool/a.json', text]]),
    author: ada,
    message: 'Race',
    seconds: day,
  })
  const results = await Promise.allSettled([
    one.publisher.publish(parent, publication('one')),
    two.publisher.publish(parent, publication('two')),
  ])
  const lost = results.filter((result) => result.status === 'rejected')
  equal(lost.length, 1)
  ok(lost[0]?.reason instanceof HeadMovedError, String(lost[0]?.reason))
})

test('a path outside the lake’s documents is rejected', async (context) => {
  const repository = await temporaryRepository(context)
  const {publish} = await publisherAt(context, repository)
  for (const path of [
    '../x.json',
    '.git/x.json',
    'a.json',
    'a/b/c.json',
    'a/b\n.json',
    'a/.json',
    '/a/b.json',
  ]) {
    await rejects(publish({[path]: 'x'}), PublishError, path)
  }
})

test('a folder at a document’s path, or a file at a folder’s path, is not overwritten', async (context) => {
  const repository = await temporaryRepository(context)
  const before = await repository.commit({'tool/a.json/inner.txt': 'x', site: 'a file'})
  const {publish, head} = await publisherAt(context, repository)
  await rejects(publish({'tool/a.json': 'x'}), /"a\.json" is a folder/)
  await rejects(publish({'site/a.json': 'x'}), /"site" is not a folder/)
  equal(await head(), before)
})

test('a SHA-256 repository can be published to', async (context) => {
  const directory = await temporaryFolder(context)
  const repository = testRepository(directory)
  await repository.git('init', '--quiet', '--bare', '--initial-branch=main', '--object-format=sha256')
  const {publish} = await publisherAt(context, repository)
  equal((await publish({'tool/a.json': 'a'})).commit.length, 64)
  await repository.commit({'tool/b.json': 'b'})
  await publish({'tool/a.json': undefined, 'tool/c.json': 'c'})
  await clean(repository)
})

test('on a detached HEAD, neither HEAD nor a branch moves, and the error says what to do', async (context) => {
  const repository = await temporaryRepository(context)
  const main = await repository.commit({'tool/a.json': 'a'})
  const {publish, head} = await publisherAt(context, repository)
  await repository.write('HEAD', `${main}\n`)
  await rejects(publish({'tool/a.json': 'b'}), /is on no branch.* git symbolic-ref HEAD refs\/heads\/main$/)
  equal(await head(), main)
  equal((await repository.git('rev-parse', 'main')).trim(), main)
})

test('a group-shared repository stays writable for the group', async (context) => {
  const repository = testRepository(await temporaryFolder(context))
  await repository.git('init', '--quiet', '--bare', '--shared=group')
  const {publish} = await publisherAt(context, repository)
  await publish({'tool/a.json': 'a'})
  const objects = join(repository.directory, 'objects')
  for (const name of await readdir(objects)) {
    equal(((await stat(join(objects, name))).mode & 0o070).toString(8), '70', name)
  }
})

test('hooks are not run', async (context) => {
  const repository = await temporaryRepository(context)
  const hooks = join(repository.directory, 'hooks')
  await mkdir(hooks, {recursive: true})
  for (const name of ['pre-commit', 'commit-msg', 'reference-transaction', 'post-commit']) {
    await writeFile(join(hooks, name), '#!/bin/sh\ntouch "$GIT_DIR/ran"\nexit 1\n', {mode: 0o755})
  }
  const {publish} = await publisherAt(context, repository)
  await publish({'tool/a.json': 'a'})
  await rejects(readFile(join(repository.directory, 'ran')), /ENOENT/)
  await rm(hooks, {recursive: true})
  await clean(repository)
})

test('a lock that a crash left is removed, and not one that another process holds for a moment', async (context) => {
  const repository = await temporaryRepository(context)
  await repository.commit({'tool/a.json': 'a'})
  const held = join(repository.directory, 'HEAD.lock')
  await writeFile(join(repository.directory, 'refs/heads/main.lock'), '')
  await writeFile(held, '')
  let isOpen = false
  const opening = publisherAt(context, repository).finally(() => {
    isOpen = true
  })
  while (!isOpen) await appendFile(held, 'taken again')
  const {publish, warnings} = await opening
  deepEqual(
    warnings.map(({lock}) => lock),
    ['refs/heads/main.lock'],
  )
  await rm(held)
  await publish({'tool/a.json': 'b'})
})
