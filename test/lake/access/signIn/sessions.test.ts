import assert from 'node:assert/strict'
import {test} from 'node:test'
import {State} from '../../../../content/state/state.ts'
import {insertSession, SESSION_LIFETIME, Sessions} from '../../../../lake/access/signIn/sessions.ts'

test('a session survives a restart and ends when its editor signs out', async () => {
  const state = State.inMemory()
  const before = new Sessions(state)
  const secret = await before.begin({editorId: 'ada'})
  assert.ok(!JSON.stringify(state.all('SELECT * FROM session')).includes(secret), 'only a hash is kept')
  const after = new Sessions(state)
  const found = await after.find(secret)
  assert.equal(found?.editorId, 'ada')
  assert.equal(await after.find('guessed'), undefined)
  await after.end('guessed')
  assert.equal((await after.all()).length, 1)
  await after.end(found.id)
  assert.equal(await after.find(secret), undefined)
  assert.equal(await new Sessions(state).find(secret), undefined)
})

test('a session ends after its lifetime', async (t) => {
  const sessions = new Sessions(State.inMemory())
  const secret = await sessions.begin({editorId: 'ada'})
  const now = Date.now()
  t.mock.method(Date, 'now', () => now + SESSION_LIFETIME + 1)
  assert.equal(await sessions.find(secret), undefined)
})

test('sessions say since when, from which browser and when last they were used, also after a restart', async (t) => {
  const state = State.inMemory()
  const start = Date.now()
  const sessions = new Sessions(state)
  t.mock.timers.enable({apis: ['Date'], now: start})
  const secret = await sessions.begin({editorId: 'ada'}, {browser: 'Firefox on Linux'})
  t.mock.timers.tick(3_600_000)
  await sessions.find(secret)
  await sessions.begin({editorId: 'grace'})
  const shown = (await new Sessions(state).all()).map(({id: _, expiresAt: __, ...rest}) => rest)
  assert.deepEqual(shown, [
    {editorId: 'ada', since: start, lastUsed: start + 3_600_000, browser: 'Firefox on Linux'},
    {
      editorId: 'grace',
      since: start + 3_600_000,
      lastUsed: start + 3_600_000,
      browser: 'Unknown browser',
    },
  ])
})

const DAY = 24 * 3_600_000

test('a clock that is ahead for a moment ends no session, also if somebody signs in meanwhile', async (t) => {
  const state = State.inMemory()
  const sessions = new Sessions(state)
  const now = Date.now()
  const secret = await sessions.begin({editorId: 'ada'})
  t.mock.timers.enable({apis: ['Date'], now: now + 31 * DAY})
  await sessions.begin({editorId: 'grace'})
  assert.equal(await sessions.find(secret), undefined)
  t.mock.timers.setTime(now + 60_000)
  assert.equal((await sessions.find(secret))?.editorId, 'ada')
  assert.equal((await new Sessions(state).find(secret))?.editorId, 'ada', 'also after a restart')
})

test('a clock that is behind for a moment shortens no session', async (t) => {
  const sessions = new Sessions(State.inMemory())
  const now = Date.now()
  t.mock.timers.enable({apis: ['Date'], now})
  const secret = await sessions.begin({editorId: 'ada'})
  for (const time of [0, now]) {
    t.mock.timers.setTime(time)
    assert.equal((await sessions.find(secret))?.expiresAt, now + SESSION_LIFETIME)
    await sessions.begin({editorId: 'grace'})
  }
})

test('above the limit, the session that expires first is removed', async () => {
  const state = State.inMemory()
  const now = Date.now()
  for (let index = 0; index < 1_000; index += 1) {
    const expiresAt = now + (index === 500 ? -1_000 : 1_000_000 + index)
    const times = {since: now, lastUsed: now, expiresAt}
    const rest = {generation: undefined, sealed: undefined, browser: 'Firefox'}
    insertSession(state, {hash: `${index}`, editorId: `editor-${index}`, ...times, ...rest})
  }
  await new Sessions(state).begin({editorId: 'ada'})
  const kept = state.all('SELECT editor_id FROM session').map(({editor_id}) => editor_id)
  assert.deepEqual([kept.length, kept.includes('editor-500'), kept.at(-1)], [1_000, false, 'ada'])
})
