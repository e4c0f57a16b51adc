import assert from 'node:assert/strict'
import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {test} from 'node:test'
import {SESSION_LIFETIME, Sessions} from '../../../../lake/access/signIn/sessions.ts'
import {temporaryFolder} from '../../support/git.ts'

test('a session survives a restart and ends when its editor signs out', async (t) => {
  const path = join(await temporaryFolder(t), 'sessions.json')
  const before = new Sessions(path)
  const secret = await before.begin({editorId: 'ada'})
  assert.ok(!(await readFile(path, 'utf8')).includes(secret), 'only a hash is kept')
  const after = new Sessions(path)
  const found = await after.find(secret)
  assert.equal(found?.editorId, 'ada')
  assert.equal(await after.find('guessed'), undefined)
  await after.end('guessed')
  assert.equal((await after.all()).length, 1)
  await after.end(found.id)
  assert.equal(await after.find(secret), undefined)
  assert.equal(await new Sessions(path).find(secret), undefined)
})

test('a session ends after its lifetime', async (t) => {
  const sessions = new Sessions(join(await temporaryFolder(t), 'sessions.json'))
  const secret = await sessions.begin({editorId: 'ada'})
  const now = Date.now()
  t.mock.method(Date, 'now', () => now + SESSION_LIFETIME + 1)
  assert.equal(await sessions.find(secret), undefined)
})

test('a damaged session file only requires signing in again', async (t) => {
  const path = join(await temporaryFolder(t), 'sessions.json')
  await writeFile(path, '[{"hash"')
  const sessions = new Sessions(path)
  assert.equal(await sessions.find('any'), undefined)
  assert.equal((await sessions.find(await sessions.begin({editorId: 'ada'})))?.editorId, 'ada')
})

test('sessions say since when, from which browser and when last they were used, also after a restart', async (t) => {
  const path = join(await temporaryFolder(t), 'sessions.json')
  const start = Date.now()
  const oldSession = {hash: 'a', editorId: 'ada', expiresAt: start + SESSION_LIFETIME - 1_000}
  await writeFile(path, JSON.stringify([oldSession, {hash: 1}, null]))
  const sessions = new Sessions(path)
  t.mock.timers.enable({apis: ['Date'], now: start})
  const secret = await sessions.begin({editorId: 'ada'}, {browser: 'Firefox on Linux'})
  t.mock.timers.tick(3_600_000)
  await sessions.find(secret)
  await sessions.begin({editorId: 'grace'})
  const shown = (await new Sessions(path).all()).map(({id: _, expiresAt: __, ...rest}) => rest)
  assert.deepEqual(shown, [
    {editorId: 'ada', since: start - 1_000, lastUsed: start - 1_000, browser: 'Unknown browser'},
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
  const path = join(await temporaryFolder(t), 'sessions.json')
  const sessions = new Sessions(path)
  const now = Date.now()
  const secret = await sessions.begin({editorId: 'ada'})
  t.mock.timers.enable({apis: ['Date'], now: now + 31 * DAY})
  await sessions.begin({editorId: 'grace'})
  assert.equal(await sessions.find(secret), undefined)
  t.mock.timers.setTime(now + 60_000)
  assert.equal((await sessions.find(secret))?.editorId, 'ada')
  assert.equal((await new Sessions(path).find(secret))?.editorId, 'ada', 'also after a restart')
})

test('a session that began while the clock was ahead lives for its lifetime from the time that it is right', async (t) => {
  let uptime = 0
  const path = join(await temporaryFolder(t), 'sessions.json')
  const sessions = new Sessions(path, undefined, () => uptime)
  const now = Date.now()
  t.mock.timers.enable({apis: ['Date'], now: now + 365 * DAY})
  const secret = await sessions.begin({editorId: 'ada'}, {lifetime: 12 * 3_600_000})
  t.mock.timers.setTime(now)
  assert.equal((await sessions.find(secret))?.editorId, 'ada')
  uptime += 61 * 60_000
  t.mock.timers.setTime(now + uptime)
  await sessions.begin({editorId: 'grace'})
  const [session] = await new Sessions(path).all()
  assert.equal(session?.since, now + uptime)
  assert.equal(session.expiresAt, now + uptime + 12 * 3_600_000)
})

test('a clock that is behind for a moment shortens no session', async (t) => {
  let uptime = 0
  const sessions = new Sessions(join(await temporaryFolder(t), 'sessions.json'), undefined, () => uptime)
  const now = Date.now()
  t.mock.timers.enable({apis: ['Date'], now})
  const secret = await sessions.begin({editorId: 'ada'})
  for (const time of [0, now]) {
    t.mock.timers.setTime(time)
    assert.equal((await sessions.find(secret))?.expiresAt, now + SESSION_LIFETIME)
    await sessions.begin({editorId: 'grace'})
    uptime += 40 * 60_000
  }
})

test('above the limit, the session that expires first is removed', async (t) => {
  const path = join(await temporaryFolder(t), 'sessions.json')
  const now = Date.now()
  const stored = Array.from({length: 1_000}, (_, index) => ({
    hash: `${index}`,
    editorId: `editor-${index}`,
    expiresAt: now + (index === 500 ? -1_000 : 1_000_000 + index),
  }))
  await writeFile(path, JSON.stringify(stored))
  const sessions = new Sessions(path)
  await sessions.begin({editorId: 'ada'})
  const kept: {editorId: string}[] = JSON.parse(await readFile(path, 'utf8'))
  assert.equal(kept.length, 1_000)
  assert.ok(!kept.some(({editorId}) => editorId === 'editor-500'))
})
