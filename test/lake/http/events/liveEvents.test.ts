import {equal} from 'node:assert/strict'
import {test} from 'node:test'
import {LiveEvents} from '../../../../lake/http/events/live.ts'
import {change, storeOf} from '../../support/documents.ts'

test('a client that reconnects is told to begin again only if it missed what its perspective shows', () => {
  const store = storeOf({_id: 'a', _type: 'x'})
  const events = new LiveEvents()
  const first = events.lastId
  events.add(change(store, {_id: 'drafts.b', _type: 'x'}))
  equal(events.missed(first, 'published'), undefined)
  equal(events.missed(first, 'drafts')?.event, 'restart')
  events.add(change(store, {_id: 'c', _type: 'x'}))
  equal(events.missed(first, 'published')?.event, 'restart')
  equal(events.missed(events.lastId, 'published'), undefined)
})
