import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {Accounts} from '../../../lake/access/accounts.ts'
import {Attempts} from '../../../lake/access/passwordChecks.ts'
import {everywhere} from '../../../lake/access/rights/rights.ts'
import type {LakeSettings} from '../../../lake/lakeSettings.ts'
import {type Answer, askFrom, connectFrom} from '../../support/client.ts'
import {token} from '../support/app.ts'
import {type RunningLake, runLake} from '../support/lake.ts'
import {accountsIn, pressLink} from '../support/signIn.ts'

const ATTACKER = '127.0.0.2'
const NEIGHBOUR = '127.0.0.3'
const password = 'correct horse battery'

async function lakeFor(t: TestContext, settings: Partial<LakeSettings> = {}) {
  const lake = await runLake(t, {'post/a.json': {_id: 'a', _type: 'post'}}, settings)
  const accounts = accountsIn(lake.stateFolder)
  const ada = {name: 'Ada', email: 'ada@example.com', rights: everywhere('publisher')}
  await accounts.addEditor(ada, password)
  return {lake, accounts}
}

function signIn(
  lake: RunningLake,
  address: string,
  guess: string,
  headers: Record<string, string> = {},
  email = 'ada@example.com',
): Promise<Answer> {
  return askFrom(address, `${lake.address}/login`, {
    method: 'POST',
    headers: {origin: lake.address, 'content-type': 'application/x-www-form-urlencoded', ...headers},
    body: String(new URLSearchParams({email, password: guess, to: '/'})),
  })
}

test('password guessing is blocked by address, and the editor can still sign in from another address', async (t) => {
  const {lake} = await lakeFor(t)
  const guesses: number[] = []
  for (let guess = 0; guess < 15; guess++)
    guesses.push((await signIn(lake, ATTACKER, `guess ${guess}`)).status)
  assert.deepEqual(guesses, [...Array(10).fill(403), ...Array(5).fill(429)])
  assert.equal((await signIn(lake, NEIGHBOUR, password)).status, 303)
})

test('concurrent guesses wait in a bounded queue and do not delay queries', async (t) => {
  const {lake} = await lakeFor(t)
  const {promise: isOver, resolve: endChecks} = Promise.withResolvers<void>()
  let running = 0
  let mostAtOnce = 0
  const check = t.mock.method(Accounts.prototype, 'byPassword', async () => {
    running += 1
    mostAtOnce = Math.max(mostAtOnce, running)
    await isOver
    running -= 1
    return undefined
  })
  const {promise: isFull, resolve: onFull} = Promise.withResolvers<void>()
  let refused = 0
  const guesses = Array.from({length: 60}, async (_, guess) => {
    const address = `127.0.2.${(guess % 20) + 1}`
    const answer = await signIn(lake, address, 'guess', {}, `somebody-${guess}@example.com`)
    if (answer.status === 429) {
      refused += 1
      assert.equal(answer.headers['retry-after'], '1')
    }
    if (refused === 60 - 22) onFull()
    return answer.status
  })
  await isFull
  const url = `${lake.address}/v2025-02-19/data/query/production?query=1`
  const headers = {authorization: `Bearer ${token}`}
  assert.equal((await askFrom(NEIGHBOUR, url, {headers})).status, 200)
  assert.equal(check.mock.callCount(), 2)
  endChecks()
  const statuses = await Promise.all(guesses)
  assert.equal(statuses.filter((status) => status === 403).length, 22)
  assert.equal(mostAtOnce, 2)
  check.mock.restore()
  assert.equal((await signIn(lake, NEIGHBOUR, password)).status, 303)
})

test('slow form uploads do not prevent others from signing in', async (t) => {
  const {lake} = await lakeFor(t)
  for (let client = 1; client <= 30; client++) {
    const socket = await connectFrom(`127.0.3.${client}`, lake.address)
    t.after(() => socket.destroy())
    socket.write(
      `POST /login HTTP/1.1\r\nhost: ${new URL(lake.address).host}\r\norigin: ${lake.address}\r\n` +
        'content-type: application/x-www-form-urlencoded\r\ncontent-length: 100\r\n\r\nemail=',
    )
  }
  assert.equal((await signIn(lake, NEIGHBOUR, password)).status, 303)
})

test('guessing from many addresses is not faster; the editor can sign in from a known address, or by a link', async (t) => {
  const {lake, accounts} = await lakeFor(t, {trustedProxies: ['127.0.0.1/32']})
  const from = (client: string) => ({'x-forwarded-for': client})
  assert.equal((await signIn(lake, '127.0.0.1', password, from('192.0.2.1'))).status, 303)
  const statuses: number[] = []
  for (let guess = 0; guess < 25; guess++)
    statuses.push((await signIn(lake, '127.0.0.1', 'guess', from(`198.51.100.${guess}`))).status)
  assert.deepEqual(statuses, [...Array(20).fill(403), ...Array(5).fill(429)])

  const elsewhere = await signIn(lake, '127.0.0.1', password, from('192.0.2.2'))
  assert.equal(elsewhere.status, 429)
  assert.match(elsewhere.body, /Use a browser in which you signed in before, ask for a sign-in link/)
  assert.equal((await signIn(lake, '127.0.0.1', password, from('192.0.2.1'))).status, 303)
  const [ada] = await accounts.editors()
  const code = await accounts.makeLink(ada?.id ?? '')
  const link = await pressLink(lake, code, {headers: from('192.0.2.3')})
  assert.equal(link.status, 303)
  const other = await signIn(lake, '127.0.0.1', 'guess', from('192.0.2.2'), 'bob@example.com')
  assert.equal(other.status, 403, 'another account is not affected')
})

/** Invalid codes count as attempts, like passwords, and cost nothing to check. */
function tryCode(lake: RunningLake, address: string, headers: Record<string, string>): Promise<Answer> {
  return askFrom(address, `${lake.address}/login`, {
    method: 'POST',
    headers: {origin: lake.address, 'content-type': 'application/x-www-form-urlencoded', ...headers},
    body: 'code=made-up',
  })
}

test('a client that is not a trusted proxy cannot choose its address', async (t) => {
  const {lake} = await lakeFor(t)
  const statuses: number[] = []
  for (let attempt = 0; attempt < 12; attempt++)
    statuses.push((await tryCode(lake, ATTACKER, {'x-forwarded-for': `192.0.2.${attempt}`})).status)
  assert.deepEqual(statuses.slice(-2), [429, 429])
  assert.equal((await signIn(lake, NEIGHBOUR, password)).status, 303)
  const warnings = lake.warnings.filter(({msg}) => msg.includes('TRUSTED_PROXIES'))
  assert.deepEqual(
    warnings.map(({address}) => address),
    [ATTACKER],
    'the log explains once how to trust a proxy',
  )
})

test('wrong passwords are counted by account, ignoring the case of the address', () => {
  const attempts = new Attempts()
  for (let guess = 0; guess < 20; guess++)
    attempts.tried(guess % 2 ? 'Ada@example.com' : 'ada@example.com', 'x', false)
  assert.equal(attempts.mayTry('ADA@example.com', 'y'), false)
  assert.equal(attempts.mayTry('bob@example.com', 'y'), true)
})
