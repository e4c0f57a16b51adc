import assert from 'node:assert/strict'
import {appendFile, mkdir, readFile, stat, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {type Draft, Journal} from '../../../../lake/write/journal/journal.ts'
import {document} from '../../support/documents.ts'
import {temporaryFolder} from '../../support/git.ts'

const draft = (title: string): Draft => ({
  document: document({_id: 'drafts.a', _type: 'page', title}),
  base: null,
})
const entry = (id: string, title: string | undefined, commits = false) => ({
  id,
  drafts: new Map([['drafts.a', title === undefined ? undefined : draft(title)]]),
  commits,
})

async function journalIn(t: TestContext, committed: readonly string[] = []) {
  const path = join(await temporaryFolder(t), 'handrail', 'drafts.jsonl')
  const open = async () => {
    const opened = await Journal.open(path, async (id) => committed.includes(id))
    t.after(() => opened.journal.close())
    return opened
  }
  return {path, open}
}

const titleOf = (journal: Journal) => journal.drafts.get('drafts.a')?.document.title

test('appended entries survive a kill of the process', async (t) => {
  const {open} = await journalIn(t)
  const {journal} = await open()
  await journal.append(entry('1', 'first'))
  await journal.append(entry('2', 'second'))
  const {journal: again, damage} = await open()
  assert.deepEqual([titleOf(again), damage], ['second', undefined])
  await again.append(entry('3', undefined))
  assert.equal((await open()).journal.drafts.size, 0)
})

test('a truncated line is ignored, and the next one starts on a new line', async (t) => {
  const {path, open} = await journalIn(t)
  await (await open()).journal.append(entry('1', 'first'))
  await appendFile(path, '{"id":"2","drafts":{"drafts.a":{"docu')
  const {journal, damage} = await open()
  assert.deepEqual([titleOf(journal), damage], ['first', undefined])
  await journal.append(entry('3', 'third'))
  assert.equal(titleOf((await open()).journal), 'third')
})

test('a damaged line does not hide later drafts, is reported, and a copy of the file is kept', async (t) => {
  const {path, open} = await journalIn(t)
  await (await open()).journal.append(entry('1', 'first'))
  const [line = ''] = (await readFile(path, 'utf8')).split('\n')
  const cut = line.slice(0, -10)
  await writeFile(path, [line, cut, line.replaceAll('first', 'last'), ''].join('\n'))
  const {journal, damage} = await open()
  assert.equal(titleOf(journal), 'last')
  assert.deepEqual(damage, {lineNumbers: [2], count: 1, copy: `${path}.damaged`})
  assert.ok((await readFile(`${path}.damaged`, 'utf8')).includes(`\n${cut}\n`))
  // The journal itself is valid again.
  const again = await open()
  assert.deepEqual([titleOf(again.journal), again.damage], ['last', undefined])
})

test('a byte order mark or NUL bytes before a line hide nothing', async (t) => {
  const {path, open} = await journalIn(t)
  await (await open()).journal.append(entry('1', 'first'))
  const line = await readFile(path, 'utf8')
  await writeFile(path, `\ufeff${line}${'\0'.repeat(100)}${line.replaceAll('first', 'last')}`)
  const {journal, damage} = await open()
  assert.deepEqual([titleOf(journal), damage], ['last', undefined])
})

test('an earlier copy of a damaged journal is not overwritten', async (t) => {
  const {path, open} = await journalIn(t)
  await (await open()).journal.append(entry('1', 'first'))
  await writeFile(`${path}.damaged`, 'an earlier one')
  await appendFile(path, 'garbage\n')
  const {damage} = await open()
  assert.notEqual(damage?.copy, `${path}.damaged`)
  assert.ok((await readFile(damage?.copy ?? '', 'utf8')).endsWith('garbage\n'))
  assert.equal(await readFile(`${path}.damaged`, 'utf8'), 'an earlier one')
})

test('a transaction with a commit takes effect once it is decided', async (t) => {
  const {open} = await journalIn(t)
  const {journal} = await open()
  await journal.append(entry('1', 'first'))
  const publication = entry('2', undefined, true)
  await journal.append(publication)
  assert.equal(titleOf(journal), 'first')
  await journal.decide(publication, true)
  assert.equal(titleOf(journal), undefined)
  const refused = entry('3', 'third', true)
  await journal.append(refused)
  await journal.decide(refused, false)
  assert.equal((await open()).journal.drafts.size, 0)
})

for (const committed of [true, false]) {
  test(`after a crash between journal and commit, the draft is ${committed ? 'gone, as Git has the commit' : 'still there'}`, async (t) => {
    const {open} = await journalIn(t, committed ? ['2'] : [])
    const {journal} = await open()
    await journal.append(entry('1', 'first'))
    await journal.append(entry('2', undefined, true))
    assert.equal(titleOf((await open()).journal), committed ? undefined : 'first')
  })
}

test('compaction keeps the drafts and drops their history', async (t) => {
  const {path, open} = await journalIn(t)
  const {journal} = await open()
  for (let number = 0; number < 50; number += 1) await journal.append(entry(`${number}`, `title ${number}`))
  const {size} = await stat(path)
  await journal.compact()
  assert.ok((await stat(path)).size < size / 10)
  await journal.append(entry('last', 'last'))
  assert.equal(titleOf((await open()).journal), 'last')
})

test('an invalid entry is skipped', async (t) => {
  const {path, open} = await journalIn(t)
  await mkdir(dirname(path))
  await writeFile(path, '{"id":"1","drafts":{"drafts.a":{"document":{}}}}\n7\n')
  assert.equal((await open()).journal.drafts.size, 0)
  assert.equal(await readFile(path, 'utf8').then((text) => text.includes('document')), true)
})
