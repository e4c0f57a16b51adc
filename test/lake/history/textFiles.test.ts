import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {JsonObject} from '../../../common/json.ts'
import {temporaryRepository} from '../support/git.ts'
import {runLakeOver} from '../support/lake.ts'
import {oneFile, script, splitFiles} from '../support/layout.ts'
import {activityOf, pastOf} from './support.ts'

const site = {_type: 'reference', _ref: 'shop'}

/** A tool in one file that is split, changed, put together again and deleted. */
async function story(t: Parameters<typeof temporaryRepository>[0]) {
  const repository = await temporaryRepository(t)
  const commits: string[] = []
  const commit = async (files: Record<string, unknown>) => {
    commits.push(await repository.commit(files, 1_000 * (commits.length + 1)))
  }
  await commit({'site/shop.json': {_id: 'shop', _type: 'site'}, ...oneFile('a', {site})})
  await commit(splitFiles('a', {site}))
  await commit({'tool/a.js': 'return 2\n'})
  await commit({'tool/a.schema.json': undefined})
  await commit({'tool/b.md': 'Not a document', 'tool/other.js': 'An orphan\n'})
  await commit({'tool/a.json': undefined, 'tool/a.js': undefined, 'tool/other.js': undefined})
  await commit(splitFiles('a', {site, executeJs: 'return 3'}))
  await commit({
    'tool/a.js': undefined,
    'tool/a.schema.json': undefined,
    ...oneFile('a'),
  })
  return {commits, lake: await runLakeOver(t, repository)}
}

test('the history has each state of a document, whatever files it was in', async (t) => {
  const {commits, lake} = await story(t)
  const past = pastOf(lake)
  const states: (JsonObject | undefined)[] = []
  for (const commit of commits) states.push((await past.documents('a', `revision=${commit}`))[0])
  assert.deepEqual(
    states.map((state) => [state?.executeJs, state?.inputSchema, state?._createdAt, state?._updatedAt]),
    [
      [script(), '{\n}', '1970-01-01T00:16:40Z', '1970-01-01T00:16:40Z'],
      [script(), '{\n}', '1970-01-01T00:16:40Z', '1970-01-01T00:33:20Z'],
      ['return 2', '{\n}', '1970-01-01T00:16:40Z', '1970-01-01T00:50:00Z'],
      ['return 2', undefined, '1970-01-01T00:16:40Z', '1970-01-01T01:06:40Z'],
      [undefined, undefined, undefined, undefined],
      [undefined, undefined, undefined, undefined],
      ['return 3', '{\n}', '1970-01-01T01:56:40Z', '1970-01-01T01:56:40Z'],
      [script(), '{\n}', '1970-01-01T01:56:40Z', '1970-01-01T02:13:20Z'],
    ],
  )
  const events = await past.events('a')
  assert.equal(events.length, 7, 'the commit that changed other files is not an event')
})

test('a document whose JSON is older than the changes of its texts is complete', async (t) => {
  const repository = await temporaryRepository(t)
  await repository.commit(splitFiles('a'), 1_000)
  for (let number = 0; number < 4; number += 1)
    await repository.commit({'tool/a.js': `return ${number}\n`}, 2_000 + number)
  const lake = await runLakeOver(t, repository)
  const {events} = pastOf(lake)
  assert.equal((await events('a', 2)).length, 5)
  const head = (await repository.git('rev-parse', 'HEAD')).trim()
  const [document] = await pastOf(lake).documents('a', `revision=${head}`)
  assert.deepEqual([document?.name, document?.executeJs], ['a', 'return 3'])
})

test('a commit lists a document once, whichever of its files it changed', async (t) => {
  const {lake} = await story(t)
  const all = [
    ['updated tool a'],
    ['created tool a'],
    ['deleted tool a', 'updated tool other'],
    ['updated tool other'],
    ['updated tool a'],
    ['updated tool a'],
    ['updated tool a'],
    ['created site shop', 'created tool a'],
  ]
  assert.deepEqual((await activityOf(lake.address)).lines, all)
  const {lines} = await activityOf(lake.address, 'references=shop')
  assert.deepEqual(lines, [
    ['updated tool a'],
    ['created tool a'],
    ['deleted tool a'],
    ['updated tool a'],
    ['updated tool a'],
    ['updated tool a'],
    ['created site shop', 'created tool a'],
  ])
})
