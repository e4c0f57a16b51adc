import assert from 'node:assert/strict'
import {test} from 'node:test'
import {createServiceEvents} from '../../../service/events.ts'
import {logServiceEvents} from '../../../service/operations/eventLog.ts'
import {UpstreamWatch} from '../../../service/operations/upstreamWatch.ts'
import {listeningLog} from '../../support/log.ts'

const NOW = Date.parse('2026-11-26T12:00:00.500Z')

function watchUpstream() {
  const {log, lines} = listeningLog()
  const events = createServiceEvents()
  logServiceEvents(events, log)
  const clock = {now: NOW}
  return {
    events,
    clock,
    watch: new UpstreamWatch(events, () => clock.now),
    said: () => lines.map(({msg}) => msg),
  }
}

test('a clock that differs by more than a minute is reported until it is right', () => {
  const {watch, clock, said} = watchUpstream()
  assert.equal(watch.clockOffset, undefined)
  for (const nothing of [null, '', 'yesterday']) watch.responded(nothing)
  assert.equal(watch.clockOffset, undefined)
  watch.responded('Thu, 26 Nov 2026 12:00:00 GMT')
  assert.deepEqual([watch.clockOffset, watch.warnings()], [0, []])
  for (const [hours, words] of [
    [2, '7200 seconds ahead of'],
    [-2, '7200 seconds behind'],
  ] as const) {
    clock.now = NOW + hours * 3_600_000
    watch.responded('Thu, 26 Nov 2026 12:00:00 GMT')
    assert.equal(watch.clockOffset, hours * 3_600)
    assert.match(watch.warnings().join(), new RegExp(`^The clock of this machine is ${words} that of the`))
  }
  clock.now = NOW
  watch.responded('Thu, 26 Nov 2026 11:59:00 GMT')
  assert.deepEqual([watch.clockOffset, watch.warnings()], [60, []])
  assert.deepEqual(said(), [
    'the clocks of this machine and the content lake differ; previews may not open',
    'the clocks of this machine and the content lake agree again',
  ])
})

test('the end of the certificate of the last connection is known', () => {
  const {watch} = watchUpstream()
  assert.equal(watch.certificateEnd, undefined)
  watch.secured('Nov 27 12:00:00 2026 GMT')
  assert.equal(watch.certificateEnd, Date.parse('2026-11-27T12:00:00Z') / 1_000)
})
