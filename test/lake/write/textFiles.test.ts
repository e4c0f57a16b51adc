import assert from 'node:assert/strict'
import {test} from 'node:test'
import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {eventually} from '../../support/eventually.ts'
import {type RunningLake, runLake} from '../support/lake.ts'
import {oneFile, script, splitFiles, tool} from '../support/layout.ts'
import {documentAt, mutate} from '../support/mutate.ts'

/** The paths that the last commit changed, with the letters of `git diff --name-status`. */
async function lastChange({repository}: RunningLake): Promise<string[]> {
  const lines = await repository.git('diff', '--name-status', '--no-renames', 'HEAD^', 'HEAD')
  return lines.trim().split('\n')
}

/** Waits until a document is served in the expected state. */
function served(lake: RunningLake, id: string, passes: (document: JsonObject) => boolean) {
  return eventually(async () => (await documentAt(lake.address, id)) ?? {}, passes)
}

async function replace(lake: RunningLake, document: object): Promise<void> {
  const {status, text} = await mutate(lake.address, [{createOrReplace: document}])
  assert.equal(status, 200, text)
}

test('a publish writes each long text to its file, in one commit', async (t) => {
  const lake = await runLake(t, {'README.md': 'Content\n'})
  await replace(lake, tool('a'))
  assert.deepEqual(await lastChange(lake), ['A\ttool/a.js', 'A\ttool/a.json', 'A\ttool/a.schema.json'])
  for (const [path, text] of Object.entries(splitFiles('a'))) {
    assert.equal(await lake.repository.git('show', `HEAD:${path}`), text)
  }

  await replace(lake, tool('a', {executeJs: script({3: 'changed'})}))
  assert.deepEqual(await lastChange(lake), ['M\ttool/a.js'])
  const diff = await lake.repository.git('diff', '--numstat', 'HEAD^', 'HEAD')
  assert.equal(diff, '1\t1\ttool/a.js\n')

  await replace(lake, tool('a', {executeJs: script({3: 'changed'}), name: 'b', inputSchema: undefined}))
  assert.deepEqual(await lastChange(lake), ['M\ttool/a.json', 'D\ttool/a.schema.json'])

  const {status} = await mutate(lake.address, [{delete: {id: 'a'}}])
  assert.equal(status, 200)
  assert.deepEqual(await lastChange(lake), ['D\ttool/a.js', 'D\ttool/a.json'])
  assert.deepEqual(lake.warnings, [])
})

test('a document in one file stays valid, and its next change splits it', async (t) => {
  const lake = await runLake(t, {...oneFile('a'), ...oneFile('b')})
  const before = await documentAt(lake.address, 'a')
  assert.equal(before?.executeJs, script())
  await replace(lake, tool('a', {name: 'changed'}))
  assert.deepEqual(await lastChange(lake), ['A\ttool/a.js', 'M\ttool/a.json', 'A\ttool/a.schema.json'])
  const after = await documentAt(lake.address, 'a')
  const {_rev, _updatedAt} = after ?? {}
  assert.deepEqual(after, {...before, name: 'changed', _rev, _updatedAt})
})

test('a whole repository is split, and put together again, without a new revision', async (t) => {
  const lake = await runLake(t, {...oneFile('a'), ...oneFile('b', {executeJs: 'return 1\n'})})
  const revisions = async () =>
    Promise.all(['a', 'b'].map(async (id) => (await documentAt(lake.address, id))?._rev))
  const before = await revisions()
  const head = () => lake.repository.git('rev-parse', 'HEAD').then((text) => text.trim())
  const isServed = async () => {
    const answer: unknown = await (await fetch(`${lake.address}/readyz`)).json()
    return isJsonObject(answer) && answer.commit === (await head())
  }
  await lake.repository.commit({
    ...splitFiles('a'),
    ...splitFiles('b', {executeJs: 'return 1\n'}),
  })
  assert.equal(await eventually(isServed, Boolean), true)
  assert.deepEqual(await revisions(), before)
  const texts = Object.keys(splitFiles('a')).concat(Object.keys(splitFiles('b')))
  const removed = Object.fromEntries(texts.map((path) => [path, undefined]))
  const whole = {...oneFile('a'), ...oneFile('b', {executeJs: 'return 1\n'})}
  await lake.repository.commit({...removed, ...whole})
  assert.equal(await eventually(isServed, Boolean), true)
  assert.deepEqual(await revisions(), before)
  assert.deepEqual(lake.warnings, [])
})

test('a commit that changes only a text updates the document and its date', async (t) => {
  const lake = await runLake(t, splitFiles('a'))
  const before = await documentAt(lake.address, 'a')
  await lake.repository.commit({'tool/a.js': 'return 2\n'}, 2_000)
  const after = await served(lake, 'a', ({executeJs}) => executeJs === 'return 2')
  assert.notEqual(after._rev, before?._rev)
  assert.deepEqual([after._createdAt, after._updatedAt], ['1970-01-01T00:16:40Z', '1970-01-01T00:33:20Z'])
  await lake.repository.commit({'tool/a.schema.json': undefined}, 3_000)
  const without = await served(lake, 'a', ({inputSchema}) => inputSchema === undefined)
  assert.equal(without._updatedAt, '1970-01-01T00:50:00Z')
})

test('a repository that chose other files is refused with a sentence, and one that chose the same is served', async (t) => {
  const layout = (executeJs: string) => ({files: {tool: {executeJs}}})
  await assert.rejects(
    runLake(t, {'lake.json': layout('mjs'), ...splitFiles('a')}),
    /^Error: The content repository cannot be served: lake\.json gives "executeJs" of "tool" files "\*\.mjs", which are not read: rename them to "\*\.js", delete lake\.json, and commit$/,
  )
  const lake = await runLake(t, {'lake.json': layout('js'), ...splitFiles('a')})
  assert.equal((await documentAt(lake.address, 'a'))?.executeJs, script())
})
