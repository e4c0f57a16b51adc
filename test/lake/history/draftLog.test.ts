import assert from 'node:assert/strict'
import {appendFile, readFile, stat, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {DocumentStore} from '../../../content/store.ts'
import {DraftLog} from '../../../lake/history/draftLog.ts'
import {document} from '../support/documents.ts'
import {temporaryFolder} from '../support/git.ts'
import {recordingLogger} from '../support/log.ts'

const bounds = {perDraft: 4, inAll: 4_000}

async function logIn(t: TestContext) {
  const path = join(await temporaryFolder(t), 'handrail', 'draft-history.jsonl')
  const {logger, warnings} = recordingLogger()
  const open = () => DraftLog.open(path, logger, bounds)
  return {path, open, warnings}
}

/** A store that records every change; a title of undefined deletes. */
function writing(log: () => DraftLog) {
  const store = new DocumentStore()
  let number = 0
  return (title: string | undefined, {id = 'drafts.a', minute = 0, author = 'ada'} = {}) => {
    number += 1
    const timestamp = `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`
    const after =
      title === undefined ? undefined : {...document({_id: id, _type: 'page', title}), _rev: `t${number}`}
    log().record(
      store.apply({id: `t${number}`, identity: author, timestamp, documents: new Map([[id, after]])}),
    )
  }
}

/** Each step as `before>after`, by title. */
function told(log: DraftLog, id = 'drafts.a'): string[] {
  return log.of(id).map(({before, after}) => `${before?.title ?? ''}>${after?.title ?? ''}`)
}

test('steps survive a restart, each with its base', async (t) => {
  const {open} = await logIn(t)
  const log = await open()
  const write = writing(() => log)
  write('one', {minute: 1})
  write('two', {minute: 2, author: 'bob'})
  write(undefined, {minute: 3})
  write('a published document', {id: 'a'})
  const before = log.of('drafts.a')
  assert.deepEqual(told(log), ['>one', 'one>two', 'two>'])
  await log.close()
  const again = await open()
  t.after(() => again.close())
  assert.deepEqual(again.of('drafts.a'), before)
  assert.deepEqual(again.of('a'), [])
})

test('steps of typing are dropped before the first step of a draft', async (t) => {
  const log = await (await logIn(t)).open()
  t.after(() => log.close())
  const write = writing(() => log)
  for (const title of ['a', 'ab', 'abc', 'abcd', 'abcde']) write(title)
  assert.deepEqual(told(log), ['>a', 'a>abc', 'abc>abcd', 'abcd>abcde'])
  write('by another', {author: 'bob'})
  write('later', {minute: 1})
  assert.deepEqual(told(log), ['>a', 'a>abcde', 'abcde>by another', 'by another>later'])
  write('much later', {minute: 2})
  assert.deepEqual(told(log), ['a>abcde', 'abcde>by another', 'by another>later', 'later>much later'])
})

test('the log of all drafts is bounded: the least recently changed draft is dropped first', async (t) => {
  const log = await (await logIn(t)).open()
  t.after(() => log.close())
  const write = writing(() => log)
  write('x'.repeat(1_500), {id: 'drafts.first'})
  write('x'.repeat(1_500), {id: 'drafts.second'})
  write('short', {id: 'drafts.first', minute: 1})
  write('x'.repeat(1_500), {id: 'drafts.third'})
  assert.deepEqual(
    ['drafts.first', 'drafts.second', 'drafts.third'].map((id) => log.of(id).length),
    [2, 0, 1],
  )
})

test('the file is compacted when most of it is outdated, and its content stays the same', async (t) => {
  const {open, path} = await logIn(t)
  const log = await open()
  const write = writing(() => log)
  for (let minute = 0; minute < 60; minute += 1) {
    write(`${minute} ${'x'.repeat(200)}`, {minute})
    // One line per write, as when a person types.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const steps = log.of('drafts.a')
  await log.close()
  assert.ok((await stat(path)).size < 3 * bounds.inAll)
  const again = await open()
  t.after(() => again.close())
  assert.deepEqual(again.of('drafts.a'), steps)
})

test('a step whose base is lost is skipped, and later ones are kept', async (t) => {
  const {open, path} = await logIn(t)
  let log = await open()
  const write = writing(() => log)
  for (const [minute, title] of ['one', 'two', 'three', 'four'].entries()) {
    write(title, {minute})
    await log.close()
    log = await open()
  }
  await log.close()
  const lines = (await readFile(path, 'utf8')).trim().split('\n')
  assert.equal(lines.length, 4)
  await writeFile(path, `${[lines[0], ...lines.slice(2)].join('\n')}\n`)
  await appendFile(path, '{"not":"a step"}\n{"cut off')
  const again = await open()
  t.after(() => again.close())
  assert.deepEqual(told(again), ['>one', 'three>four'])
})
