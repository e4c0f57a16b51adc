import {deepEqual, equal, ok, throws} from 'node:assert/strict'
import {test} from 'node:test'
import {DocumentStore} from '../../../content/store.ts'
import {QueryError, QueryParseError} from '../../../lake/query/errors.ts'
import {run} from '../../../lake/query/run.ts'
import {change, environment, storeOf} from '../support/documents.ts'

const sites = 40
const toolsOfSite = 25

function shop(): DocumentStore {
  const store = new DocumentStore()
  const documents = Array.from({length: sites}, (_, site) => [
    {_id: `site-${site}`, _type: 'site', publicId: `public-${site}`},
    ...Array.from({length: toolsOfSite}, (_, tool) => ({
      _id: `tool-${site}-${tool}`,
      _type: 'tool',
      name: `tool${tool}`,
      site: {_type: 'reference', _ref: `site-${site}`},
    })),
  ])
  change(store, ...documents.flat())
  return store
}

const ask = (store: DocumentStore, query: string, params = {}) =>
  run(query, params, store.view('published'), environment)

test('the query of a site and its tools scans only that site and its tools', async () => {
  const query = `*[_type == "site" && publicId == $publicId][0]{
    _id, "tools": *[_type == "tool" && site._ref == ^._id] | order(name asc){...}
  }`
  const {examined} = await ask(shop(), query, {publicId: 'public-7'})
  equal(examined, 1 + toolsOfSite)
})

for (const [query, candidates] of [
  ['*[_id == "site-1"]', 1],
  ['*[_id in ["site-1", "site-2"]]', 2],
  ['*[references("site-1")]', toolsOfSite],
  ['*[sanity::versionOf("site-1")][0]._type', 1],
  ['*[_type == "site" && publicId in ["public-1", "public-2", "none"]]', 2],
  ['*[_type == "site"][publicId == "public-1"]', 1],
  ['*[publicId == "public-1" || _id == "tool-0-0"]', 2],
  ['*[_type == "none"]', 0],
  ['*[_type == "site" && publicId match "public-1"]', sites],
] satisfies [string, number][]) {
  test(`${query} scans ${candidates} documents`, async () => {
    equal((await ask(shop(), query)).examined, candidates)
  })
}

test('a text too long for the index is searched in all documents of the type', () => {
  const long = 'x'.repeat(300)
  const store = storeOf({_id: 'a', _type: 'a', name: long}, {_id: 'b', _type: 'a', name: 'short'})
  const {result, examined} = run(
    '*[_type == "a" && name == $long]._id',
    {long},
    store.view('published'),
    environment,
  )
  deepEqual([result, examined], [['a'], 2])
})

test('a cross join of all documents fails with a reason', async () => {
  const store = new DocumentStore()
  change(store, ...Array.from({length: 3_000}, (_, number) => ({_id: `d-${number}`, _type: 'd', number})))
  throws(
    () => ask(store, '*{"more": count(*[number > ^.number])}'),
    (error) => {
      ok(error instanceof QueryError)
      return /takes too long/.test(error.message)
    },
  )
})

test("Studio's full-text search finds words anywhere in a document", async () => {
  const store = storeOf(
    {_id: 'a', _type: 'post', title: 'Fish', body: [{_type: 'block', children: [{text: 'Warm soup'}]}]},
    {_id: 'b', _type: 'post', title: 'Soupy fish'},
    {_id: 'c', _type: 'post', title: 'Bread'},
  )
  const search = '*[_type == "post" && [@, _id] match text::query($terms)] | order(_id asc)._id'
  deepEqual((await ask(store, search, {terms: 'soup*'})).result, ['a', 'b'])
  deepEqual((await ask(store, search, {terms: 'fish soup*'})).result, ['a', 'b'])
  deepEqual((await ask(store, search, {terms: 'bread'})).result, ['c'])
  deepEqual((await ask(store, '*[@ match text::query("warm")]._id')).result, ['a'])
  deepEqual((await ask(store, '*[title match text::query("warm")]._id')).result, [])
})

test('one cached query works with parameters of different types', async () => {
  const store = storeOf({_id: 'a', _type: 'x', list: [1, 2]}, {_id: 'b', _type: 'x', list: [3]})
  const query = '*[_type == "x"][$at]'
  deepEqual((await ask(store, `${query}.list`, {at: 1})).result, [3])
  deepEqual((await ask(store, `${query}[0]`, {at: 'list'})).result, [1, 3])
  deepEqual((await ask(store, '*[_type == "x"][0..$to]._id', {to: 0})).result, ['a'])
})

const errorOf = async (query: string, params = {}) => {
  try {
    await ask(storeOf(), query, params)
  } catch (error) {
    ok(error instanceof QueryParseError)
    return {message: error.message, part: query.slice(error.start, error.end)}
  }
  throw new Error('no error')
}

test('query errors name the cause and the position', async () => {
  deepEqual(await errorOf('*[name == $name]'), {
    message: 'param $name referenced, but not provided',
    part: '$name',
  })
  deepEqual(await errorOf('*[nope(1)]'), {message: 'Undefined function: nope', part: 'nope'})
  equal((await errorOf('*[')).message, 'Unexpected end of query')
  equal((await errorOf('*[a == "\\u{41"]')).part, '\\u{')
  equal((await errorOf(`${'('.repeat(50_000)}1`)).message.length > 0, true)
  equal((await errorOf(`*[a == "${'x'.repeat(200_000)}"]`)).message, 'longer than 200000 characters')
})
