import assert from 'node:assert/strict'
import {test} from 'node:test'
import {State} from '../../../../content/state/state.ts'
import {Accounts} from '../../../../lake/access/accounts.ts'
import {SESSION_LIFETIME, Sessions} from '../../../../lake/access/signIn/sessions.ts'
import {CHEAP_SCRYPT} from '../../support/signIn.ts'

const DAY = 24 * 3_600_000

test('a session survives a restart, and ends when it is ended or its lifetime is over', (t) => {
  const state = State.inMemory()
  const secret = new Sessions(state).begin({editorId: 'ada'})
  assert.ok(!JSON.stringify(state.all('SELECT * FROM session')).includes(secret), 'only a hash is kept')
  const sessions = new Sessions(state)
  const found = sessions.find(secret)
  assert.equal(found?.editorId, 'ada')
  assert.equal(sessions.find('guessed'), undefined)
  const recorded: string[] = []
  sessions.end(['guessed'], () => recorded.push('guessed'))
  assert.equal(sessions.find(secret)?.id, found.id)
  const now = Date.now()
  const clock = t.mock.method(Date, 'now', () => now + SESSION_LIFETIME + 1)
  assert.equal(sessions.find(secret), undefined)
  clock.mock.restore()
  sessions.end([found.id], () => recorded.push('ada'))
  assert.deepEqual([sessions.find(secret), recorded], [undefined, ['ada']])
})

test('sessions of an editor say since when, from which browser and when last they were used', async (t) => {
  const state = State.inMemory()
  const rights = [{role: 'viewer', sites: 'all'}] as const
  const {id} = await new Accounts(state, CHEAP_SCRYPT).addEditor({name: 'Ada', email: 'a@b.example', rights})
  const start = Date.now()
  const sessions = new Sessions(state)
  t.mock.timers.enable({apis: ['Date'], now: start})
  const secret = sessions.begin({editorId: id}, {browser: 'Firefox on Linux'})
  sessions.begin({editorId: id, generation: 'before a new password'})
  t.mock.timers.tick(3_600_000)
  sessions.find(secret)
  const [shown, ...others] = new Sessions(state).ofEditor(id)
  assert.deepEqual(
    [shown?.since, shown?.lastUsed, shown?.browser, others],
    [start, start + 3_600_000, 'Firefox on Linux', []],
  )
})

test('a clock that is ahead or behind for a moment ends and shortens no session', (t) => {
  const sessions = new Sessions(State.inMemory())
  const now = Date.now()
  t.mock.timers.enable({apis: ['Date'], now})
  const secret = sessions.begin({editorId: 'ada'})
  for (const [time, expected] of [
    [now + 31 * DAY, undefined],
    [0, now + SESSION_LIFETIME],
    [now, now + SESSION_LIFETIME],
  ] as const) {
    t.mock.timers.setTime(time)
    sessions.begin({editorId: 'grace'})
    assert.equal(sessions.find(secret)?.expiresAt, expected)
  }
})

test('above the limit, the session that expires first is removed', () => {
  const state = State.inMemory()
  const sessions = new Sessions(state)
  for (let index = 0; index < 1_000; index += 1)
    sessions.begin({editorId: `editor-${index}`}, {lifetime: index === 500 ? -1_000 : 1_000_000 + index})
  sessions.begin({editorId: 'ada'})
  const kept = state.all('SELECT editor_id FROM session ORDER BY rowid').map(({editor_id}) => editor_id)
  assert.deepEqual([kept.length, kept.includes('editor-500'), kept.at(-1)], [1_000, false, 'ada'])
})
