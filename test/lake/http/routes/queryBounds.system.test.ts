import assert from 'node:assert/strict'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {after, afterEach, before, test} from 'node:test'
import {setTimeout} from 'node:timers/promises'
import {LakeProcess, token} from '../../../soak/process.ts'
import {askFrom} from '../../../support/client.ts'
import {processorTime} from '../../../support/processes.ts'
import {openFrom} from '../../support/events.ts'
import {createRepository, testRepository} from '../../support/git.ts'

const CLIENT = '127.0.0.2'
const NEIGHBOUR = '127.0.0.3'
const known = {authorization: `Bearer ${token}`}

/**
 * Maximum CPU time that the lake may use between a health check and its response, in milliseconds. On a busy machine
 * the check itself may take far longer, because other processes run in the meantime.
 */
const MAX_WORK_BEFORE_HEALTH = 3_000

const documents = Object.fromEntries(
  Array.from({length: 1_000}, (_, number) => [
    `post/p${number}.json`,
    {_id: `p${number}`, _type: 'post', number, title: `Post ${number}`, text: 'lorem ipsum '.repeat(20)},
  ]),
)

/** A lake in a separate process, with the heap size of the manifests. */
let lake: LakeProcess
let address: string
const folders: string[] = []

before(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'handrail-query-'))
  folders.push(folder)
  const repository = testRepository(join(folder, 'content'))
  await createRepository(repository.directory)
  await repository.commit({
    'long/text.json': {_id: 'text', _type: 'long', text: 'x'.repeat(500_000)},
    ...documents,
  })
  lake = new LakeProcess({
    CONTENT_DIR: repository.directory,
    NODE_OPTIONS: '--max-old-space-size=560',
    LAKE_API_TOKEN: token,
  })
  address = await lake.address
})

after(async () => {
  await lake.kill(true)
  for (const folder of folders) await rm(folder, {recursive: true, force: true, maxRetries: 3})
})

// No request of a client may log an error.
afterEach(() => assert.deepEqual(lake.log, []))

type Params = Record<string, unknown>

async function post(query: string, params: Params = {}, client = CLIENT, signal?: AbortSignal) {
  const url = `${address}/v2025-02-19/data/query/production?returnQuery=false`
  return askFrom(client, url, {
    method: 'POST',
    headers: {'content-type': 'application/json', ...known},
    body: JSON.stringify({query, params}),
    ...(signal && {signal}),
  })
}

/** The most CPU time that the lake uses before a health check succeeds, in checks for so many milliseconds. */
async function workBeforeHealth(milliseconds: number): Promise<number> {
  const end = performance.now() + milliseconds
  let most = 0
  do {
    const before = await processorTime(lake.pid)
    const {status} = await askFrom(NEIGHBOUR, `${address}/healthz`)
    assert.equal(status, 200)
    most = Math.max(most, (await processorTime(lake.pid)) - before)
    await setTimeout(20) // a client pauses
  } while (performance.now() < end)
  return most
}

const text = '*[_id == "text"][0].text'
const times = (count: number, piece: string) => piece.repeat(count)

/** Short queries that build unbounded values. */
const large: [name: string, query: string, params?: Params][] = [
  ['a text that doubles', `[{"a": "0123456789"}]${times(26, '{"a": a + a}')}{"b": lower(a)}`],
  [
    'changing the case of texts',
    `{"a": ${text}}${times(8, '{"a": a + a}')}{"all": [${times(20, 'lower(a + "1"), ')}1]}`,
  ],
  ['a list that doubles', `{"a": [1, 2, 3]}${times(30, '{"a": a + a}')}{"n": count(a)}`],
  ['a list that is spread', `{"a": [1, 2, 3]}${times(30, '{"a": [...a, ...a]}')}{"n": count(a)}`],
  ['lists that are joined', 'count(*[0...600]{"b": $many}.b[])', {many: Array(90_000).fill(0)}],
  ['a response that doubles', `{"a": ${text}}${times(30, '{"a": [a, a]}')}`],
  ['objects that double', `{"a": *[0...100]}${times(30, '{"a": {"b": a, "c": a}}')}`],
  [
    'pieces of a text',
    `{"a": ${text}}${times(3, '{"a": a + a}')}{"all": [${times(20, 'string::split(a, ""), ')}1]}`,
  ],
  ['a joined list', `array::join($many[]{"x": ${text}}.x, "")`, {many: Array(5_000).fill({})}],
  ['slices of a list', `{"a": $many}{"all": [${times(400, 'a[0..-1], ')}1]}`, {many: Array(90_000).fill(0)}],
  [
    'copies of an object',
    '$many[]{...$object}',
    {
      many: Array(50_000).fill({}),
      object: Object.fromEntries(Array.from({length: 500}, (_, at) => [`a${at}`, at])),
    },
  ],
  ['a parameter added to itself', `*[${times(400, '$a + ')}$a]`, {a: Array(100_000).fill(0)}],
  ['everything for each document', '*{"all": *[true]{...}}'],
  ['functions that call each other', functions(24)],
  ['patterns', `*[text match [${times(900, '$stars, ')}"x"]]`, {stars: times(1_000, 'a* ')}],
]

function functions(count: number): string {
  const calls = Array.from(
    {length: count},
    (_, at) => `fn f::f${at + 1}($x) = $x{"a": f::f${at}(@), "b": f::f${at}(@)};`,
  )
  return `fn f::f0($x) = $x{"a": 1}; ${calls.join(' ')} f::f${count}({"a": 1})`
}

test('queries that build large values fail with 400', async () => {
  for (const [at, [name, query, params]] of large.entries()) {
    const {status, body} = await post(query, params, `127.0.1.${at + 1}`)
    assert.equal(status, 400, `${name}: ${body.slice(0, 200)}`)
    assert.match(body, /larger than|longer than|too large|too long|at most/, name)
  }
})

const nested = `${times(200_000, '[')}${times(200_000, ']')}`

/** Requests nested too deeply for recursive functions. */
const deep: [name: string, path: string, body: string][] = [
  ...[
    ['brackets', `${times(2_000, '[')}1${times(2_000, ']')}`],
    ['parentheses', `${times(2_000, '(')}1${times(2_000, ')')}`],
    ['attributes', `*[0]${times(3_000, '.a')}`],
    ['sums', `${times(2_500, 'a+')}a`],
    ['subqueries', `${times(300, '*[_id in ')}1${times(300, ' && (b == 0 || c == 1)]._id')}`],
  ].map(([name = '', query]): [string, string, string] => [name, 'query', JSON.stringify({query})]),
  ['parameters', 'query', `{"query": "*[_id == $a]", "params": {"a": ${nested}}}`],
  [
    'parameters that determine the cost',
    'query',
    `{"query": "*[$b][$a]", "params": {"b": 1, "a": ${nested}}}`,
  ],
  ['mutations', 'mutate', `{"mutations": [{"create": {"_type": "post", "a": ${nested}}}]}`],
  [
    'actions',
    'actions',
    `{"actions": [{"actionType": "sanity.action.document.edit", "patch": {"set": {"a": ${nested}}}}]}`,
  ],
]

test('requests nested too deeply fail with 400 and log nothing', async () => {
  const headers = {'content-type': 'application/json', ...known}
  for (const [name, route, body] of deep) {
    const url = `${address}/v2025-02-19/data/${route}/production`
    const answer = await askFrom(CLIENT, url, {method: 'POST', headers, body})
    assert.equal(answer.status, 400, `${name}: ${answer.body.slice(0, 200)}`)
  }
  const internal = await post('{"hasOwnProperty": 1}{"x": @.y}')
  assert.deepEqual([internal.status, JSON.parse(internal.body).result], [200, {x: null}])
  assert.equal((await post('constructor::keys(1)')).status, 400)
  const url = `${address}/v2025-02-19/data/query/production?query=$x&$__proto__={"x":1}`
  assert.match((await askFrom(CLIENT, url, {headers})).body, /param \$x referenced, but not provided/)
})

test('mutations cannot select documents by a query that is too large or too slow', async () => {
  const mutate = async (mutations: unknown[]) => {
    const url = `${address}/v2025-02-19/data/mutate/production`
    const headers = {'content-type': 'application/json', ...known}
    return askFrom(CLIENT, url, {method: 'POST', headers, body: JSON.stringify({mutations})})
  }
  const [, query = ''] = large[0] ?? []
  const tooLarge = await mutate([{delete: {query}}])
  assert.deepEqual([tooLarge.status, /string longer than/.test(tooLarge.body)], [400, true])
  // Each is within the limit, but together they are not.
  const slowDelete = {delete: {query: '*[count(*[number > ^.number && text match "*q*q*"]) > 999]'}}
  const running = mutate(Array.from({length: 500}, () => slowDelete))
  const work = await workBeforeHealth(1_000)
  assert.ok(work < MAX_WORK_BEFORE_HEALTH, `${work} ms`)
  const tooSlow = await running
  assert.deepEqual([tooSlow.status, /takes too long/.test(tooSlow.body)], [400, true])
})

test('listeners with slow filters do not delay other clients', async (t) => {
  const filter = '*[count(*[count(*[number < ^.number && text match "*m*m*b"]) > 5]) > 0]'
  for (let opened = 0; opened < 30; opened++) {
    const url = `${address}/v2025-02-19/data/listen/production?query=${encodeURIComponent(filter)}`
    const stream = await openFrom(t, '127.0.3.1', url, known)
    assert.equal(stream.statusCode, 200)
    stream.on('error', () => {}).resume()
  }
  const url = `${address}/v2025-02-19/data/mutate/production`
  const headers = {'content-type': 'application/json', ...known}
  const body = JSON.stringify({mutations: [{create: {_id: 'drafts.new', _type: 'post', number: 1}}]})
  assert.equal((await askFrom(CLIENT, url, {method: 'POST', headers, body})).status, 200)
  const work = await workBeforeHealth(2_000)
  assert.ok(work < MAX_WORK_BEFORE_HEALTH, `${work} ms`)
})

/** The slowest kinds of queries that are not rejected at once. */
const slow: [query: string, params?: Params][] = [
  ['*[count(*[count(*[number < ^.number && number < ^.^.number]) > 999]) > 999]'],
  ['*{"all": *[number > ^.number] | order(title desc){...}}'],
  ['*[text match $stars]', {stars: `${times(20, '*m')}*b`}],
  ['$many | order(@ desc)[0]', {many: Array.from({length: 50_000}, (_, at) => `xxx${(at * 7919) % 50_000}`)}],
  [`${times(300, 'length(lower(array::join(*[0..500].text, ""))) + ')}1`],
]

test('health checks succeed while thirty slow queries run', async (t) => {
  const controller = new AbortController()
  const statuses = Array.from({length: 30}, async (_, client) => {
    const [query = '', params] = slow[client % slow.length] ?? []
    const {status} = await post(query, params, `127.0.2.${client + 1}`, controller.signal)
    return status
  })
  const settled = Promise.allSettled(statuses)
  const work = await workBeforeHealth(2_000)
  t.diagnostic(`${work} ms`)
  assert.ok(work < MAX_WORK_BEFORE_HEALTH, `${work} ms`)
  controller.abort()
  for (const result of await settled) {
    if (result.status === 'fulfilled') assert.ok([200, 400, 429].includes(result.value), `${result.value}`)
  }
})
