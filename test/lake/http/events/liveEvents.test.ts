import {equal} from 'node:assert/strict'
import {test} from 'node:test'
import {LiveEvents} from '../../../../lake/http/events/live.ts'
import {change, storeOf} from '../../support/documents.ts'

test('the last event of a stream is the one at its beginning, or the last one that its perspective shows', () => {
  const store = storeOf({_id: 'a', _type: 'x'})
  const events = new LiveEvents()
  const first = events.lastId
  events.add(change(store, {_id: 'drafts.b', _type: 'x'}))
  const draft = events.lastId
  equal(events.lastIdSince(first, 'published'), first)
  equal(events.lastIdSince(first, 'drafts'), draft)
  equal(events.lastIdSince(draft, 'published'), draft)
  events.add(change(store, {_id: 'c', _type: 'x'}))
  equal(events.lastIdSince(first, 'published'), events.lastId)
  equal(events.missed(first, 'published')?.event, 'restart')
  equal(events.missed(events.lastId, 'published'), undefined)
})
