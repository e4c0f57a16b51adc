import assert from 'node:assert/strict'
import {test} from 'node:test'
import {isJsonObject} from '../../../common/json.ts'
import {ask, queryPath} from '../support/app.ts'
import {runLake} from '../support/lake.ts'

/** Paths to properties shared by all objects. */
const paths = [
  '__proto__.polluted',
  'constructor.prototype.polluted',
  'constructor.prototype',
  '["__proto__"].polluted',
  'nested.constructor.prototype.polluted',
  'list[0].__proto__.polluted',
  'list[__proto__].polluted',
  '..__proto__.polluted',
  '..constructor.prototype.polluted',
  'title.constructor.prototype.polluted',
  'nested["constructor"]["prototype"].polluted',
  'hasOwnProperty',
  'toString',
  '__defineGetter__',
]

const operations: [name: string, of: (path: string) => object][] = [
  ['set', (path) => ({set: {[path]: 'yes'}})],
  ['setIfMissing', (path) => ({setIfMissing: {[path]: 'yes'}})],
  ['unset', (path) => ({unset: [path]})],
  ['inc', (path) => ({inc: {[path]: 1}})],
  ['insert', (path) => ({insert: {after: `${path}[-1]`, items: ['yes']}})],
]

const post = {_id: 'a', _type: 'post', title: 'A', nested: {x: 1}, list: [{x: 1}]}

test('no patch changes a shared prototype', async (t) => {
  const lake = await runLake(t, {'post/a.json': post})
  const shared = () =>
    [Object.prototype, Array.prototype, String.prototype, Object].map((one) =>
      Object.getOwnPropertyNames(one).sort(),
    )
  const before = shared()
  for (const path of paths) {
    for (const [name, of] of operations) {
      const mutation = {patch: {id: 'a', ...of(path)}}
      // A dry run applies patches too, and is faster.
      const isKept = name === 'set' && path.includes('polluted')

      // Raw JSON text, in which "__proto__" is an ordinary name.
      const body = JSON.stringify({mutations: [mutation]})
      const {status} = await ask(lake.address, `/data/mutate/production?dryRun=${!isKept}`, {
        method: 'POST',
        headers: {'content-type': 'application/json'},
        body,
      })
      assert.ok(status === 200 || (status >= 400 && status < 500), `${status} ${body}`)
      assert.deepEqual(shared(), before, body)
      assert.equal(Reflect.get({}, 'polluted'), undefined, body)
    }
  }
})

test('a body with a member "__proto__" or "constructor.prototype" is rejected', async (t) => {
  const lake = await runLake(t, {'post/a.json': post})
  for (const body of [
    '{"mutations":[{"patch":{"id":"a","set":{"__proto__":{"polluted":1}}}}]}',
    '{"__proto__":{"mutations":[]},"mutations":[{"delete":{"id":"a"}}]}',
    '{"mutations":[{"create":{"_type":"post","constructor":{"prototype":{"polluted":1}}}}]}',
    '{"mutations":[{"create":{"_type":"post","\\u005f_proto__":{"polluted":1}}}]}',
  ]) {
    for (const route of ['mutate', 'actions', 'query']) {
      const init = {method: 'POST', headers: {'content-type': 'application/json'}, body}
      assert.equal(
        (await ask(lake.address, `/data/${route}/production`, init)).status,
        400,
        `${route} ${body}`,
      )
    }
  }
  const {status} = await ask(lake.address, '/data/doc/production/a')
  assert.equal(status, 200)
})

test('queries cannot read prototype properties', async (t) => {
  const lake = await runLake(t, {'post/a.json': post})
  for (const [query, expected] of [
    ['*[0].__proto__', null],
    ['*[0].constructor', null],
    ['*[0].constructor.prototype', null],
    ['*[0].toString', null],
    ['*[0]["__proto__"]', null],
    ['*[0].nested.valueOf', null],
    ['*[0].list[0].constructor', null],
    ['*[0].title.length', null],
    ['*[0].list.length', null],
    ['$hasOwnProperty', null],
    ['$__proto__', null],
    ['$constructor', null],
    ['count(*[defined(__proto__)])', 0],
    ['*[_type == "post"]{"x": __proto__, "y": constructor}', [{x: null, y: null}]],
  ] satisfies [string, unknown][]) {
    const {status, body} = await ask(lake.address, queryPath(query))
    const result = isJsonObject(body) ? body.result : undefined
    // A missing parameter is an error of the query.
    if (status !== 400 || !query.startsWith('$')) assert.deepEqual([status, result], [200, expected], query)
  }
})
