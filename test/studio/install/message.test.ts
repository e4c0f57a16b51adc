import assert from 'node:assert/strict'
import {test} from 'node:test'
import {messageToDeveloper} from '../../../studio/visits/words.ts'

test('the message for the person who edits the pages has all that they need, and can be pasted into a mail', () => {
  const site = {publicId: 'shop-public', hasHashRouter: true}
  const lines = messageToDeveloper('https://tools.example', site).split('\n')
  assert.ok(
    lines.includes(
      '<script async crossorigin src="https://tools.example/snippet.js" data-site="shop-public" data-hash-router></script>',
    ),
  )
  assert.ok(lines.includes('script-src https://tools.example'))
  assert.ok(lines.includes('connect-src https://tools.example'))
  assert.ok(lines.some((line) => line.includes('nonce="…"')))
  assert.ok(lines.every((line) => !line.includes('undefined') && line === line.trim()))
})
