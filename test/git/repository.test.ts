import {deepEqual, equal, ok, rejects} from 'node:assert/strict'
import {readFile, rename, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {Layout} from '../../content/layout/layout.ts'
import {MAX_FILE_BYTES} from '../../content/parseDocument.ts'
import {ContentRepository} from '../../content/repository.ts'
import {DocumentStore} from '../../content/store.ts'
import {openContentDirectory} from '../../git/openContentDirectory.ts'
import {openStateFolder} from '../../git/stateFolder.ts'
import {cloneOf, type TestRepository, temporaryRepository} from '../lake/support/git.ts'
import {recordingLogger} from '../lake/support/log.ts'

/** A repository that the lake reads into a store. */
async function reader(repository: TestRepository) {
  const {logger, warnings} = recordingLogger()
  await openStateFolder(repository.directory)
  const content = new ContentRepository(
    await openContentDirectory(repository.directory),
    Layout.ONE_FILE,
    logger,
    {keepsHistory: true},
  )
  const store = new DocumentStore()
  const refresh = async () => {
    const update = await content.refresh()
    return update === undefined ? undefined : store.apply(update)
  }
  const dates = (id: string) => {
    const document = store.get(id)
    return document && [document._createdAt, document._updatedAt].map((date) => Date.parse(date) / 1000)
  }
  return {content, store, refresh, dates, warnings}
}

const a = {_id: 'a', _type: 'post', title: 'A'}
const b = {_id: 'b', _type: 'post', title: 'B'}

async function twoPosts(context: TestContext) {
  const repository = await temporaryRepository(context)
  await repository.commit({'post/a.json': a, 'post/b.json': b}, 1_000)
  const lake = await reader(repository)
  await lake.refresh()
  return {repository, ...lake}
}

/** A new reader must see the same as one that followed the repository. */
async function agreesWithFreshReader(repository: TestRepository, store: DocumentStore) {
  const fresh = await reader(repository)
  await fresh.refresh()
  deepEqual(store.view('raw').all(), fresh.store.view('raw').all())
}

test('documents have the dates of the commits that created and changed them', async (t) => {
  const {repository, refresh, store, dates} = await twoPosts(t)
  const commit = await repository.commit({'post/a.json': {...a, title: 'A2'}}, 2_000)
  const applied = await refresh()
  equal(applied?.id, commit)
  equal(applied?.identity, 'ada@example.com')
  equal(applied?.timestamp, '1970-01-01T00:33:20Z')
  deepEqual(
    applied?.changes.map(({id, before, after}) => [id, before?.title, after?.title]),
    [['a', 'A', 'A2']],
  )
  deepEqual(dates('a'), [1_000, 2_000])
  deepEqual(dates('b'), [1_000, 1_000])
  await agreesWithFreshReader(repository, store)
})

test('a commit with a date that no calendar has is served, and a new reader starts', async (t) => {
  const {repository, refresh, store, dates} = await twoPosts(t)
  for (const [date, expected] of [
    ['99999999999999 +0000', 253_402_300_799],
    ['-5 +0000', 0],
    ['', 0],
  ] as const) {
    const tree = await treeWith(repository, {...a, title: date})
    const parent = (await repository.git('rev-parse', 'HEAD')).trim()
    const people = ['author', 'committer'].map((role) => `${role} Ada <ada@example.com> ${date}`.trimEnd())
    await repository.write('raw', [`tree ${tree}`, `parent ${parent}`, ...people, '', 'x\n'].join('\n'))
    const commit = await repository.git('hash-object', '-t', 'commit', '-w', '--literally', 'raw')
    await repository.git('update-ref', 'HEAD', commit.trim())
    await refresh()
    equal(store.get('a')?.title, date)
    equal(dates('a')?.[1], expected)
    await agreesWithFreshReader(repository, store)
  }
})

/** A tree in which the post `a` has this content. */
async function treeWith(repository: TestRepository, content: object): Promise<string> {
  const commit = await repository.commit({'post/a.json': content})
  await repository.git('update-ref', 'HEAD', 'HEAD~1')
  return (await repository.git('rev-parse', `${commit}^{tree}`)).trim()
}

test('a deleted document that is added again has a new creation date', async (t) => {
  const {repository, refresh, store, dates} = await twoPosts(t)
  await repository.commit({'post/a.json': undefined}, 2_000)
  await refresh()
  equal(store.get('a'), undefined)
  await repository.commit({'post/a.json': a}, 3_000)
  await refresh()
  deepEqual(dates('a'), [3_000, 3_000])
  await agreesWithFreshReader(repository, store)
})

test('a reset reverts documents and dates', async (t) => {
  const {repository, refresh, store, dates} = await twoPosts(t)
  await repository.commit({'post/a.json': {...a, title: 'A2'}, 'post/c.json': {...a, _id: 'c'}}, 2_000)
  await repository.commit({'post/b.json': undefined}, 3_000)
  await refresh()
  await repository.git('update-ref', 'HEAD', 'HEAD~2')
  const applied = await refresh()
  deepEqual(applied?.changes.map(({id}) => id).sort(), ['a', 'b', 'c'])
  deepEqual(dates('a'), [1_000, 1_000])
  await agreesWithFreshReader(repository, store)
})

test('a commit and its revert still update the date', async (t) => {
  const {repository, refresh, store, dates} = await twoPosts(t)
  await repository.commit({'post/a.json': {...a, title: 'A2'}}, 2_000)
  await repository.commit({'post/a.json': a}, 3_000)
  await refresh()
  deepEqual(dates('a'), [1_000, 3_000])
  await agreesWithFreshReader(repository, store)
})

test('branches, merges and an orphan branch are followed', async (t) => {
  const {repository, refresh, store, dates} = await twoPosts(t)
  const person = await cloneOf(t, repository)
  const branch = (name: string) => repository.git('symbolic-ref', 'HEAD', `refs/heads/${name}`)
  await repository.git('branch', 'side')
  await branch('side')
  await repository.commit({'post/c.json': {...a, _id: 'c'}}, 2_000)
  await refresh()
  ok(store.get('c'))
  await branch('main')
  await repository.commit({'post/b.json': {...b, title: 'B2'}}, 3_000)
  await refresh()
  equal(store.get('c'), undefined)
  await person.git('pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'main', 'side')
  await person.git('push', '--quiet', 'origin', 'HEAD:main')
  await refresh()
  // On main, it arrived with the merge.
  ok((dates('c')?.[0] ?? 0) > 3_000)
  await agreesWithFreshReader(repository, store)
  await branch('side')
  await repository.git('update-ref', 'HEAD', 'main')
  await refresh()
  await agreesWithFreshReader(repository, store)
  await branch('orphan')
  const documents = store.size
  await rejects(refresh(), /names the branch orphan, which does not exist. It has main, side/)
  equal(store.size, documents)
  await repository.commit({'post/d.json': {...a, _id: 'd'}}, 5_000)
  await refresh()
  deepEqual([store.size, dates('d')], [1, [5_000, 5_000]])
})

test('a repository without a commit has no documents until its first commit', async (t) => {
  const repository = await temporaryRepository(t)
  const {refresh, store} = await reader(repository)
  equal(await refresh(), undefined)
  await repository.commit({'post/a.json': a})
  await refresh()
  equal(store.size, 1)
})

test('a commit discarded in the meantime does not stop the reader', async (t) => {
  const {repository, refresh, store} = await twoPosts(t)
  await repository.commit({'post/a.json': {...a, title: 'A2'}})
  await refresh()
  await repository.git('update-ref', 'HEAD', 'HEAD~1')
  await repository.git('reflog', 'expire', '--expire=now', '--all')
  await repository.git('gc', '--quiet', '--prune=now')
  await refresh()
  equal(store.get('a')?.title, 'A')
})

test('invalid documents are logged once, and the others are served', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({
    'post/a.json': a,
    'post/broken.json': '{"_id": "broken",\n  "_type": }',
    'post/other.json': {_id: 'x', _type: 'post'},
    'page/a.json': {_id: 'a', _type: 'page'},
    'page/wrong.json': {_id: 'wrong', _type: 'post'},
    'page/list.json': [],
    'page/drafts.a.json': {_id: 'drafts.a', _type: 'page'},
    'page/-a.json': {_id: '-a', _type: 'page'},
    'page/big.json': {_id: 'big', _type: 'page', text: 'x'.repeat(MAX_FILE_BYTES)},
    'page/latin.json': Buffer.from('{"_id":"latin","_type":"page","t":"\xe9"}', 'latin1'),
    'page/proto.json': '{"_id":"proto","_type":"page","a":[{"__proto__":{}}]}',
    'page/deep.json': `{"_id":"deep","_type":"page","a":${'['.repeat(100)}${']'.repeat(100)}}`,
    'README.md': '# Content',
    'package.json': {},
    '.github/workflow.json': {},
    'a/b/c.json': {},
    'post/note.txt': 'x',
  })
  const {content, refresh, store, warnings} = await reader(repository)
  await refresh()
  deepEqual(
    store
      .view('raw')
      .all()
      .map(({_id, _type}) => [_id, _type]),
    [['a', 'page']],
  )
  const reasons = Object.fromEntries(content.invalid.map(({path, reason}) => [path, reason]))
  deepEqual(Object.keys(reasons).length, 11)
  equal(reasons['post/broken.json'], 'not valid JSON at line 2, column 12 (ValueExpected)')
  equal(reasons['post/other.json'], '_id must be "other", the name of its file')
  equal(reasons['page/wrong.json'], '_type must be "page", the name of its folder')
  equal(reasons['post/a.json'], '_id "a" is already used by page/a.json')
  equal(reasons['page/list.json'], 'not a JSON object')
  equal(reasons['page/latin.json'], 'not UTF-8 text: save the file as UTF-8')
  equal(reasons['page/big.json'], 'larger than 5242880 bytes')
  equal(reasons['page/proto.json'], 'no attribute may be named "__proto__"')
  equal(reasons['page/deep.json'], 'nested deeper than 64 levels')
  equal(warnings.length, 11)

  await repository.commit({'page/a.json': undefined, 'post/broken.json': {_id: 'broken', _type: 'post'}})
  await refresh()
  deepEqual(
    store
      .view('raw')
      .all()
      .map(({_id, _type}) => [_id, _type]),
    [
      ['a', 'post'],
      ['broken', 'post'],
    ],
  )
  equal(warnings.length, 11)
})

test('attributes set by the lake are not read from a file', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({'post/a.json': {...a, _rev: 'mine', _createdAt: 'x', _updatedAt: 'y'}}, 1_000)
  const {refresh, store} = await reader(repository)
  await refresh()
  const other = await temporaryRepository(t)
  await other.commit({'post/a.json': `{ "title": "A", "_type": "post",\n"_id": "a" }`}, 2_000)
  const {refresh: refreshOther, store: otherStore} = await reader(other)
  await refreshOther()
  equal(store.get('a')?._rev, otherStore.get('a')?._rev)
  equal(store.get('a')?._createdAt, '1970-01-01T00:16:40Z')
})

test('the history is kept on disk, and read again if its file is damaged', async (t) => {
  const {repository, content} = await twoPosts(t)
  await content.close()
  const file = join(repository.directory, 'handrail/history.db')
  const kept = await readFile(file)
  await repository.commit({'post/b.json': {...b, title: 'B2'}}, 2_000)
  for (const damaged of [kept, kept.subarray(0, 5_000), 'not a database', '']) {
    await writeFile(file, damaged)
    const {refresh, dates, content} = await reader(repository)
    await refresh()
    deepEqual(
      [dates('a'), dates('b')],
      [
        [1_000, 1_000],
        [1_000, 2_000],
      ],
    )
    await content.close()
  }
})

test('if the repository disappears, the last good state stays', async (t) => {
  const {repository, refresh, store} = await twoPosts(t)
  await rename(repository.directory, `${repository.directory}-away`)
  await rejects(refresh(), /git rev-parse/)
  equal(store.size, 2)
  await rename(`${repository.directory}-away`, repository.directory)
  await repository.commit({'post/a.json': undefined})
  equal((await refresh())?.changes.length, 1)
})
