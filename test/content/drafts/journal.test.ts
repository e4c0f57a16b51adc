import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {type Draft, type Entry, Journal} from '../../../content/drafts/journal.ts'
import {NotKeptError} from '../../../content/drafts/notKept.ts'
import {State} from '../../../content/state/state.ts'
import {document} from '../../lake/support/documents.ts'
import {temporaryFolder} from '../../lake/support/git.ts'

const bounds = {perDraft: 4, inAll: 4_000}

function draft(title: string): Draft {
  return {document: document({_id: 'drafts.a', _type: 'page', title}), base: null}
}

type Options = {commits?: boolean; draft?: string; author?: string; minute?: number}

/** A transaction that writes one draft; without a title, that removes it. */
function entry(id: string, title: string | undefined, options: Options = {}): Entry {
  const {commits = false, draft: key = 'drafts.a', author = 'ada', minute = 0} = options
  const timestamp = `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`
  const drafts = new Map([[key, title === undefined ? undefined : draft(title)]])
  return {id, attempt: `attempt ${id}`, author, timestamp, drafts, commits}
}

/** Opens the journal of a folder again and again, as after a kill of the process: nothing was closed. */
async function journalIn(t: TestContext, committed: readonly string[] = []) {
  const folder = await temporaryFolder(t)
  return async () => {
    const state = State.open(folder)
    t.after(() => state.close())
    const wasCommitted = async (attempt: string) => committed.includes(attempt)
    return Object.assign(await Journal.open(state, wasCommitted, bounds), {state})
  }
}

const titleOf = (journal: Journal) => journal.drafts.get('drafts.a')?.document.title

test('acknowledged drafts survive a kill of the process', async (t) => {
  const open = await journalIn(t)
  const journal = await open()
  journal.append(entry('1', 'first'))
  journal.append(entry('2', 'second'))
  const again = await open()
  assert.equal(titleOf(again), 'second')
  again.append(entry('3', undefined))
  assert.equal((await open()).drafts.size, 0)
})

test('a transaction with a commit takes effect once it is decided', async (t) => {
  const open = await journalIn(t)
  const journal = await open()
  journal.append(entry('1', 'first'))
  const publication = entry('2', undefined, {commits: true})
  journal.append(publication)
  assert.equal(titleOf(journal), 'first')
  journal.decide(publication, true)
  assert.equal(titleOf(journal), undefined)
  const refused = entry('3', 'third', {commits: true})
  journal.append(refused)
  journal.decide(refused, false)
  assert.equal((await open()).drafts.size, 0)
})

for (const committed of [true, false]) {
  test(`after a crash between journal and commit, the draft is ${committed ? 'gone, as Git has the commit' : 'still there'}`, async (t) => {
    const open = await journalIn(t, committed ? ['attempt 2'] : [])
    const journal = await open()
    journal.append(entry('1', 'first'))
    journal.append(entry('2', undefined, {commits: true}))
    const again = await open()
    assert.equal(titleOf(again), committed ? undefined : 'first')
    assert.equal(again.steps.of('drafts.a').length, committed ? 2 : 1)
    assert.equal(titleOf(await open()), titleOf(again))
  })
}

test('what belongs to a transaction is written with it, or refuses it', async (t) => {
  const journal = await (await journalIn(t))()
  const note = (text: string) => () =>
    journal.state.run('INSERT INTO draft (id, document) VALUES (?, ?)', text, text)
  const notes = () => journal.state.all("SELECT id FROM draft WHERE id LIKE 'note%'").map(({id}) => id)
  journal.append(entry('1', 'first'), note('note 1'))
  assert.throws(() => journal.append(entry('2', 'second'), note('note 1')), NotKeptError)
  assert.equal(titleOf(journal), 'first')
  const publications = [entry('3', 'third', {commits: true}), entry('4', 'fourth', {commits: true})]
  for (const one of publications) journal.append(one)
  const [refused, done] = publications
  if (refused !== undefined) journal.decide(refused, false, note('note 3'))
  if (done !== undefined) journal.decide(done, true, note('note 4'))
  assert.deepEqual(notes(), ['note 1', 'note 4'])
})

test('a full disk refuses a write with the reason, and a decision that it refused is written with the next one', async (t) => {
  const open = await journalIn(t, ['attempt 2'])
  const journal = await open()
  journal.append(entry('1', 'first'))
  const publication = entry('2', undefined, {commits: true})
  journal.append(publication)
  const {page_count} = journal.state.get('PRAGMA page_count') ?? {}
  journal.state.run(`PRAGMA max_page_count = ${page_count}`)
  const large = 'x'.repeat(100_000)
  assert.throws(
    () => journal.append(entry('3', large)),
    new NotKeptError('Nothing was saved: the disk is full'),
  )
  assert.equal(journal.failure, 'the disk is full')
  journal.retry()
  assert.equal(journal.failure, 'the disk is full', 'also if there is still room for a few bytes')
  assert.equal(titleOf(journal), 'first')
  journal.state.run('PRAGMA max_page_count = 1000000')
  journal.state.run(
    "CREATE TRIGGER full BEFORE DELETE ON pending_transaction BEGIN SELECT RAISE(ABORT, 'full'); END",
  )
  journal.decide(publication, true)
  assert.equal(journal.failure, 'full')
  journal.state.run('DROP TRIGGER full')
  journal.append(entry('4', 'second'))
  assert.equal(journal.failure, undefined)
  assert.equal(titleOf(await open()), 'second')
})

/** Each step as `before>after`, by title. */
function told(journal: Journal, id = 'drafts.a'): string[] {
  return journal.steps.of(id).map(({before, after}) => `${before?.title ?? ''}>${after?.title ?? ''}`)
}

test('the steps of a draft survive a restart, each with its base and author', async (t) => {
  const open = await journalIn(t)
  const journal = await open()
  journal.append(entry('1', 'one'))
  journal.append(entry('2', 'two', {author: 'bob', minute: 2}))
  journal.append(entry('3', undefined))
  const again = await open()
  assert.deepEqual(told(again), ['>one', 'one>two', 'two>'])
  const {id, author, timestamp} = again.steps.of('drafts.a')[1] ?? {}
  assert.deepEqual([id, author, timestamp], ['2', 'bob', '2026-01-01T00:02:00.000Z'])
  again.append(entry('4', 'three'))
  assert.deepEqual(told(again), ['>one', 'one>two', 'two>', '>three'])
})

test('steps of typing are dropped before the first step of a draft', async (t) => {
  const journal = await (await journalIn(t))()
  for (const title of ['a', 'ab', 'abc', 'abcd', 'abcde']) journal.append(entry(title, title))
  assert.deepEqual(told(journal), ['>a', 'a>abc', 'abc>abcd', 'abcd>abcde'])
  journal.append(entry('6', 'by another', {author: 'bob'}))
  journal.append(entry('7', 'later', {minute: 1}))
  assert.deepEqual(told(journal), ['>a', 'a>abcde', 'abcde>by another', 'by another>later'])
  journal.append(entry('8', 'much later', {minute: 2}))
  assert.deepEqual(told(journal), ['a>abcde', 'abcde>by another', 'by another>later', 'later>much later'])
})

test('the steps of all drafts are bounded: the least recently changed draft is dropped first', async (t) => {
  const open = await journalIn(t)
  const journal = await open()
  const long = 'x'.repeat(1_500)
  journal.append(entry('1', long, {draft: 'drafts.first'}))
  journal.append(entry('2', long, {draft: 'drafts.second'}))
  journal.append(entry('3', 'short', {draft: 'drafts.first', minute: 1}))
  journal.append(entry('4', long, {draft: 'drafts.third'}))
  const counts = ['drafts.first', 'drafts.second', 'drafts.third'].map((id) => journal.steps.of(id).length)
  assert.deepEqual(counts, [2, 0, 1])
  assert.equal((await open()).steps.size, journal.steps.size)
})
