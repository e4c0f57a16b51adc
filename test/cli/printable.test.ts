import assert from 'node:assert/strict'
import {test} from 'node:test'
import {printable} from '../../cli/printable.ts'

for (const [kind, character] of Object.entries({
  'an escape sequence': '\u001b',
  'a line break': '\n',
  'a change of the direction of writing': '\u202e',
  'a zero-width space': '\u200b',
  'a tag character': '\u{e0041}',
  'a line separator': '\u2028',
  'a paragraph separator': '\u2029',
  'half of a surrogate pair': '\ud800',
}))
  test(`${kind} is printed as its code`, () => {
    const code = character.codePointAt(0)?.toString(16)
    assert.equal(printable(`a${character}b`), `a\\u{${code}}b`)
  })

test('other text is printed as it is', () => {
  assert.equal(printable('Café – 日本 🙂'), 'Café – 日本 🙂')
})
