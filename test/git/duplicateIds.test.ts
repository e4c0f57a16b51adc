import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {temporaryRepository} from '../lake/support/git.ts'
import {runLakeOver} from '../lake/support/lake.ts'
import {eventually} from '../support/eventually.ts'

const shop = {_id: 'shop', _type: 'site', title: 'the shop'}
const intruder = {_id: 'shop', _type: 'aaa', title: 'another file'}

async function lakeWithShop(t: TestContext) {
  const repository = await temporaryRepository(t)
  await repository.commit({'site/shop.json': shop}, 1_000)
  const lake = await runLakeOver(t, repository)
  const title = () => lake.client.fetch('*[_id == "shop"][0].title')
  const named = () => lake.warnings.filter(({reason}) => /_id "shop" is already used/.test(String(reason)))
  return {...lake, title, named}
}

test('a new file with a duplicate id does not replace the document, and is logged immediately', async (t) => {
  const {repository, title, named} = await lakeWithShop(t)
  // The commit has an older date.
  await repository.commit({'aaa/shop.json': intruder}, 500)
  await eventually(
    async () => named().length,
    (count) => count > 0,
  )
  assert.deepEqual(
    named().map(({path, reason}) => [path, reason]),
    [['aaa/shop.json', '_id "shop" is already used by site/shop.json']],
  )
  assert.equal(await title(), 'the shop')
  // Changing the first file does not give up its id.
  await repository.commit({'site/shop.json': {...shop, title: 'the new shop'}}, 3_000)
  await eventually(title, 'the new shop')
})

test('deleting the document gives its id to the other file', async (t) => {
  const {repository, title} = await lakeWithShop(t)
  await repository.commit({'aaa/shop.json': intruder}, 2_000)
  await repository.commit({'site/shop.json': undefined}, 3_000)
  await eventually(title, 'another file')
})

test('at a start, the file created first has the id', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit({'site/shop.json': shop}, 1_000)
  await repository.commit({'aaa/shop.json': intruder}, 2_000)
  const {client, warnings} = await runLakeOver(t, repository)
  assert.equal(await client.fetch('*[_id == "shop"][0].title'), 'the shop')
  assert.deepEqual(
    warnings.map(({path}) => path),
    ['aaa/shop.json'],
  )
})
