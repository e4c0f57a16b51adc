import assert from 'node:assert/strict'
import {test} from 'node:test'
import {RequestCounts} from '../../../service/limits/rateLimit.ts'
import {keyOf, WINDOW, type Window, Windows} from '../../../service/limits/windows.ts'

/** Maximum number of windows. */
const KEPT = 50_000

test('a window counts until it ends, or so many others were used since', () => {
  const windows = new Windows()
  for (let asked = 1; asked <= 5; asked++) assert.equal(windows.add('shop').current, asked)
  for (let client = 1; client < KEPT; client++) windows.add(`one ${client}`)
  const window = windows.add('shop')
  assert.equal(window.current, 6)
  assert.equal(windows.of('shop', window.endsAt).current, 0)
  for (let client = 0; client < KEPT; client++) windows.add(`other ${client}`)
  assert.equal(windows.add('shop').current, 1)
})

test('a client is refused beyond the limit of a site, until its window ends', () => {
  const counts = new RequestCounts(3)
  const admitted = (client: string, now: number) =>
    Array.from({length: 4}, () => counts.admit('shop', client, now)).filter(Boolean).length
  assert.deepEqual(
    [admitted('a', 0), admitted('b', 0), admitted('a', WINDOW - 1), admitted('a', WINDOW)],
    [3, 3, 0, 3],
  )
})

test('windows are reported in steps of a fiftieth of the limit, and refused requests never', () => {
  const reported: Window[] = []
  const counts = new RequestCounts(600, {
    add: (_key, window) => {
      reported.push({...window})
      window.reported = window.current
    },
  })
  for (let sent = 0; sent < 1_000; sent++) counts.count(keyOf('shop', 'client'))
  assert.deepEqual(
    reported.map(({current}) => current),
    Array.from({length: 50}, (_, step) => (step + 1) * 12),
  )
})
