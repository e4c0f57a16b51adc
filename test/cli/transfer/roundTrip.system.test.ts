import assert from 'node:assert/strict'
import {createReadStream} from 'node:fs'
import {cp, mkdtemp, readdir, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, before, type TestContext, test} from 'node:test'
import {exportDataset} from '@sanity/export'
import {sanityImport} from '@sanity/import'
import {LAYOUT} from '../../../cli/layout.ts'
import {openFolder, readContent} from '../../../cli/transfer/repository.ts'
import {splitDocument} from '../../../content/layout/splitDocument.ts'
import {startService} from '../../../service/service.ts'
import {readServiceSettings} from '../../../service/settings.ts'
import {projectFile} from '../../deploy/support/files.ts'
import {token} from '../../lake/support/app.ts'
import {
  type TestRepository,
  temporaryFolder,
  temporaryRepository,
  testRepository,
} from '../../lake/support/git.ts'
import {type RunningLake, runLake, runLakeOver} from '../../lake/support/lake.ts'
import {UNCODED} from '../../support/house.ts'
import {listeningLog} from '../../support/log.ts'
import {environmentOf, transfer} from './run.ts'

const SHOP = projectFile('examples/shop/content')

/** Documents of other kinds than the shop has: circular references, odd texts, ids with dots and dashes. */
const ODD = [
  {_id: 'a', _type: 'page', next: {_type: 'reference', _ref: 'b'}},
  {_id: 'b', _type: 'page', next: {_type: 'reference', _ref: 'c'}},
  {
    _id: 'c',
    _type: 'page',
    next: {_type: 'reference', _ref: 'a'},
    list: [{_key: 'k', n: 1e21}],
    nothing: null,
  },
  {_id: 'a.private-1', _type: 'page', text: '  \u2028 ünïcode 👩‍🚀 \\ "quotes" \r\n', empty: ''},
  {_id: 'z_last', _type: 'page', to: {_type: 'reference', _ref: 'tool-add-to-cart'}, later: '2024-02-30'},
]

/** The files of the shop's and the odd documents in the standard layout, by path. */
let files: Record<string, string>
before(async () => {
  const shop = testRepository(await mkdtemp(join(tmpdir(), 'handrail-shop-')))
  await cp(SHOP, shop.directory, {recursive: true})
  await shop.git('init', '--quiet')
  await shop.commit({})
  const {documents} = await readContent(await openFolder(shop.directory))
  await rm(shop.directory, {recursive: true})
  const split = [...documents.values(), ...ODD].flatMap((document) => {
    return [...splitDocument(LAYOUT, {type: document._type, id: document._id}, document)]
  })
  files = Object.fromEntries(split)
})

/** `@sanity/import` leaves a folder with what it unpacked. */
after(async () => {
  const names = await readdir(tmpdir())
  const left = names.filter((name) => name.startsWith('sanity-import-'))
  await Promise.all(left.map((name) => rm(join(tmpdir(), name), {recursive: true})))
})

/** A repository with documents of three dates. */
async function original(t: TestContext): Promise<TestRepository> {
  const repository = await temporaryRepository(t)
  const paths = Object.keys(files)
  const part = (start: number, end?: number) =>
    Object.fromEntries(paths.slice(start, end).map((path) => [path, files[path]]))
  await repository.commit(part(0, 3), 1_600_000_000)
  await repository.commit(part(3, 9), 1_650_000_000)
  await repository.commit(part(9), 1_700_000_000)
  return repository
}

async function treeOf(repository: TestRepository): Promise<string> {
  return repository.git('rev-parse', 'HEAD^{tree}')
}

/** What the service over a lake sends, with entity tags. */
async function servedBy(t: TestContext, lake: RunningLake): Promise<string[]> {
  const settings = readServiceSettings({
    PORT: '0',
    ...environmentOf(lake),
    SNAPSHOT_DIR: await temporaryFolder(t),
    DRAIN_SECONDS: '0',
  })
  const service = await startService(settings, listeningLog().log)
  try {
    const paths = ['/', '/products', '/products/1', '/cart', '/contact']
    return await Promise.all(
      paths.map(async (path) => {
        const url = `${service.address}/api/sites/demo-shop/config?path=${encodeURIComponent(path)}`
        const response = await fetch(url, {headers: UNCODED})
        assert.equal(response.status, 200)
        return `${response.headers.get('etag')} ${await response.text()}`
      }),
    )
  } finally {
    await service.close()
  }
}

/** All documents of a lake with their revisions and dates, one on a line. */
async function exportOf({address}: RunningLake): Promise<string> {
  const headers = {authorization: `Bearer ${token}`}
  const response = await fetch(`${address}/v2025-02-19/data/export/production`, {headers})
  assert.equal(response.status, 200)
  return response.text()
}

/** What a transfer says on a busy machine, too: how far it is. */
const ONLY_PROGRESS = /^(?:\d+ of \d+ documents \w+\n)*$/

test('repository → lake → import → export → lake: the same documents with their dates, and the service sends the same bytes', async (t) => {
  const first = await runLakeOver(t, await original(t))
  const directory = join(await temporaryFolder(t), 'copy')
  const imported = await transfer('import', ['dataset', directory], environmentOf(first))
  assert.equal(imported.code, 0)
  assert.match(imported.error, ONLY_PROGRESS)
  const copy = testRepository(directory)

  const again = await transfer('import', ['dataset', directory], environmentOf(first))
  assert.match(again.out, /Imported 0 documents .* 17 unchanged/)
  assert.equal((await copy.git('rev-list', '--count', 'HEAD')).trim(), '1')

  const second = await runLake(t)
  const exported = await transfer('export', [directory, 'dataset'], environmentOf(second))
  assert.equal(exported.code, 0)
  assert.match(exported.error, ONLY_PROGRESS)
  assert.match(exported.out, /Exported 17 documents .* 17 new, 0 replaced, 0 kept, 0 unchanged/)
  assert.equal(await treeOf(second.repository), await treeOf(copy))
  assert.deepEqual(await servedBy(t, second), await servedBy(t, first))

  const over = await runLakeOver(t, copy)
  const documents = await exportOf(first)
  assert.match(documents, /"_createdAt":"2020-09-13T12:26:40Z"/)
  assert.equal(await exportOf(second), documents)
  assert.equal(await exportOf(over), documents)
})

test('archives of @sanity/export are imported, and those of an export are taken by @sanity/import', async (t) => {
  const lake = await runLakeOver(t, await original(t))
  const folder = await temporaryFolder(t)
  const archive = join(folder, 'theirs.tar.gz')
  await exportDataset({client: lake.client, dataset: 'production', outputPath: archive})
  const imported = await transfer('import', [archive, join(folder, 'copy')])
  assert.equal(imported.code, 0)
  assert.match(imported.error, ONLY_PROGRESS)
  const copy = testRepository(join(folder, 'copy'))
  const lines = async ({directory}: TestRepository, name: string) => {
    const path = join(folder, name)
    assert.equal((await transfer('export', [directory, path])).code, 0)
    return readFile(path, 'utf8')
  }
  assert.equal(await lines(copy, 'copy.ndjson'), await lines(lake.repository, 'original.ndjson'))

  const ours = join(folder, 'ours.tar.gz')
  const exported = await transfer('export', [copy.directory, ours])
  assert.equal(exported.code, 0)
  assert.match(exported.error, ONLY_PROGRESS)
  const other = await runLake(t)
  const result = await sanityImport(createReadStream(ours), {
    client: other.client,
    operation: 'createOrReplace',
  })
  assert.deepEqual(result, {numDocs: 17, warnings: []})
  const difference = await transfer('export', [copy.directory, 'dataset', '--dry-run'], environmentOf(other))
  assert.match(difference.out, /0 new, 0 replaced, \d kept, \d+ unchanged/)
  assert.deepEqual(await servedBy(t, other), await servedBy(t, lake))
  // @sanity/import writes documents with references twice, so the time of the import is their `_updatedAt`.
  const datesOf = async (from: RunningLake) =>
    (await exportOf(from))
      .trim()
      .split('\n')
      .map((line) => {
        const {_id, _createdAt, _updatedAt} = JSON.parse(line)
        return line.includes('"_ref"') ? {_id, _createdAt} : {_id, _createdAt, _updatedAt}
      })
  assert.deepEqual(await datesOf(other), await datesOf(lake))
})
