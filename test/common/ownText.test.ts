import assert from 'node:assert/strict'
import {test} from 'node:test'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {ownText} from '../../common/ownText.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

test('a copied part of a text is equal to it, and does not keep the whole text in memory', () => {
  const length = 1_000_000
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const parts = Array.from({length: 20}, (_, number) => {
    const whole = Buffer.alloc(length, `${number}, “quoted” `).toString('latin1')
    const part = whole.slice(100, 200)
    const own = ownText(part)
    assert.equal(own, part)
    return own
  })
  collectGarbage()
  assert.ok(process.memoryUsage().heapUsed - before < length)
  assert.equal(parts.length, 20)
})
