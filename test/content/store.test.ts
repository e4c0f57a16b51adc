import {deepEqual, equal} from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {DocumentStore, type Perspective} from '../../content/store.ts'
import {run} from '../../lake/query/run.ts'
import {randomDocument} from '../lake/query/random.ts'
import {change, environment, storeOf} from '../lake/support/documents.ts'
import {runs} from '../runner/runs.ts'

const ids = (store: DocumentStore, perspective: Perspective) =>
  store
    .view(perspective)
    .all()
    .map(({_id}) => _id)

test('each perspective shows the right documents', () => {
  const store = storeOf(
    {_id: 'a', _type: 'x'},
    {_id: 'drafts.a', _type: 'x', draft: true},
    {_id: 'drafts.b', _type: 'x'},
    {_id: 'versions.r1.a', _type: 'x'},
  )
  deepEqual(ids(store, 'raw'), ['a', 'drafts.a', 'drafts.b', 'versions.r1.a'])
  deepEqual(ids(store, 'published'), ['a'])
  deepEqual(ids(store, 'drafts'), ['a', 'b'])
  const seen = store.view('drafts').get('a')
  deepEqual([seen?._id, seen?._originalId, seen?.draft], ['a', 'drafts.a', true])
})

test('a perspective of releases shows the first layer that has a document', () => {
  const layer = fc.constantFrom('', 'drafts.', 'versions.r.', 'versions.s.')
  const plain = randomDocument.filter(({_id}) => !_id.includes('.'))
  const given = fc.array(fc.tuple(layer, plain, fc.boolean()), {maxLength: 12})
  fc.assert(
    fc.property(given, (documents) => {
      const store = storeOf(
        ...documents.map(([start, document, isGone]) => {
          const _id = start + document._id
          return {...document, _id, ...(isGone && start.startsWith('v') && {_system: {delete: true}})}
        }),
      )
      for (const perspective of ['r', 'r,drafts', 'drafts,s', 's,r,drafts', 'other']) {
        const layers = perspective
          .split(',')
          .map((name) => (name === 'drafts' ? 'drafts.' : `versions.${name}.`))
        const published = [...new Set(documents.map(([, {_id}]) => _id))].sort()
        const expected = published.flatMap((id) => {
          const shown = [...layers, ''].map((start) => store.get(start + id)).find((one) => one !== undefined)
          const isGone = shown?._system !== undefined
          return shown === undefined || isGone ? [] : [{...shown, _id: id, _originalId: shown._id}]
        })
        const view = store.view(perspective)
        deepEqual(view.all(), expected, perspective)
        equal(view.size, expected.length)
        for (const type of ['a', 'b'])
          deepEqual(
            view.find('_type', [type]),
            expected.filter(({_type}) => _type === type),
            perspective,
          )
        for (const id of published)
          deepEqual(
            view.get(id),
            expected.find(({_id}) => _id === id),
            perspective,
          )
      }
    }),
    {numRuns: runs(200)},
  )
})

test('perspectives of releases share what their releases do not change, however many there are', () => {
  const names = Array.from({length: 20}, (_, index) => `r${index}`)
  const store = storeOf(
    {_id: 'a', _type: 'x'},
    {_id: 'b', _type: 'x'},
    ...names.map((name) => ({_id: `versions.${name}.b`, _type: 'x', name})),
  )
  for (const name of [...names, ...names]) {
    const view = store.view(`${name},drafts`)
    equal(view.get('a'), store.view('drafts').get('a'))
    equal(view.get('b')?.name, name)
  }
})

test('discarding a draft shows the published document again', () => {
  const store = storeOf({_id: 'a', _type: 'x', n: 1}, {_id: 'drafts.a', _type: 'x', n: 2})
  equal(store.view('drafts').get('a')?.n, 2)
  const {seen} = change(store, 'drafts.a')
  equal(store.view('drafts').get('a')?.n, 1)
  deepEqual(
    seen.drafts.map(({id, before, after}) => [id, before?.n, after?.n]),
    [['a', 2, 1]],
  )
  deepEqual(seen.published, [])
})

test('writing an unchanged document is not a change', () => {
  const store = storeOf({_id: 'a', _type: 'x', _rev: 'r'})
  deepEqual(change(store, {_id: 'a', _type: 'x', _rev: 'r'}, 'none').changes, [])
  equal(
    change(store, {_id: 'a', _type: 'x', _rev: 'r', _updatedAt: '2027-01-01T00:00:00Z'}).changes.length,
    1,
  )
})

test('incrementally updated views and indexes equal those of a new store', async () => {
  const step = fc.tuple(fc.constantFrom('', 'drafts.', 'versions.r.'), randomDocument, fc.boolean())
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, {maxLength: 4}), {maxLength: 6}), async (transactions) => {
      const followed = new DocumentStore()
      const queries = [
        '*[_type == "a"]',
        '*[n == 1]',
        '*[references("a-1")]',
        '*[_id == "a-1"]',
        '*[name == "x"]',
      ]
      const answers = async (store: DocumentStore) => {
        const all = []
        for (const perspective of ['raw', 'published', 'drafts', 'r,drafts'] satisfies Perspective[]) {
          for (const query of queries)
            all.push((await run(query, {}, store.view(perspective), environment)).result)
        }
        return all
      }
      await answers(followed)
      for (const steps of transactions) {
        change(
          followed,
          ...steps.map(([start, document, gone]) =>
            gone ? start + document._id : {...document, _id: start + document._id},
          ),
        )
        await answers(followed)
      }
      const fresh = new DocumentStore()
      const documents = new Map(
        followed
          .view('raw')
          .all()
          .map((document) => [document._id, document]),
      )
      fresh.apply({id: 't', identity: 'ada', timestamp: '', documents})
      deepEqual(await answers(followed), await answers(fresh))
    }),
    {numRuns: runs(1_000)},
  )
})

test('an unused index is dropped and rebuilt on demand', async () => {
  const store = storeOf({_id: 'a', _type: 'x', n: 1})
  const view = store.view('raw')
  for (let number = 0; number < 100; number += 1) view.find(`attribute${number}`, ['1'])
  change(store, {_id: 'b', _type: 'x', n: 1})
  deepEqual(
    view.find('n', ['1']).map(({_id}) => _id),
    ['a', 'b'],
  )
})
