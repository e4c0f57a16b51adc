import assert from 'node:assert/strict'
import {test} from 'node:test'
import {State} from '../../../content/state/state.ts'
import {AuditLog} from '../../../lake/audit/auditLog.ts'
import type {Actor, AuditEvent} from '../../../lake/audit/events.ts'

const ada: Actor = {id: 'ada', name: 'Ada', email: 'ada@example.com'}
const bob: Actor = {id: 'bob', name: 'Bob', email: 'bob@example.com'}
const client = '192.0.2.1'
const all = {limit: 1_000}

const signedIn = (by: Actor): AuditEvent => ({type: 'signIn.succeeded', by, method: 'password', client})

test('an event is one line of JSON, with the event as a sentence', async () => {
  const log = new AuditLog(State.inMemory())
  const rights = 'publisher of shop, blog'
  log.record({type: 'people.added', by: ada, about: bob, rights})
  log.record({type: 'publish.emergency', by: ada, documents: [{id: 'x'}], reason: `a\nb${'c'.repeat(9_000)}`})
  const lines = log.lines()
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
  assert.deepEqual(log.lines(first.id), lines.slice(1))
  assert.deepEqual(log.lines('', 1), lines.slice(0, 1))
  assert.deepEqual(log.lines('deleted meanwhile'), lines)
})

test('events are deleted when they are older than the days that they are kept', () => {
  const state = State.inMemory()
  const log = new AuditLog(state, undefined, {days: 30})
  log.record(signedIn(ada))
  for (const [days, kept] of [
    [29, 2],
    [31, 1],
  ] as const) {
    state.run('UPDATE audit_event SET at = ?', new Date(Date.now() - days * 86_400_000).toISOString())
    log.record(signedIn(bob))
    assert.equal(log.lines().length, kept)
  }
})

test('events are found by kind, by person and by time, in pages, and the oldest are deleted', () => {
  const log = new AuditLog(State.inMemory(), undefined, {events: 30})
  for (let at = 0; at < 40; at += 1) {
    log.record(signedIn(at % 2 === 0 ? ada : bob))
  }
  log.record({type: 'people.removed', by: ada, about: bob})
  const kept = log.find(all)
  assert.equal(kept.events.length, 30)
  assert.equal(kept.events[0]?.type, 'people.removed')
  assert.equal(kept.next, undefined)

  assert.deepEqual(log.find({...all, kind: 'people'}).events, kept.events.slice(0, 1))
  const bobs = kept.events.filter(({by, about}) => by?.id === 'bob' || about?.id === 'bob')
  assert.deepEqual(log.find({...all, person: 'bob'}).events, bobs)
  const since = kept.events[4]?.at
  const recent = kept.events.filter(({at}) => since !== undefined && at >= since)
  assert.deepEqual(log.find({...all, since}).events, recent)

  const pages: unknown[] = []
  let after: string | undefined
  do {
    const {events, next} = log.find({limit: 7, after})
    pages.push(...events)
    after = next
  } while (after !== undefined)
  assert.deepEqual(pages, kept.events)
})

test('what one person does again and again pushes out nothing of others', () => {
  const log = new AuditLog(State.inMemory(), undefined, {events: 200})
  const carol: Actor = {...bob, id: 'carol'}
  for (const who of [ada, bob, carol]) for (let at = 0; at < 20; at += 1) log.record(signedIn(who))
  log.record({type: 'signIn.omitted', count: 3})
  for (let at = 0; at < 2_000; at += 1) {
    log.record({type: 'review.requested', by: bob, documents: [{id: `d${at}`}]})
  }
  const {events} = log.find(all)
  assert.ok(events.length > 190 && events.length <= 200, `${events.length} events`)
  for (const {id} of [ada, carol]) assert.equal(events.filter(({by}) => by?.id === id).length, 20)
  assert.equal(events.at(-1)?.type, 'signIn.succeeded')
  assert.match(events[0]?.text ?? '', /d1999/)
  assert.equal(events.filter(({type}) => type === 'signIn.omitted').length, 1)
})

test('an event names 100 documents, and how many there were', () => {
  const log = new AuditLog(State.inMemory())
  const documents = Array.from({length: 5_000}, (_, index) => ({id: `d${index}`}))
  log.record({type: 'review.requested', by: ada, documents})
  const [event] = log.lines().map((line) => JSON.parse(line))
  assert.deepEqual([event.documents.length, event.count], [100, 5_000])
  assert.match(event.text, / and 4995 more$/)
})

test('an event belongs to the transaction of what it records, and two logs of one database share it', () => {
  const state = State.inMemory()
  const log = new AuditLog(state)
  assert.throws(() =>
    state.transaction(() => {
      log.record(signedIn(ada))
      throw new Error('refused')
    }),
  )
  new AuditLog(state).record(signedIn(bob))
  assert.deepEqual(
    log.find(all).events.map(({by}) => by?.id),
    ['bob'],
  )
})

test('of a flood of failed attempts, 20 per account and window are recorded, and the rest as a number', () => {
  const log = new AuditLog(State.inMemory())
  for (let at = 0; at < 500; at += 1) log.record({type: 'signIn.failed', method: 'password', client})
  log.record({type: 'signIn.failed', method: 'password', client, about: ada})
  log.close()
  const {events} = log.find(all)
  assert.equal(events.length, 22)
  assert.equal(events[0]?.text, '480 further failed sign-ins, which are not listed')
  assert.equal(events[1]?.text, 'Failed sign-in as Ada (ada@example.com) with a password')
})

test('while the database cannot be written, no sign-in fails, a change is refused, and the problem is logged once', () => {
  const messages: string[] = []
  const logger = {
    error: (_details: object, message: string) => messages.push(message),
    info: (message: string) => messages.push(message),
  }
  const state = State.inMemory()
  const log = new AuditLog(state, logger)
  state.run("CREATE TRIGGER full BEFORE INSERT ON audit_event BEGIN SELECT RAISE(ABORT, 'full'); END")
  for (let at = 0; at < 3; at += 1) log.record(signedIn(ada))
  assert.throws(() => state.transaction(() => log.record(signedIn(bob))), /full/)
  assert.deepEqual(messages, ['The audit log cannot be written: full'])
  state.run('DROP TRIGGER full')
  log.record(signedIn(bob))
  assert.equal(log.find(all).events.length, 1)
  assert.equal(messages[1], 'The audit log can be written again')
})
