import assert from 'node:assert/strict'
import {readdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import fc from 'fast-check'
import {STANDARD_LAYOUT} from '../../cli/layout.ts'
import {openFolder, readContent, readDrafts} from '../../cli/transfer/repository.ts'
import type {Document} from '../../content/document.ts'
import {isPublishedId} from '../../content/ids.ts'
import {SITE_RULES, UNIQUE_RULES} from '../../schemas/siteRules.ts'
import {content} from '../cli/support/run.ts'
import {readFolder, writeFolder} from '../lake/support/folderCopy.ts'
import {temporaryFolder, temporaryRepository, testRepository} from '../lake/support/git.ts'
import {type RunningLake, runLakeOver} from '../lake/support/lake.ts'
import {IS_DEEP} from '../runner/runs.ts'
import {bytesOfArchive, oddArchive} from './generators/archives.ts'

/** Most runs take a fifth of a second, and a second if something was imported. */
const RUNS = IS_DEEP ? 300 : 20

const RULES = {siteRules: SITE_RULES, uniqueRules: UNIQUE_RULES}

/** Larger documents do not fit into a request. */
const MAX_REQUEST = 3 * 2 ** 20

const BASE = {
  'lake.json': STANDARD_LAYOUT,
  'site/bank.json': {_id: 'bank', _type: 'site', name: 'Bank', publicId: 'bank-0001-site'},
  'tool/pay.json': {_id: 'pay', _type: 'tool', name: 'pay', site: {_type: 'reference', _ref: 'bank'}},
  'tool/pay.js': 'return 1\n',
  'page/one.json': {_id: 'one', _type: 'page', title: 'One'},
}

/** Files that are no documents, which no import may touch. */
const OTHERS = {README: 'Read me\n', 'notes/todo.txt': 'Write it\n', 'page/folder.json/x.txt': 'x\n'}

// `SEED=…` replays a failure.
test('whatever a file contains, an import writes only what the API accepts, and the lake publishes after it', async (t) => {
  const base = await temporaryRepository(t)
  const head = await base.commit({...BASE, ...OTHERS}, 1_000)
  const copy = await readFolder(base.directory)
  const before = (await readContent(await openFolder(base.directory))).documents
  const api = await runLakeOver(t, base, RULES)

  const counts = {refused: 0, imported: 0, documents: 0}

  const deadline = performance.now() + (IS_DEEP ? 30 : 2) * 60_000
  const property = fc.asyncProperty(oddArchive, fc.boolean(), async (odd, withDrafts) => {
    // An interruption by fast-check would leave what the run has started.
    if (performance.now() > deadline) return
    const folder = await temporaryFolder(t)
    const repository = testRepository(join(folder, 'content'))
    writeFolder(repository.directory, copy)
    const file = `backup.${odd.kind}`
    const bytes = await bytesOfArchive(odd)
    await writeFile(join(folder, file), bytes)
    const options = withDrafts ? ['--drafts'] : []
    const {code, out, error} = await content(['import', file, 'content', ...options], folder)

    assert.deepEqual((await readdir(folder)).toSorted(), [file, 'content'].toSorted())
    assert.ok((await readFile(join(folder, file))).equals(bytes))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal would obey them
    assert.doesNotMatch(out + error, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    if (code === 2) {
      counts.refused += 1
      assert.match(error, /^content import: .{20}.*\n$/)
      assert.equal((await repository.git('rev-parse', 'HEAD')).trim(), head)
      return
    }
    assert.match(out, /^Imported /)
    for (const path of ['lake.json', ...Object.keys(OTHERS)])
      assert.equal(
        await repository.git('rev-parse', `HEAD:${path}`),
        await base.git('rev-parse', `${head}:${path}`),
      )

    const opened = await openFolder(repository.directory)
    const {documents, invalid} = await readContent(opened)
    assert.deepEqual(invalid, [])
    const published = [...documents.values()].filter(({_id, _rev}) => before.get(_id)?._rev !== _rev)
    const written = [...published, ...(await readDrafts(opened)).values()]
    counts.imported += 1
    counts.documents += written.length
    for (const {_type, _createdAt, _updatedAt} of written) {
      assert.notEqual(_type, 'sanity.previewUrlSecret')
      for (const date of [_createdAt, _updatedAt]) assert.ok(Date.parse(date) <= Date.now(), date)
    }
    // The lake of the repository starts as it did before.
    if (written.length === 0) return
    await acceptedBy(api, written, [...before.values()])

    const lake = await runLakeOver(t, repository, RULES)
    try {
      const readiness: unknown = await (await fetch(`${lake.address}/readyz`)).json()
      assert.match(JSON.stringify(readiness), /"status":"ready"/)
      const found: unknown = await lake.client.fetch('count(*)', {}, {perspective: 'raw'})
      assert.ok(Number(found) >= written.length)
      await lake.client.createOrReplace({_id: 'published-after', _type: 'page'})
      assert.match(await repository.git('show', 'HEAD:page/published-after.json'), /published-after/)
    } finally {
      await lake.close()
    }
  })
  const {SEED: seed} = process.env
  await fc.assert(property, {
    numRuns: RUNS,
    seed: seed === undefined ? 20_261_125 : Number(seed),
  })
  t.diagnostic(JSON.stringify(counts))
  assert.ok(counts.refused > 0 && counts.documents > 0)
})

/** Asserts that a lake takes these documents from a client. */
async function acceptedBy(
  {client}: RunningLake,
  written: readonly Document[],
  before: readonly Document[],
): Promise<void> {
  const documents = written.filter((document) => JSON.stringify(document).length < MAX_REQUEST)
  if (documents.length === 0) return
  await client.mutate(documents.map((document) => ({createOrReplace: document})))
  const drafts = documents.filter(({_id}) => !isPublishedId(_id))
  const known = new Set(before.map(({_id}) => _id))
  const gone = [...drafts, ...documents].filter(({_id}) => !known.has(_id))
  await client.mutate([
    ...before.map((document) => ({createOrReplace: document})),
    ...gone.map(({_id}) => ({delete: {id: _id}})),
  ])
}
