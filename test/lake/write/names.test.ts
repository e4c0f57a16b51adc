import assert from 'node:assert/strict'
import {join} from 'node:path'
import {test} from 'node:test'
import fc from 'fast-check'
import {runs} from '../../runner/runs.ts'
import {cloneOf, temporaryFolder, temporaryRepository, testRepository} from '../support/git.ts'
import {runLake, runLakeOver} from '../support/lake.ts'
import {act, documentAt, mutate} from '../support/mutate.ts'

const create = (_type: string, _id: string, more: object = {}) => ({create: {_id, _type, ...more}})

test('names that some file systems reject are rejected, for drafts too', async (t) => {
  const {address} = await runLake(t)
  const unfit = [
    'con',
    'NUL',
    'aux.x',
    'Com1',
    'lpt9.json',
    'index.lock',
    'a.git',
    'A.LOCK',
    '.git',
    '-a',
    'a/b',
    'ä',
  ]
  const types = [...unfit, 'a.', 'x'.repeat(65), '']
  const ids = [...unfit, 'x'.repeat(129)]
  for (const type of types) {
    for (const id of ['a', 'drafts.a']) {
      const {status, text} = await mutate(address, [create(type, id)])
      assert.equal(status, 400, `${type}: ${text}`)
    }
  }
  for (const id of ids) {
    for (const prefix of ['', 'drafts.']) {
      const {status, text} = await mutate(address, [create('post', prefix + id)])
      assert.equal(status, 400, `${id}: ${text}`)
    }
  }
  const attributes = {_id: 'drafts.nul', _type: 'post'}
  const action = {actionType: 'sanity.action.document.create', publishedId: 'nul', attributes}
  assert.match((await act(address, [action])).text, /a device name on Windows/)
  const longest = create('t'.repeat(64), 'i'.repeat(128))
  assert.equal(
    (await mutate(address, [longest, create('console', 'null'), create('post', 'drafts.')])).status,
    200,
  )
})

test('a new name that differs only in case is rejected, and the error names the existing one', async (t) => {
  const files = {
    'tool/shop.json': {_id: 'shop', _type: 'tool'},
    'tool/Broken.json': 'not JSON',
    'Docs/guide.md': 'text',
  }
  const {address, repository} = await runLake(t, files)
  const head = await repository.git('rev-parse', 'HEAD')
  for (const [mutations, other] of [
    [[create('tool', 'Shop')], 'tool/shop.json'],
    [[create('tool', 'broken')], 'tool/Broken.json'],
    [[create('Tool', 'x')], '"tool"'],
    [[create('docs', 'x')], '"Docs"'],
    [[create('post', 'a'), create('post', 'A')], 'post/a.json'],
    [[create('page', 'a'), create('Page', 'b')], '"page"'],
  ] satisfies [object[], string][]) {
    const {status, text} = await mutate(address, mutations)
    assert.equal(status, 400, text)
    assert.ok(JSON.parse(text).error.description.includes(other), text)
  }
  assert.equal(await repository.git('rev-parse', 'HEAD'), head)
  // An existing document can be replaced, and its name reused once it is deleted.
  assert.equal((await mutate(address, [{delete: {id: 'shop'}}, create('tool', 'Shop')])).status, 200)
  assert.equal((await mutate(address, [create('Docs', 'x')])).status, 200)
})

test('a type with the name of a file or submodule is rejected with a clear error', async (t) => {
  const repository = await temporaryRepository(t)
  const person = await cloneOf(t, repository)
  const commit = await person.commit({'README.md': '# Content'})
  await person.git('update-index', '--add', '--cacheinfo', `160000,${commit},module`)
  await person.git('commit', '--quiet', '--message', 'Add a submodule')
  await person.git('push', '--quiet', 'origin', 'HEAD:main')
  const {address, warnings} = await runLakeOver(t, repository)
  for (const type of ['README.md', 'module']) {
    const {status, text} = await mutate(address, [create(type, 'a')])
    assert.equal(status, 400, text)
    assert.match(text, /is not a folder in the content repository, but a file or a submodule/)
  }
  assert.match(
    (await mutate(address, [create('readme.MD', 'a')])).text,
    /differs only by case from .*README\.md/,
  )
  assert.deepEqual(warnings, [])
})

test('existing documents with such names are served and can be edited, published and deleted', async (t) => {
  const type = 't'.repeat(100)
  const files = {
    'con/aux.json': {_id: 'aux', _type: 'con', title: 'old'},
    [`${type}/a.json`]: {_id: 'a', _type: type, title: 'old'},
    'Post/b.json': {_id: 'b', _type: 'Post', title: 'old'},
    'post/B.json': {_id: 'B', _type: 'post', title: 'old'},
  }
  const {address} = await runLake(t, files)
  for (const id of ['aux', 'a', 'b', 'B']) {
    const pair = {draftId: `drafts.${id}`, publishedId: id}
    const edit = {actionType: 'sanity.action.document.edit', ...pair, patch: {set: {title: 'new'}}}
    const publish = {actionType: 'sanity.action.document.publish', ...pair}
    for (const action of [edit, publish]) {
      const {status, text} = await act(address, [action])
      assert.equal(status, 200, text)
    }
    assert.equal((await documentAt(address, id))?.title, 'new')
  }
  assert.equal((await mutate(address, [{delete: {id: 'aux'}}])).status, 200)
  assert.equal((await mutate(address, [create('con', 'aux')])).status, 400)
})

const part = fc.constantFrom(
  'con',
  'aux',
  'a',
  'A',
  'git',
  'lock',
  'prn',
  'x'.repeat(60),
  '.',
  '~1',
  ' ',
  '_',
  '-',
  '‌',
)
const name = fc.array(part, {minLength: 1, maxLength: 4}).map((parts) => parts.join(''))

test('accepted names can be cloned on every file system', async (t) => {
  const {address, repository} = await runLake(t)
  await fc.assert(
    fc.asyncProperty(name, name, async (type, id) => {
      const {status, text} = await mutate(address, [{createOrReplace: {_id: id, _type: type}}])
      // The same ID may come with another type, and IDs that begin with "_." belong to the lake.
      assert.ok([200, 400, id.startsWith('_.') ? 403 : 409, 409].includes(status), text)
    }),
    {numRuns: runs(60)},
  )
  const paths = (await repository.git('ls-tree', '-r', '-z', '--name-only', 'HEAD'))
    .split('\0')
    .filter(Boolean)
  assert.ok(paths.length > 0)
  assert.equal(new Set(paths.map((path) => path.toLowerCase())).size, paths.length)
  for (const path of paths)
    assert.doesNotMatch(path, /(^|\/)(con|aux|prn)(\.|\/)|\.\/|\.(git|lock)(\/|\.json$)/i)
  const clone = testRepository(join(await temporaryFolder(t), 'clone'))
  const strict = ['-c', 'core.protectNTFS=true', '-c', 'core.protectHFS=true']
  await repository.git(...strict, 'clone', '--quiet', repository.directory, clone.directory)
  assert.equal(await clone.git('status', '--porcelain'), '')
})
