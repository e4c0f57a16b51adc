import assert from 'node:assert/strict'
import {test} from 'node:test'
import {parseInputSchema, parseOutputSchema} from '../../../schemas/rules/inputSchema.ts'
import {parseScript} from '../../../schemas/rules/script.ts'
import {parseSelector} from '../../../schemas/rules/selector.ts'
import {visible} from '../../../schemas/rules/text.ts'
import {accepted, problemOf} from './problem.ts'

const HIDDEN = {
  'right-to-left override': '\u202e',
  'left-to-right isolate': '\u2066',
  'pop directional isolate': '\u2069',
  'zero-width space': '\u200b',
  'zero-width joiner': '\u200d',
  'zero-width non-joiner': '\u200c',
  'line separator': '\u2028',
  'soft hyphen': '\u00ad',
  'hangul filler': '\u3164',
  'tag letter': '\u{e0061}',
  'variation selector': '\ufe0f',
  'variation selector 17': '\u{e0100}',
  'byte order mark': '\ufeff',
  'null character': '\0',
  'lone surrogate': '\ud800',
}

for (const [name, character] of Object.entries(HIDDEN)) {
  test(`code with a ${name} is refused, and shown with an escape`, () => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    const problem = new RegExp(`U\\+0*${code} at line 2, column 4`, 'i')
    for (const text of [`/* \n * ${character} */ return 1`, `return \`\n a ${character}\``])
      assert.match(problemOf(parseScript(text)) ?? '', problem)
    const schema = `{"type": "object", "properties": {},\n"a${character}b": 1}`
    for (const parse of [parseInputSchema, parseOutputSchema])
      assert.match(problemOf(parse(schema)) ?? '', new RegExp(`U\\+0*${code} at line 2, column 3`, 'i'))
    assert.match(problemOf(parseSelector(`form[name="a${character}"]`)) ?? '', /U\+.* at line 1, column 13/)
    assert.equal(visible(`a${character}b`), `a\\u{${code}}b`)
  })
}

test('escapes, emoji and scripts with joiners are accepted, and shown as they are', () => {
  const texts = ['👩‍🌾', '👩🏽‍💻', '❤️', '🏳️‍🌈', '1️⃣', '☎︎', 'می‌خواهم', 'क्‍ष', 'ശ്രീ', 'café', '日本語', 'a\u00a0b']
  for (const text of texts) {
    const script = `return "${text}"`
    assert.equal(accepted(parseScript(script)), script)
    assert.ok(accepted(parseInputSchema(`{"type": "object", "properties": {}, "title": "${text}"}`)))
    assert.equal(visible(script), script)
  }
  for (const script of ['return "\\u202e"', 'return 1\r\n\t// two\rlines'])
    assert.equal(accepted(parseScript(script)), script)
})
