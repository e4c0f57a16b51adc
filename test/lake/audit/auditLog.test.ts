import assert from 'node:assert/strict'
import {mkdir, readdir, readFile, rm, stat, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {type TestContext, test} from 'node:test'
import {AuditFiles, auditFileOf} from '../../../lake/audit/auditFiles.ts'
import {AuditLog} from '../../../lake/audit/auditLog.ts'
import type {Actor, AuditEvent} from '../../../lake/audit/events.ts'
import {temporaryFolder} from '../support/git.ts'

const ada: Actor = {id: 'ada', name: 'Ada', email: 'ada@example.com'}
const bob: Actor = {id: 'bob', name: 'Bob', email: 'bob@example.com'}
const client = '192.0.2.1'
const all = {limit: 1_000}

async function fileIn(t: TestContext): Promise<string> {
  return auditFileOf(join(await temporaryFolder(t), 'private', 'editors.json'))
}

const signedIn = (by: Actor): AuditEvent => ({type: 'signIn.succeeded', by, method: 'password', client})

test('an event is one line of JSON in a file that only its owner may read, with the event as a sentence', async (t) => {
  const path = await fileIn(t)
  const log = new AuditLog(path)
  const rights = 'publisher of shop, blog'
  log.record({type: 'people.added', by: ada, about: bob, rights})
  log.record({type: 'publish.emergency', by: ada, documents: [{id: 'x'}], reason: `a\nb${'c'.repeat(9_000)}`})
  await log.settled()
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
  const [first, second] = lines.map((line) => JSON.parse(line))
  assert.deepEqual(
    {...first, id: typeof first.id, at: new Date(first.at).toISOString() === first.at},
    {
      id: 'string',
      at: true,
      type: 'people.added',
      text: 'Ada added Bob (bob@example.com) as publisher of shop, blog',
      by: ada,
      about: bob,
      rights,
    },
  )
  assert.match(second.text, /^Ada published “x” without a review: “a\nbccc/)
  assert.ok(lines[1] !== undefined && lines[1].length < 3_000)
})

test('events are found by kind, by person and by time, in pages, also in older files', async (t) => {
  const path = await fileIn(t)
  const log = new AuditLog(path, undefined, new AuditFiles(path, 800))
  for (let at = 0; at < 40; at += 1) {
    log.record(signedIn(at % 2 === 0 ? ada : bob))
    await log.settled()
  }
  log.record({type: 'people.removed', by: ada, about: bob})
  await log.settled()
  const kept = await log.find(all)
  assert.ok(kept.events.length < 41, 'the oldest files are deleted')
  assert.equal((await readdir(join(path, '..'))).length, 10)
  assert.equal(kept.events[0]?.type, 'people.removed')
  assert.equal(kept.next, undefined)

  assert.deepEqual((await log.find({...all, kind: 'people'})).events, kept.events.slice(0, 1))
  const bobs = kept.events.filter(({by, about}) => by?.id === 'bob' || about?.id === 'bob')
  assert.deepEqual((await log.find({...all, person: 'bob'})).events, bobs)
  const since = kept.events[4]?.at
  const recent = kept.events.filter(({at}) => since !== undefined && at >= since)
  assert.deepEqual((await log.find({...all, since})).events, recent)

  const pages: unknown[] = []
  let after: string | undefined
  do {
    const {events, next} = await log.find({limit: 7, after})
    pages.push(...events)
    after = next
  } while (after !== undefined)
  assert.deepEqual(pages, kept.events)
})

test('a line that a crash cut off does not damage the next one', async (t) => {
  const path = await fileIn(t)
  await new AuditLog(path).close()
  await mkdir(join(path, '..'), {recursive: true})
  await writeFile(path, '{"id":"cut')
  const log = new AuditLog(path)
  log.record(signedIn(ada))
  await log.close()
  const {events} = await log.find(all)
  assert.deepEqual(
    events.map(({text}) => text),
    ['Ada signed in with a password'],
  )
})

test('of a flood of failed attempts, 20 per account and window are recorded, and the rest as a number', async (t) => {
  const log = new AuditLog(await fileIn(t))
  for (let at = 0; at < 500; at += 1) log.record({type: 'signIn.failed', method: 'password', client})
  log.record({type: 'signIn.failed', method: 'password', client, about: ada})
  await log.close()
  const {events} = await log.find(all)
  assert.equal(events.length, 22)
  assert.equal(events[0]?.text, '480 further failed sign-ins, which are not listed')
  assert.equal(events[1]?.text, 'Failed sign-in as Ada (ada@example.com) with a password')
})

test('while the file cannot be written, events wait, the problem is logged once, and events are counted as lost beyond a bound', async (t) => {
  const path = await fileIn(t)
  const messages: string[] = []
  const logger = {
    error: (_details: object, message: string) => messages.push(message),
    info: (message: string) => messages.push(message),
  }
  const log = new AuditLog(path, logger)
  // A directory in place of the file.
  await mkdir(path, {recursive: true})
  for (let at = 0; at < 1_002; at += 1) log.record(signedIn(ada))
  await log.settled()
  log.record(signedIn(bob))
  await log.settled()
  assert.deepEqual(log.problem, {waiting: 1_000, lost: 3})
  assert.equal(messages.length, 1)
  assert.match(messages[0] ?? '', /^The audit log cannot be written: EISDIR/)
  await rm(path, {recursive: true})
  await log.close()
  assert.equal(log.problem, undefined)
  assert.equal((await log.find(all)).events.length, 1_000)
  assert.equal(messages[1], 'The audit log can be written again; 3 events were lost')
})
