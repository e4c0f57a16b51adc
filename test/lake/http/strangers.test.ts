import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {STRANGERS_LIMITS} from '../../../lake/http/limits/queryTurns.ts'
import {askFrom, connectFrom} from '../../support/client.ts'
import {eventually} from '../../support/eventually.ts'
import {queryPath, serve, token} from '../support/app.ts'
import {storeOf} from '../support/documents.ts'

const ATTACKER = '127.0.0.2'
const NEIGHBOUR = '127.0.0.3'

const documents = Array.from({length: 300}, (_, number) => ({
  _id: `p${number}`,
  _type: 'post',
  number,
  text: `${'a'.repeat(200)} ${number}`,
}))

/** As in production, but a twentieth of the time. */
const strangersQueries = {
  bounds: {...STRANGERS_LIMITS.bounds, milliseconds: 50},
  turns: {...STRANGERS_LIMITS.turns, allowance: 250},
}

const run = (t: TestContext) => serve(t, storeOf(...documents), {strangersQueries})

type Reachable = {readonly address: string}

const urlOf = (lake: Reachable, query: string, params = {}) =>
  `${lake.address}/v2025-02-19${queryPath(query, params)}`

/** Queries that would take from ten seconds to years. */
const slow: [name: string, query: string, params: Record<string, unknown>][] = [
  ['joins', '*[count(*[count(*[number < ^.number && number < ^.^.number]) > 999]) > 999]', {}],
  [
    'lists',
    '*[count($many[@ in $many && ^.number == -1]) > 0]',
    {many: Array.from({length: 5_000}, (_, n) => n)},
  ],
  ['a long text', `[${'1,'.repeat(90_000)}1]`, {}],
  ['sums', 'count($many[count($many[@ + ^ < 0]) > 0])', {many: Array.from({length: 20_000}, (_, n) => n)}],
]

/** Posts a query, because parameters may be too long for a URL. */
function post(
  lake: Reachable,
  query: string,
  params: Record<string, unknown>,
  headers = {},
  client = ATTACKER,
) {
  return askFrom(client, `${lake.address}/v2025-02-19/data/query/production`, {
    method: 'POST',
    headers: {'content-type': 'application/json', ...headers},
    body: JSON.stringify({query, params}),
  })
}

test('slow queries of strangers are stopped, and other clients get their results meanwhile', async (t) => {
  const lake = await run(t)
  const statuses = new Map<string, number[]>()
  let isOver = false
  const attack = (async () => {
    for (const [at, [name, query, params]] of slow.entries()) {
      // A client is rejected after some seconds of them.
      const answer = await post(lake, query, params, {}, `127.0.0.${100 + at}`)
      statuses.set(name, [answer.status])
      if (answer.status === 400) assert.match(answer.body, /takes too long/, name)
    }
    isOver = true
  })()
  const neighbour = (async () => {
    for (let asked = 0; !isOver || asked < 50; asked++) {
      const {status, body} = await askFrom(NEIGHBOUR, urlOf(lake, '*[_id == $id][0].number', {id: 'p7'}))
      assert.equal(status, 200)
      assert.equal(JSON.parse(body).result, 7)
    }
  })()
  await Promise.all([attack, neighbour])
  assert.deepEqual(Object.fromEntries(statuses), Object.fromEntries(slow.map(([name]) => [name, [400]])))
})

test('a client that keeps sending slow queries is rejected for the rest of a minute; others are not', async (t) => {
  const lake = await run(t)
  const [[, query, params] = ['', '', {}]] = slow
  const statuses = await Promise.all(
    Array.from({length: 20}, async () => (await post(lake, query, params)).status),
  )
  assert.deepEqual(new Set(statuses), new Set([400, 429]))
  assert.ok(statuses.filter((status) => status === 400).length <= 7)
  const refused = await askFrom(ATTACKER, urlOf(lake, '1'))
  assert.equal(refused.status, 429)
  assert.match(String(refused.headers['retry-after']), /^\d+$/)
  assert.equal((await askFrom(NEIGHBOUR, urlOf(lake, '1'))).status, 200)
  const headers = {authorization: `Bearer ${token}`}
  assert.equal((await askFrom(ATTACKER, urlOf(lake, '1'), {headers})).status, 200)
})

test('256 queries of one client can wait, more are rejected; a query of another client waits for one of them at a time', async (t) => {
  const lake = await run(t)
  const {pathname, search} = new URL(urlOf(lake, 'count(*[length(text) > 9])'))
  const socket = await connectFrom(ATTACKER, lake.address)
  t.after(() => socket.destroy())
  let answers = ''
  socket.on('data', (chunk) => {
    answers += chunk
  })
  const statuses = () => [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
  // They arrive together: nearly all are queued before the first result.
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(300))

  const others = await Promise.all(Array.from({length: 10}, () => askFrom(NEIGHBOUR, urlOf(lake, '1'))))
  assert.deepEqual(new Set(others.map(({status}) => status)), new Set([200]))
  const before = statuses().length
  assert.ok(before < 200, `${before} of 256 were served before ten of another client`)
  await eventually(
    async () => statuses().length,
    (responses) => responses === 300,
  )
  const answered = statuses().filter((status) => status === 200).length
  assert.ok(answered >= 256 && answered < 280, `${answered} got a response`)
  assert.deepEqual(new Set(statuses().slice(answered)), new Set([429]))
})

test('a stranger gets the same results as a program with a token', async (t) => {
  const lake = await serve(t, storeOf({_id: 'a', _type: 'post', title: 'Ä "quoted"\u2028'}))
  for (const query of [
    '*[_type == "post"]',
    '*[0].nothing',
    '1 + 1',
    'diff::changedAny({"a": 1}, {"a": 2}, a)',
    '"text"',
    '*[',
    'nope()',
  ]) {
    const headers = {authorization: `Bearer ${token}`}
    const [stranger, program] = await Promise.all([
      askFrom(NEIGHBOUR, urlOf(lake, query)),
      askFrom(NEIGHBOUR, urlOf(lake, query), {headers}),
    ])
    const {ms: _one, ...theirs} = JSON.parse(stranger.body)
    const {ms: _other, ...ours} = JSON.parse(program.body)
    assert.deepEqual([stranger.status, theirs], [program.status, ours], query)
    assert.equal(stranger.headers['content-type'], program.headers['content-type'])
  }
})

test('a response that is too large is an error', async (t) => {
  const lake = await run(t)
  const large = await askFrom(ATTACKER, urlOf(lake, '*{"all": *}'))
  assert.equal(large.status, 400)
  assert.match(large.body, /too large/)
})
