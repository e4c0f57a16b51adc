import {deepEqual, equal, match} from 'node:assert/strict'
import {test} from 'node:test'
import {isJsonObject} from '../../../../common/json.ts'
import {DocumentStore} from '../../../../content/store.ts'
import {ask, queryPath, serve} from '../../support/app.ts'
import {change, storeOf} from '../../support/documents.ts'

const post = {_id: 'a', _type: 'post', title: 'A'}
const store = () => storeOf(post, {_id: 'drafts.a', _type: 'post', title: 'draft'}, {_id: 'b', _type: 'post'})
const result = (body: unknown) => (isJsonObject(body) ? body.result : undefined)

test('GET and POST return the same result', async (t) => {
  const {address} = await serve(t, store())
  const query = '*[_id == $id][0].title'
  const got = await ask(address, queryPath(query, {id: 'a'}))
  const posted = await ask(address, '/data/query/production', {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({query, params: {id: 'a'}}),
  })
  equal(result(got.body), 'A')
  equal(result(posted.body), 'A')
  match(got.headers.get('content-type') ?? '', /^application\/json/)
})

test('returnQuery=false leaves the query out', async (t) => {
  const {address} = await serve(t, store())
  const {body} = await ask(address, queryPath('1', {}, {returnQuery: 'false'}))
  deepEqual(Object.keys(isJsonObject(body) ? body : {}).sort(), ['ms', 'result', 'syncTags'])
})

test('client parameters without a meaning here are accepted', async (t) => {
  const {address} = await serve(t, store())
  const options = {
    tag: 'app.page',
    lastLiveEventId: 'x',
    explain: 'true',
    resultSourceMap: 'false',
    cacheMode: 'noStale',
  }
  equal((await ask(address, queryPath('1', {}, options))).status, 200)
})

for (const [version, perspective, ids] of [
  ['v2025-02-19', undefined, ['a', 'b']],
  ['vX', undefined, ['a', 'b']],
  ['v2025-02-18', undefined, ['a', 'b', 'drafts.a']],
  ['v1', undefined, ['a', 'b', 'drafts.a']],
  ['v2025-02-19', 'raw', ['a', 'b', 'drafts.a']],
  ['v1', 'published', ['a', 'b']],
  ['v1', 'drafts', ['a', 'b']],
  ['v1', 'previewDrafts', ['a', 'b']],
  ['v1', 'drafts,published', ['a', 'b']],
] satisfies [string, string | undefined, string[]][]) {
  test(`${version} with perspective ${perspective} sees ${ids}`, async (t) => {
    const {address} = await serve(t, store())
    const path = queryPath('*[_type == "post"]._id', {}, perspective === undefined ? {} : {perspective})
    deepEqual(result((await ask(address, path, {}, version)).body), ids)
  })
}

for (const [name, path, status, message] of [
  ['no query', '/data/query/production', 400, /"query" is required/],
  [
    'a parameter that is not JSON',
    '/data/query/production?query=1&$a=x',
    400,
    /Unable to parse value of "\$a"/,
  ],
  ['an unfit perspective', queryPath('1', {}, {perspective: 'r X'}), 400, /is not the name of a perspective/],
  [
    'raw with other perspectives',
    queryPath('1', {}, {perspective: 'raw,drafts'}),
    400,
    /can not be combined/,
  ],
  [
    'another dataset',
    '/data/query/staging?query=1',
    404,
    /Dataset "staging" not found for project ID "local"/,
  ],
  ['an unknown route', '/data/nothing', 404, /Resource not found/],
] satisfies [string, string, number, RegExp][]) {
  test(`${name} is rejected like in Sanity`, async (t) => {
    const {address} = await serve(t, store())
    const response = await ask(address, path)
    equal(response.status, status)
    const body = isJsonObject(response.body) ? response.body : {}
    equal(body.statusCode, status)
    equal(body.error, status === 400 ? 'Bad Request' : 'Not Found')
    match(String(body.message), message)
  })
}

for (const version of ['v2', 'v2025-13-45', 'vx', 'v2025-2-1']) {
  test(`${version} is not an API version`, async (t) => {
    const {address} = await serve(t, store())
    equal((await ask(address, queryPath('1'), {}, version)).status, 400)
  })
}

test('another project is not served', async (t) => {
  const {address} = await serve(t, store())
  const headers = (id: string) => ({headers: {'X-Sanity-Project-ID': id}})
  equal((await ask(address, queryPath('1'), headers('other'))).status, 404)
  equal((await ask(address, queryPath('1'), headers('local'))).status, 200)
})

test('a failed query returns the reason and no internals', async (t) => {
  const {address, warnings} = await serve(t, store())
  const {status, body} = await ask(address, queryPath('geo::distance(1, 2)'))
  equal(status, 400)
  deepEqual(body, {error: {type: 'queryEvaluationError', description: 'not implemented'}})
  deepEqual(warnings, [])
})

for (const [name, init, status] of [
  ['is not JSON', {body: '{'}, 400],
  ['is not an object', {body: '[]'}, 400],
  ['has a query that is not a string', {body: '{"query": 1}'}, 400],
  ['has parameters that are not an object', {body: '{"query": "1", "params": []}'}, 400],
  ['is too large', {body: JSON.stringify({query: `"${'x'.repeat(1024 * 1024)}"`})}, 413],
] satisfies [string, RequestInit, number][]) {
  test(`a body that ${name} is rejected`, async (t) => {
    const {address} = await serve(t, store())
    const headers = {'content-type': 'application/json'}
    const response = await ask(address, '/data/query/production', {method: 'POST', headers, ...init})
    equal(response.status, status)
    equal(isJsonObject(response.body) && response.body.statusCode, status)
  })
}

test('queries of an empty dataset succeed', async (t) => {
  const {address} = await serve(t, new DocumentStore())
  deepEqual(result((await ask(address, queryPath('{"all": *, "one": *[0]}'))).body), {all: [], one: null})
})

test('a query sees the latest change', async (t) => {
  const content = store()
  const {address} = await serve(t, content)
  change(content, {...post, title: 'new'}, 'b')
  deepEqual(result((await ask(address, queryPath('*[_type == "post"].title'))).body), ['new'])
})
