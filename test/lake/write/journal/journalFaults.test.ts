import assert from 'node:assert/strict'
import {appendFile, type FileHandle, open, readFile, truncate} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {NotKeptError} from '../../../../lake/write/errors.ts'
import {Journal} from '../../../../lake/write/journal/journal.ts'
import {JournalFile} from '../../../../lake/write/journal/journalFile.ts'
import {document} from '../../support/documents.ts'
import {temporaryFolder} from '../../support/git.ts'

/** The prototype of open files. */
async function fileHandles(): Promise<FileHandle> {
  const handle = await open('/dev/null')
  await handle.close()
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  return prototype
}

/** Makes the disk accept half of a write and fail to truncate it. */
async function breakDisk(t: TestContext): Promise<() => void> {
  const prototype = await fileHandles()
  const {appendFile: append} = prototype
  const append1 = t.mock.method(prototype, 'appendFile', async function (this: FileHandle, bytes: Buffer) {
    await append.call(this, bytes.subarray(0, bytes.length / 2))
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), {code: 'ENOSPC'})
  })
  const truncate1 = t.mock.method(prototype, 'truncate', async () => {
    throw Object.assign(new Error('EROFS: read-only file system, ftruncate'), {code: 'EROFS'})
  })
  return () => {
    append1.mock.restore()
    truncate1.mock.restore()
  }
}

async function openFile(t: TestContext, path: string) {
  const opened = await JournalFile.open(path)
  t.after(() => opened.file.close())
  return opened
}

async function openJournal(t: TestContext, path: string, isCommitted: boolean) {
  const opened = await Journal.open(path, async () => isCommitted)
  t.after(() => opened.journal.close())
  return opened
}

test('a partial line that could not be truncated is not joined with the next one', async (t) => {
  const path = join(await temporaryFolder(t), 'journal')
  const {file} = await openFile(t, path)
  await file.append('first')
  const repair = await breakDisk(t)
  await assert.rejects(
    file.append('a line that is lost'),
    new NotKeptError('Nothing was saved: the disk is full'),
  )
  assert.equal(await readFile(path, 'utf8'), '"first"\n"a line tha')
  await assert.rejects(file.append('another'), NotKeptError)
  repair()
  await file.append('second')
  const {lines, damage} = await openFile(t, path)
  assert.deepEqual([lines, damage], [['first', 'second'], undefined])
})

test('lines that cannot be replaced stay unchanged, with nothing of the new ones', async (t) => {
  const folder = await temporaryFolder(t)
  const path = join(folder, 'journal')
  const {file} = await openFile(t, path)
  await file.append('first')
  const prototype = await fileHandles()
  const full = t.mock.method(prototype, 'writeFile', () => Promise.reject(new Error('full')))
  await assert.rejects(file.replace(['new']), /full/)
  full.mock.restore()
  await file.append('second')
  assert.deepEqual((await openFile(t, path)).lines, ['first', 'second'])
  await assert.rejects(readFile(`${path}.new`), /ENOENT/)
})

test('an externally truncated file is not appended to', async (t) => {
  const path = join(await temporaryFolder(t), 'journal')
  await (await openFile(t, path)).file.append('first')
  const {file} = await openFile(t, path)
  await truncate(path, 3)
  await assert.rejects(file.append('second'), /truncated/)
})

test('damaged lines stay in the journal if there is no space for a copy', async (t) => {
  const path = join(await temporaryFolder(t), 'journal')
  const line = JSON.stringify({id: '1', drafts: drafts('kept')})
  await appendFile(path, `garbage\n${line}\n`)
  // The name of a copy would be too long.
  await appendFile(`${path}.damaged`, '')
  t.mock.method(Date.prototype, 'toISOString', () => '0'.repeat(300))
  const {journal, damage} = await openJournal(t, path, false)
  assert.deepEqual(damage, {lineNumbers: [1], count: 1, copy: undefined})
  assert.equal(journal.drafts.size, 1)
  await journal.append({id: '2', drafts: new Map(), commits: false})
  assert.ok((await readFile(path, 'utf8')).startsWith(`garbage\n${line}\n`))
})

const drafts = (title: string) => ({
  'drafts.a': {document: document({_id: 'drafts.a', _type: 'page', title}), base: null},
})

test('a transaction that failed, could not be recorded as failed, and was retried counts once', async (t) => {
  const path = join(await temporaryFolder(t), 'journal')
  const lines = [
    {id: 'x', drafts: drafts('failed'), commits: true},
    {id: 'y', drafts: {'drafts.a': null}},
    {id: 'x', drafts: {}, commits: true},
    {decides: 'x', done: true},
  ]
  await appendFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const {journal} = await openJournal(t, path, true)
  assert.equal(journal.drafts.size, 0)
})

test('keystrokes do not grow the journal without bound, and a full disk does not prevent a start', async (t) => {
  const path = join(await temporaryFolder(t), 'journal')
  const {journal} = await openJournal(t, path, false)
  const text = 'x'.repeat(1024 * 1024)
  for (let number = 0; number < 20; number += 1) {
    const draft = {
      document: document({_id: 'drafts.a', _type: 'page', title: `${number}${text}`}),
      base: null,
    }
    await journal.append({id: `${number}`, drafts: new Map([['drafts.a', draft]]), commits: false})
  }
  assert.ok((await readFile(path)).length < 8 * 1024 * 1024)
  const prototype = await fileHandles()
  t.mock.method(prototype, 'writeFile', () => Promise.reject(new Error('full')))
  const again = await openJournal(t, path, false)
  assert.equal(again.journal.drafts.size, 1)
})
