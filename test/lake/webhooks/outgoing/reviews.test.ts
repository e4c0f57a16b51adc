import assert from 'node:assert/strict'
import {type TestContext, test} from 'node:test'
import {isValidSignature} from '@sanity/webhook'
import type {Document} from '../../../../content/document.ts'
import {State} from '../../../../content/state/state.ts'
import {reviewsFor} from '../../../../lake/webhooks/sources.ts'
import {reviewIdOf} from '../../../../lake/write/transaction/review/reviewRequest.ts'
import {eventually} from '../../../support/eventually.ts'
import {pair, runReviewLake} from '../../write/reviews/reviewLake.ts'
import {type Delivery, delivererOf, receiver, SECRET, settingsFor, summary} from './receiver.ts'

const REVIEW = 'handrail.action.review.'

test('a request for a review is posted once, in words and signed; nothing else is', async (t) => {
  const {deliveries, url, until} = await receiver(t)
  const {people} = await runReviewLake(t, async () => settingsFor(url, 'review'))
  const {author, publisher} = people
  const revision = await author.edit('all-tool', {name: 'find'})
  await author.request('all-tool', revision)
  await until(1)
  await publisher.actions({actionType: `${REVIEW}comment`, publishedId: 'all-tool', text: 'Why?'})
  await publisher.actions({actionType: `${REVIEW}sendBack`, publishedId: 'all-tool', text: 'Not like this'})
  await author.request('all-tool', revision)
  await until(2)
  await publisher.publish('all-tool', revision)
  await author.actions({actionType: `${REVIEW}request`, publishedId: 'code-tool', action: 'delete'})
  await until(3)
  await author.actions({actionType: 'sanity.action.document.discard', ...pair('code-tool')})
  for (const {headers, body} of deliveries)
    assert.ok(await isValidSignature(body, String(headers['sanity-webhook-signature']), SECRET))
  const bodies = deliveries.map(({body}) => JSON.parse(body))
  assert.deepEqual(
    bodies.map(({text}) => text),
    [
      'author Name requests a review to publish tool “find” of all',
      'author Name requests a review to publish tool “find” of all',
      'author Name requests a review to delete tool “search” of code',
    ],
  )
  const [{document, site, by, comment}] = bodies
  assert.deepEqual(
    [document._id, document._type, site._id, by.name, comment],
    ['all-tool', 'tool', 'all', 'author Name', 'Please'],
  )
  assert.equal('email' in by, false)
})

const request = (document: string, at: string): Document => ({
  _id: reviewIdOf(document),
  _type: 'handrail.review',
  _rev: at,
  _createdAt: at,
  _updatedAt: at,
  document,
  site: null,
  action: 'delete',
  draftRevision: null,
  before: null,
  after: null,
  state: 'open',
  by: {id: 'grace', name: 'Grace', email: 'grace@example.com'},
  at,
  comments: [],
})

/** A deliverer of the reviews among documents that the test changes. */
function reviewsOf(
  t: TestContext,
  documents: Map<string, Document>,
  options: {url: string; state: State; dataset: string},
) {
  const store = {get: (id: string) => documents.get(id), idsFrom: () => [...documents.keys()]}
  const webhooks = delivererOf(t, reviewsFor(store), options)
  const add = (...reviews: Document[]) => {
    for (const review of reviews) documents.set(review._id, review)
    webhooks.wake()
  }
  return {webhooks, add}
}

const LATER = '2100-01-01T00:00:00.000Z'

test('a failed delivery is retried, also after a restart, and a review that is done is not reported', async (t) => {
  const datasetOf = ({headers}: Delivery) => headers['sanity-dataset']
  const {deliveries, until, url} = await receiver(t, (delivery) =>
    datasetOf(delivery) === 'first' ? 500 : 204,
  )
  // A delivery that a closed lake began may arrive late: the name of the dataset tells the lakes apart.
  const seenFrom = (dataset: string) =>
    deliveries.filter((delivery) => datasetOf(delivery) === dataset).map(summary)
  const state = State.inMemory()
  const documents = new Map([['old', request('old', '2001-01-01T00:00:00.000Z')]])
  const first = reviewsOf(t, documents, {url, state, dataset: 'first'})
  const [done, waiting] = [request('done', LATER), request('waiting', LATER.replace('00Z', '01Z'))]
  first.add(done, waiting)
  await until(2)
  // The response arrives after the request was received.
  await eventually(() => first.webhooks.failing.length, 1)
  assert.equal(first.webhooks.pending, 2)
  await first.webhooks.close()
  documents.delete(done._id)

  const second = reviewsOf(t, documents, {url, state, dataset: 'second'})
  await eventually(() => seenFrom('second').length, 1)
  await eventually(() => second.webhooks.pending, 0)
  assert.deepEqual(seenFrom('second'), [`create ${waiting._id}`])
  await second.webhooks.close()

  const third = reviewsOf(t, documents, {url, state, dataset: 'third'})
  third.add(request('waiting', LATER.replace('00Z', '02Z')))
  await eventually(() => seenFrom('third').length, 1)
  assert.deepEqual(seenFrom('third'), [`create ${waiting._id}`])
})
