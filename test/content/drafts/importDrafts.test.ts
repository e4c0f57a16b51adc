import assert from 'node:assert/strict'
import {appendFile, copyFile, readdir, readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {fileURLToPath} from 'node:url'
import {importDrafts} from '../../../content/drafts/importDrafts.ts'
import {Journal} from '../../../content/drafts/journal.ts'
import {State} from '../../../content/state/state.ts'
import {document} from '../../lake/support/documents.ts'
import {temporaryFolder} from '../../lake/support/git.ts'
import {recordingLogger} from '../../lake/support/log.ts'

/** The files that a lake of version 0.1 wrote. */
const version01 = fileURLToPath(new URL('../state/version01/', import.meta.url))

async function folderOf(t: TestContext, lines?: readonly unknown[]) {
  const folder = await temporaryFolder(t)
  if (lines === undefined)
    for (const name of ['drafts.jsonl', 'draft-history.jsonl'])
      await copyFile(version01 + name, join(folder, name))
  else
    await writeFile(join(folder, 'drafts.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const {logger, warnings} = recordingLogger()
  const open = async (committed: readonly string[] = []) => {
    const state = State.open(folder)
    t.after(() => state.close())
    const wasCommitted = async (id: string, attempt?: string) => committed.includes(attempt ?? id)
    await importDrafts(state, folder, wasCommitted, {renames: true, logger})
    return Journal.open(state, async () => false)
  }
  return {folder, open, warnings}
}

const drafts = (title: string) => ({
  'drafts.a': {document: document({_id: 'drafts.a', _type: 'page', title}), base: null},
})

test('the drafts of version 0.1, who changed them, and their history are taken over, once', async (t) => {
  const {folder, open} = await folderOf(t)
  for (const _start of ['first', 'second']) {
    const journal = await open()
    const [[id, draft] = []] = journal.drafts
    assert.deepEqual([journal.drafts.size, id, draft?.document.value], [1, 'drafts.a', 3])
    assert.equal(draft?.base, 'uMwClXmT1s-CxSCnVkFaO5')
    assert.deepEqual(
      draft?.editors?.map(({name}) => name),
      ['Ada'],
    )
    const steps = ['drafts.a', 'drafts.b', 'drafts.c'].map((one) =>
      journal.steps.of(one).map(({before, after}) => [before?.value, after?.value]),
    )
    assert.deepEqual(steps, [
      [
        [undefined, 2],
        [2, 3],
      ],
      [
        [undefined, 4],
        [4, undefined],
      ],
      [
        [undefined, 5],
        [5, undefined],
      ],
    ])
  }
  const names = (await readdir(folder)).filter((name) => !name.startsWith('state.db'))
  assert.deepEqual(names.sort(), ['draft-history.jsonl.imported', 'drafts.jsonl.imported'])
})

test('a file of version 0.1 that comes back later is reported, and not read again', async (t) => {
  const {folder, open, warnings} = await folderOf(t, [{id: '1', drafts: drafts('first')}])
  await open()
  await writeFile(join(folder, 'drafts.jsonl'), `${JSON.stringify({id: '1', drafts: {'drafts.a': null}})}\n`)
  assert.equal((await open()).drafts.size, 1)
  assert.match(warnings[0]?.msg ?? '', /was imported before, and is not read again/)
  assert.equal((await readdir(folder)).filter((name) => name.startsWith('drafts.jsonl.imported')).length, 2)
})

test('a damaged line of version 0.1 hides no later draft, and is reported with the file that keeps it', async (t) => {
  const {folder, open, warnings} = await folderOf(t, [{id: '1', drafts: drafts('first')}])
  const path = join(folder, 'drafts.jsonl')
  const [line = ''] = (await readFile(path, 'utf8')).split('\n')
  const later = `\ufeff${'\0'.repeat(100)}${line.replaceAll('first', 'last')}`
  await writeFile(
    path,
    [line, line.slice(0, -10), later, '{"id":"2","drafts":{"drafts.a":{"document":{}}}}', ''].join('\n'),
  )
  await appendFile(path, '{"id":"3","drafts":{"drafts.a":nu')
  assert.equal((await open()).drafts.get('drafts.a')?.document.title, 'last')
  const [{msg, lineNumbers, path: kept} = {msg: ''}] = warnings
  assert.match(msg, /skipped damaged lines/)
  assert.deepEqual([lineNumbers, kept], [[2], `${path}.imported`])
  assert.match(await readFile(String(kept), 'utf8'), /\n{"id":"3"/)
})

for (const [name, lines, committed, count] of [
  [
    'a transaction of version 0.1 that failed, could not be recorded as failed, and was retried counts once',
    [
      {id: 'x', drafts: drafts('failed'), commits: true},
      {id: 'y', drafts: {'drafts.a': null}},
      {id: 'x', drafts: {}, commits: true},
      {decides: 'x', done: true},
    ],
    ['x'],
    0,
  ],
  [
    'an undecided transaction counts if Git has its commit',
    [
      {id: '1', drafts: drafts('a')},
      {id: '2', attempt: 'b', drafts: {'drafts.a': null}, commits: true},
    ],
    ['b'],
    0,
  ],
  [
    'an undecided transaction does not count without its commit',
    [
      {id: '1', drafts: drafts('a')},
      {id: '2', attempt: 'b', drafts: {'drafts.a': null}, commits: true},
    ],
    [],
    1,
  ],
] as const) {
  test(name, async (t) => {
    assert.equal((await (await folderOf(t, lines)).open(committed)).drafts.size, count)
  })
}
