import assert from 'node:assert/strict'
import {test} from 'node:test'
import {BusyError, SiteError, UpstreamError} from '../../../service/errors.ts'
import {createServiceEvents} from '../../../service/events.ts'
import {logServiceEvents} from '../../../service/operations/eventLog.ts'
import {listeningLog} from '../../support/log.ts'

test('queries that fail in the background, and those that were too many, are logged once, with the reason', () => {
  const {log, lines} = listeningLog()
  const events = createServiceEvents()
  logServiceEvents(events, log)
  for (let number = 0; number < 3; number++) {
    events.emit('asked', 'revision', 3_000, false, new SiteError('no response in time'))
    events.emit('asked', 'changes', 3_000, false, new UpstreamError('unavailable'))
    events.emit('asked', 'site', 3_000, false, new SiteError('no response in time'))
    events.emit('failed', `made-up-${number}`, new BusyError('too many queries'))
  }
  assert.deepEqual(
    lines.map(({msg, reason}) => [String(msg).split(' with ')[0], reason]),
    [
      ['cannot compare a batch of sites', 'no response in time'],
      ['cannot check live events; comparing sites in use', 'unavailable'],
      ['too many queries', undefined],
    ],
  )
})
