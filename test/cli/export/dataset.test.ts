import assert from 'node:assert/strict'
import {test} from 'node:test'
import {temporaryRepository} from '../../lake/support/git.ts'
import {runLake} from '../../lake/support/lake.ts'
import {environmentOf, page, transfer} from '../transfer/run.ts'
import {stubLake} from '../transfer/stub.ts'

const to = (id: string, more: object = {}) => ({_type: 'reference', _ref: id, ...more})
const filesOf = (...documents: {_id: string; _type: string}[]) =>
  Object.fromEntries(documents.map((document) => [`${document._type}/${document._id}.json`, document]))

test('documents that the dataset has with other content stop the export; --missing keeps and --replace replaces them', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit(filesOf(page('one', {title: 'Mine'}), page('same'), page('two')))
  const lake = await runLake(t, filesOf(page('one', {title: 'Theirs'}), page('same')))
  const run = (...options: string[]) =>
    transfer('export', [repository.directory, 'dataset', ...options], environmentOf(lake))
  const titles = () => lake.client.fetch('*[_type == "page"] | order(_id) {_id, title}')

  const refused = await run()
  assert.match(
    refused.error,
    /^1 document of project local.* have other content, such as one: replace them with/,
  )
  assert.equal(refused.code, 2)
  const dry = await run('--dry-run', '--replace')
  assert.match(
    dry.out,
    /^Would export 2 documents .*: 1 new, 1 replaced, 0 kept, 1 unchanged; 0 only there\.$/m,
  )
  assert.deepEqual(await titles(), [
    {_id: 'one', title: 'Theirs'},
    {_id: 'same', title: null},
  ])

  const missing = await run('--missing')
  assert.match(
    missing.out,
    /^Exported 1 document .*: 1 new, 0 replaced, 1 kept, 1 unchanged; 0 only there\.$/m,
  )
  const replaced = await run('--replace')
  assert.match(
    replaced.out,
    /^Exported 1 document .*: 0 new, 1 replaced, 0 kept, 2 unchanged; 0 only there\.$/m,
  )
  assert.deepEqual(await titles(), [
    {_id: 'one', title: 'Mine'},
    {_id: 'same', title: null},
    {_id: 'two', title: null},
  ])
  const again = await run()
  assert.match(again.out, /^Exported 0 documents /)
  assert.equal((await lake.repository.git('rev-list', '--count', 'HEAD')).trim(), '3')
})

test('references are satisfied at every moment, in circles too; what references nothing is left out and named', async (t) => {
  const repository = await temporaryRepository(t)
  const chain = Array.from({length: 250}, (_, at) => page(`p${at}`, {next: to(`p${at + 1}`)}))
  await repository.commit(
    filesOf(
      ...chain,
      page('p250', {next: to('p240'), weak: to('gone', {_weak: true})}),
      page('onlyThere', {next: to('theirs')}),
      page('broken', {next: to('gone')}),
      page('alsoBroken', {list: [{_key: 'k', to: to('broken')}]}),
    ),
  )
  const lake = await runLake(t, filesOf(page('theirs')))
  const {code, out} = await transfer('export', [repository.directory, 'dataset'], environmentOf(lake))
  assert.match(out, /^Exported 252 documents /)
  assert.ok(
    out.endsWith('Left out: 2 that reference a missing document\n  broken → gone\n  alsoBroken → broken\n'),
    out,
  )
  assert.equal(code, 1)
  assert.equal(await lake.client.fetch('count(*)'), 253)
})

test('--prune lists what only the dataset has; --yes deletes it, drafts and private types excepted', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit(filesOf(page('one')))
  const theirs = [page('a', {next: to('b')}), page('b'), page('c', {next: to('a')})]
  const lake = await runLake(t, filesOf(page('one'), ...theirs, {_id: 'image-1', _type: 'sanity.imageAsset'}))
  await lake.client.create(page('drafts.d'))
  const run = (...options: string[]) =>
    transfer('export', [repository.directory, 'dataset', ...options], environmentOf(lake))
  const ids = () => lake.client.fetch('*._id | order(@)', {}, {perspective: 'raw'})

  assert.match((await run()).out, /; 3 only there\.$/m)
  const listed = await run('--prune')
  assert.ok(
    listed.out.includes(
      '  only in the dataset: c\n  only in the dataset: a\n  only in the dataset: b\nNothing was deleted: --prune --yes deletes these documents.\n',
    ),
    listed.out,
  )
  assert.deepEqual((await run('--prune', '--yes', '--dry-run')).out.includes('Nothing was deleted'), true)
  assert.deepEqual(await ids(), ['a', 'b', 'c', 'drafts.d', 'image-1', 'one'])
  assert.match((await run('--prune', '--yes')).out, /^Deleted 3 documents\.$/m)
  assert.deepEqual(await ids(), ['drafts.d', 'image-1', 'one'])
})

test('a transaction is sent again after 429 and 5xx; a refusal stops the export and names it', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit(filesOf(page('one')))
  const bodies: string[] = []
  const statuses = [429, 500, 200]
  const environment = await stubLake(t, async (request, response) => {
    if (request.method === 'GET') return response.end()
    bodies.push(await new Response(request).text())
    const status = statuses.shift() ?? 400
    response.writeHead(status, {'content-type': 'application/json', 'retry-after': '0'})
    return response.end(JSON.stringify({message: 'no', transactionId: 'x', results: []}))
  })
  const fine = await transfer('export', [repository.directory, 'dataset'], environment)
  assert.equal(fine.code, 0)
  assert.equal(bodies.length, 3)
  assert.equal(new Set(bodies).size, 1)
  const {mutations} = JSON.parse(bodies[0] ?? '')
  assert.deepEqual(Object.keys(mutations[0].createIfNotExists).sort(), [
    '_createdAt',
    '_id',
    '_type',
    '_updatedAt',
  ])
  const refused = await transfer('export', [repository.directory, 'dataset'], environment)
  assert.equal(refused.code, 2)
  assert.match(refused.error, /: status 400, .*no/)
})
