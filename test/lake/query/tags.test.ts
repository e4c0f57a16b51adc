import {deepEqual, equal, notEqual, ok} from 'node:assert/strict'
import {test} from 'node:test'
import {isDeepStrictEqual} from 'node:util'
import fc from 'fast-check'
import {DocumentStore, type Perspective} from '../../../content/store.ts'
import {run} from '../../../lake/query/run.ts'
import {everythingTag, type SyncTag, tagsOfChanges} from '../../../lake/query/tags.ts'
import {change, environment, storeOf} from '../support/documents.ts'
import {params, queries} from './queries.ts'
import {randomDataset, randomDocument} from './random.ts'

const meet = (a: readonly SyncTag[], b: readonly SyncTag[]) => a.some((tag) => b.includes(tag))
/** More than any test uses. */
const limit = 100_000

const prefix = fc.constantFrom('', '', 'drafts.')

for (const perspective of ['published', 'drafts', 'raw'] satisfies Perspective[]) {
  for (const query of queries) {
    test(`a change of the result is announced by its tags: ${perspective}, ${query}`, async () => {
      const changes = fc.array(fc.tuple(prefix, randomDocument, fc.boolean()), {minLength: 1, maxLength: 3})
      await fc.assert(
        fc.asyncProperty(randomDataset, changes, async (dataset, changed) => {
          const store = new DocumentStore()
          change(store, ...dataset)
          const before = await run(query, params, store.view(perspective), environment)
          const written = JSON.stringify(before.result)
          const {seen} = change(
            store,
            ...changed.map(([start, document, gone]) =>
              gone ? start + document._id : {...document, _id: start + document._id},
            ),
          )
          const after = await run(query, params, store.view(perspective), environment)
          if (isDeepStrictEqual(JSON.parse(written), JSON.parse(JSON.stringify(after.result)))) return
          const tags =
            perspective === 'published'
              ? tagsOfChanges(seen.published, limit)
              : tagsOfChanges([...seen.raw, ...seen.drafts], limit)
          ok(tags !== undefined && meet(before.syncTags, tags), `${before.syncTags} do not intersect ${tags}`)
        }),
        {numRuns: 25},
      )
    })
  }
}

const serviceQuery = `*[_type == "site" && publicId == $publicId] | order(_createdAt asc, _id asc)[0]{
  _id, _rev, publicId,
  "tools": *[_type == "tool" && site._ref == ^._id] | order(name asc, _id asc){...},
  "formTools": *[_type == "formTool" && site._ref == ^._id] | order(name asc, _id asc){...}
}`
const siteA = {_id: 'site-a', _type: 'site', publicId: 'A'}
const siteB = {_id: 'site-b', _type: 'site', publicId: 'B'}
const toolA = {_id: 'tool-a', _type: 'tool', name: 'a', site: {_type: 'reference', _ref: 'site-a'}}

const serviceTags = async (store: DocumentStore, publicId: string) =>
  (await run(serviceQuery, {publicId}, store.view('published'), environment)).syncTags

test("a change of one site's tool does not invalidate another site", async () => {
  const store = storeOf(siteA, siteB, toolA)
  const [a, b] = [await serviceTags(store, 'A'), await serviceTags(store, 'B')]
  const tags = tagsOfChanges(change(store, {...toolA, name: 'b'}).seen.published, limit) ?? []
  ok(meet(a, tags))
  equal(meet(b, tags), false)
})

test('a new site invalidates an earlier empty result', async () => {
  const store = storeOf(siteA)
  const [none, other] = [await serviceTags(store, 'B'), await serviceTags(store, 'C')]
  const tags = tagsOfChanges(change(store, siteB).seen.published, limit) ?? []
  ok(meet(none, tags))
  equal(meet(other, tags), false)
})

test('a draft does not invalidate published results', () => {
  const store = storeOf(siteA)
  const {seen} = change(store, {...siteA, _id: 'drafts.site-a', publicId: 'Z'})
  deepEqual(tagsOfChanges(seen.published, limit), [])
  notEqual(tagsOfChanges(seen.raw, limit)?.length, 0)
})

test('a query that depends on everything has a single tag', async () => {
  const store = storeOf(siteA)
  deepEqual((await run('*[publicId != "A"]', {}, store.view('published'), environment)).syncTags, [
    everythingTag,
  ])
})

test('a list of more ids than the tag limit is invalidated by every change', async () => {
  const store = storeOf(siteA)
  const ids = Array.from({length: 501}, (_, number) => `id-${number}`)
  const {syncTags} = await run('*[_id in $ids]', {ids}, store.view('published'), environment)
  deepEqual(syncTags, [everythingTag])
})

test('a change of more documents than the tag limit has no tag list', () => {
  const store = new DocumentStore()
  const many = Array.from({length: 1_001}, (_, number) => ({_id: `id-${number}`, _type: 'a'}))
  equal(tagsOfChanges(change(store, ...many).seen.published, 1_000), undefined)
})

test('a text too long for the index is searched in all documents of the type', async () => {
  const long = 'x'.repeat(300)
  const store = storeOf({_id: 'a', _type: 'a', name: long}, {_id: 'b', _type: 'a', name: 'short'})
  const query = '*[_type == "a" && name == $long]._id'
  const {result, examined} = await run(query, {long}, store.view('published'), environment)
  deepEqual(result, ['a'])
  equal(examined, 2)
})
