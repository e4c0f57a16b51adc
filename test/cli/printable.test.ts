import assert from 'node:assert/strict'
import {test} from 'node:test'
import {printable, printableJson, withoutCommands} from '../../cli/printable.ts'

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

/** What runners of CI systems obey, and where: see `withoutCommands`. */
function hasCommand(log: string): boolean {
  return /##[\w.-]*\[/.test(log) || log.split(/[\r\n]/).some((line) => line.trimStart().startsWith('::'))
}

const COMMANDS = [
  'a ##[add-mask]b',
  '###[x]',
  '##vso[task.setvariable]x',
  '##teamcity[x]',
  '::x::',
  ' \u00a0::x::',
]

for (const command of COMMANDS)
  test(`“${command}” is no command of a CI system when it is printed`, () => {
    assert.ok(hasCommand(command))
    assert.ok(!hasCommand(printable(command)), printable(command))
    const lines = `fine\n${command}\n`
    assert.ok(!hasCommand(withoutCommands(lines)))
    const value = {[command]: [`${command}\u009b\u{e0041}\ud800`]}
    assert.ok(!hasCommand(printableJson(value)), printableJson(value))
    assert.deepEqual(JSON.parse(printableJson(value)), value)
  })
