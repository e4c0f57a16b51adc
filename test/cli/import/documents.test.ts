import assert from 'node:assert/strict'
import {readdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {readContent} from '../../../cli/transfer/repository.ts'
import {MAX_FILE_BYTES} from '../../../content/parseDocument.ts'
import {openRepository} from '../../../git/openContentDirectory.ts'
import {
  type TestRepository,
  temporaryFolder,
  temporaryRepository,
  temporaryWorkTree,
  testRepository,
} from '../../lake/support/git.ts'
import {page, type Ran, transfer} from '../transfer/run.ts'

/** Imports documents into a repository, by default a new one. */
async function importDocuments(
  t: TestContext,
  documents: readonly object[],
  {repository}: {repository?: TestRepository} = {},
): Promise<Ran & {repository: TestRepository}> {
  const folder = await temporaryFolder(t)
  const path = join(folder, 'x.ndjson')
  await writeFile(path, documents.map((document) => `${JSON.stringify(document)}\n`).join(''))
  const target = repository ?? testRepository(join(folder, 'content'))
  return {...(await transfer('import', [path, target.directory])), repository: target}
}

async function filesOf({git}: TestRepository): Promise<string[]> {
  return (await git('ls-tree', '-r', '--name-only', 'HEAD')).trim().split('\n')
}

test('what a repository does not hold is left out and named; only what needs attention changes the exit code', async (t) => {
  const byDesign = [
    page('drafts.one'),
    page('versions.release.one'),
    {_id: '_.releases.release', _type: 'system.release'},
    {_id: '_.groups.public', _type: 'system.group'},
    {_id: 'image-abc-1x1-png', _type: 'sanity.imageAsset'},
    {_id: 'file-abc-pdf', _type: 'sanity.fileAsset'},
  ]
  const fine = await importDocuments(t, [page('one'), ...byDesign])
  assert.equal(fine.code, 0)
  assert.deepEqual(await filesOf(fine.repository), ['page/one.json'])
  assert.equal(
    fine.out.slice(fine.out.indexOf('\n') + 1),
    [
      'Left out: 4 drafts, releases and system documents, which are not committed',
      '  drafts.one',
      '  versions.release.one',
      '  _.releases.release',
      '  _.groups.public',
      'Left out: 2 assets: use addresses of files on your website',
      '  image-abc-1x1-png',
      '  file-abc-pdf',
      '',
    ].join('\n'),
  )
})

test('documents that cannot be files are left out, and the exit code is 1', async (t) => {
  const deep: unknown[] = []
  let inner = deep
  for (let level = 0; level < 70; level += 1) {
    const next: unknown[] = []
    inner.push(next)
    inner = next
  }
  const cases = [
    [{_type: 'page'}, /: 2 .*without an "_id" or "_type"/],
    [{_id: 'one'}, /without an "_id" or "_type"/],
    [page('../../one'), /"..\/..\/one" is not a valid document id/],
    [page('a/b'), /"a\/b" is not a valid document id/],
    [page('con'), /device name on Windows/],
    [page('a\u001b[2Jb'), /is not a valid document id/],
    [{_id: 'x', _type: '../x'}, /"..\/x" is not a valid document type/],
    [page('big', {text: 'x'.repeat(MAX_FILE_BYTES)}), /big: A document can have at most \d+ bytes/],
    [page('deep', {deep}), /nested deeper than 64 levels/],
    [page('proto', JSON.parse('{"__proto__": 1}')), /no attribute may be named "__proto__"/],
    [page('ONE'), /"page\/ONE.json" cannot be in one content repository with "page\/one.json"/],
    [{_id: 'two', _type: 'Page'}, /"Page\/" cannot be in one content repository with "page\/"/],
  ] as const
  const {code, out, repository} = await importDocuments(t, [page('one'), ...cases.map(([unfit]) => unfit)])
  for (const [, reason] of cases) assert.match(out, reason)
  assert.match(out, /^Imported 1 document /)
  assert.ok(!out.includes('\u001b'))
  assert.equal(code, 1)
  assert.deepEqual(await filesOf(repository), ['page/one.json'])
})

test('an import again changes nothing, keeps how files are written, and goes on with what is new', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({'page/one.json': '{"_type": "page","_id": "one", "title":"One"}'})
  const documents = [page('one', {title: 'One', _rev: 'theirs'})]
  const same = await importDocuments(t, documents, {repository})
  assert.match(same.out, /: 0 new, 0 replaced, 1 unchanged\.$/m)
  assert.equal((await repository.git('rev-list', '--count', 'HEAD')).trim(), '1')
  const more = await importDocuments(t, [...documents, page('two')], {repository})
  assert.match(more.out, /^Imported 1 document .*: 1 new, 0 replaced, 1 unchanged\.$/m)
  assert.equal(await repository.git('log', '-1', '--format=%s'), 'Import 1 document from x.ndjson\n')
})

test('other content is replaced, and its files go with another type', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({'page/one.json': page('one'), 'page/two.json': page('two')})
  const documents = [page('one', {title: 'New'}), {_id: 'two', _type: 'post'}, page('three')]
  const {out} = await importDocuments(t, documents, {repository})
  assert.match(out, /: 1 new, 2 replaced, 0 unchanged\.$/m)
  assert.deepEqual(await filesOf(repository), ['page/one.json', 'page/three.json', 'post/two.json'])
  assert.match(await repository.git('show', 'HEAD:page/one.json'), /"title": "New"/)
})

test('a dry run says the same and writes nothing', async (t) => {
  const folder = await temporaryFolder(t)
  await writeFile(join(folder, 'x.ndjson'), `${JSON.stringify(page('one'))}\n`)
  const args = [join(folder, 'x.ndjson'), join(folder, 'content')]
  const dry = await transfer('import', [...args, '--dry-run'])
  assert.deepEqual(await readdir(folder), ['x.ndjson'])
  const real = await transfer('import', args)
  assert.equal(real.out, dry.out.replace('Would import', 'Imported'))
})

test('dates are kept, and stored in the files until the content changes', async (t) => {
  const dates = {_createdAt: '2019-05-01T10:00:00Z', _updatedAt: '2022-01-01T10:00:00.500Z'}
  const documents = [
    page('dated', {...dates, _rev: 'theirs', title: 'A'}),
    page('odd', {_createdAt: 'nonsense', _updatedAt: '2022-01-01T10:00:00+02:00'}),
    page('undated'),
  ]
  const {repository} = await importDocuments(t, documents)
  const [, commit] = /^(\d+)$/m.exec(await repository.git('log', '--format=%ct')) ?? []
  const committed = new Date(Number(commit) * 1_000).toISOString().replace('.000Z', 'Z')
  const read = async () => {
    const {documents} = await readContent(await openRepository(repository.directory))
    return Array.from(documents.values(), ({_id, _createdAt, _updatedAt}) => [_id, _createdAt, _updatedAt])
  }
  assert.deepEqual((await read()).sort(), [
    ['dated', dates._createdAt, dates._updatedAt],
    ['odd', committed, committed],
    ['undated', committed, committed],
  ])
  const file = JSON.parse(await repository.git('show', 'HEAD:page/dated.json'))
  assert.deepEqual(Object.keys(file), ['_createdAt', '_id', '_rev', '_type', '_updatedAt', 'title'])
  assert.equal(
    await repository.git('show', 'HEAD:page/undated.json'),
    '{\n  "_id": "undated",\n  "_type": "page"\n}\n',
  )

  await repository.commit({'page/dated.json': {...file, title: 'B'}}, 2_000_000_000)
  assert.deepEqual((await read()).sort()[0], ['dated', dates._createdAt, '2033-05-18T03:33:20Z'])
})

test('changes in a work tree that an import would overwrite stop it, and stay', async (t) => {
  const repository = await temporaryWorkTree(t)
  await repository.commit({'page/one.json': page('one'), 'page/other.json': page('other')})
  const head = await repository.git('rev-parse', 'HEAD')
  await repository.write('page/one.json', 'mine')
  const documents = [page('one', {title: 'Theirs'}), page('two')]
  const refused = await importDocuments(t, documents, {repository})
  assert.equal(refused.code, 2)
  assert.match(
    refused.error,
    /^nothing was imported, because Git could not update .*: commit, stash or remove/,
  )
  assert.equal(await repository.git('rev-parse', 'HEAD'), head)
  assert.equal(await repository.git('status', '--porcelain'), ' M page/one.json\n')
  await repository.git('checkout', '--quiet', 'page/one.json')
  await repository.write('page/other.json', 'mine')
  assert.equal((await importDocuments(t, documents, {repository})).code, 0)
  assert.equal(await repository.git('status', '--porcelain'), ' M page/other.json\n')
})

test('an import needs a branch', async (t) => {
  const repository = await temporaryWorkTree(t)
  await repository.commit({'page/one.json': page('one')})
  await repository.git('checkout', '--quiet', '--detach')
  const detached = await importDocuments(t, [page('two')], {repository})
  assert.match(detached.error, /^nothing was imported: .* has no branch checked out$/)
})

test('long texts get files of their own', async (t) => {
  const tool = {_id: 'one', _type: 'tool', executeJs: 'return 1', inputSchema: '{}'}
  const fresh = await importDocuments(t, [tool])
  assert.equal(await fresh.repository.git('show', 'HEAD:tool/one.js'), 'return 1\n')
  assert.deepEqual(await filesOf(fresh.repository), ['tool/one.js', 'tool/one.json', 'tool/one.schema.json'])
  const {repository} = fresh
  await importDocuments(t, [{...tool, executeJs: undefined}], {repository})
  assert.deepEqual(await filesOf(repository), ['tool/one.json', 'tool/one.schema.json'])
})
