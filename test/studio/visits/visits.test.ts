import assert from 'node:assert/strict'
import {test} from 'node:test'
import {causesOf} from '../../../studio/install/causes.ts'
import {justSeen} from '../../../studio/visits/report.ts'

const NOW = 1_800_000_000_000

test('Studio says why no page may have asked, and what to do about each reason, with the values of this site', () => {
  const causes = causesOf('shop-public', 'https://tools.example')
  for (const [cause, remedy] of causes) assert.match(`${cause} ${remedy}`, /^[A-Z].*\. .*[A-Z“].*$/)
  const text = causes.flat().join('\n')
  for (const word of ['data-site="shop-public"', 'https://tools.example', 'script tag', 'connect-src'])
    assert.ok(text.includes(word), word)
})

test('a page that asked within the last minute has just asked: browsers keep the response', () => {
  const at = (age: number) => justSeen({now: NOW, seenAt: NOW - age})
  assert.equal(at(60_000), NOW - 60_000)
  assert.equal(at(3_600_000), undefined)
  assert.equal(justSeen({now: NOW, seenAt: undefined}), undefined)
})
