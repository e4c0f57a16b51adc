import assert from 'node:assert/strict'
import {readdir, readFile, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {temporaryFolder, temporaryRepository} from '../../lake/support/git.ts'
import {page, transfer} from '../transfer/run.ts'

test('a file has the documents at HEAD as the lake serves them; what is not valid is left out and named', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({'page/two.json': page('two'), 'page/one.json': page('one')}, 1_000)
  await repository.commit({'page/one.json': page('one', {title: 'One'}), 'page/bad.json': '{'}, 2_000)
  const folder = await temporaryFolder(t)
  const {code, out} = await transfer('export', [repository.directory, join(folder, 'x.ndjson')])
  assert.equal(code, 1)
  assert.match(
    out,
    /^Exported 2 documents to .*\nLeft out: 1 invalid file\n {2}page\/bad.json: not valid JSON/,
  )
  const lines = (await readFile(join(folder, 'x.ndjson'), 'utf8')).trim().split('\n')
  assert.deepEqual(
    lines.map((line) => {
      const {_rev, ...document} = JSON.parse(line)
      assert.match(_rev, /^[\w-]{22}$/)
      return document
    }),
    [
      {
        ...page('one', {title: 'One'}),
        _createdAt: '1970-01-01T00:16:40Z',
        _updatedAt: '1970-01-01T00:33:20Z',
      },
      {...page('two'), _createdAt: '1970-01-01T00:16:40Z', _updatedAt: '1970-01-01T00:16:40Z'},
    ],
  )
})

test('the same commit gives the same archive, and an existing file stays', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({'page/one.json': page('one')}, 1_000)
  const folder = await temporaryFolder(t)
  const path = join(folder, 'x.tar.gz')
  const args = [repository.directory, path]
  assert.equal((await transfer('export', args)).code, 0)
  const first = await readFile(path)
  const refused = await transfer('export', args)
  assert.deepEqual([refused.code, refused.error], [2, `${path} exists: choose another name, or delete it`])
  await rm(path)
  assert.equal((await transfer('export', args)).code, 0)
  assert.deepEqual(await readFile(path), first)
  assert.deepEqual(await readdir(folder), ['x.tar.gz'])
})

test('wrong arguments, a missing repository and a folder that cannot be written are named, and nothing is left', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({'page/one.json': page('one')})
  const folder = await temporaryFolder(t)
  for (const [args, reason] of [
    [[], /^give FILE/],
    [['a', 'b', 'x.ndjson'], /^give FILE, and at most one DIR/],
    [[repository.directory, 'x.json'], /^FILE must end with/],
    [
      [join(folder, 'none'), 'x.ndjson'],
      /^there is no content repository at .*: give DIR, or set CONTENT_DIR$/,
    ],
    [[repository.directory, join(folder, 'none', 'x.ndjson')], /x.ndjson cannot be written: ENOENT/],
  ] as const) {
    const {code, error, out} = await transfer('export', args)
    assert.match(error, reason)
    assert.deepEqual([code, out], [2, ''])
  }
  assert.deepEqual(await readdir(folder), [])
})
