import assert from 'node:assert/strict'
import test from 'node:test'
import type {Coding} from '../../../service/codings/acceptedCodings.ts'
import {heldEntityTag, matchesEntityTag} from '../../../service/http/conditional.ts'

const tag = '"abc-1"'

test('If-None-Match, RFC 9110 §13.1.2 and §8.8.3', async (t) => {
  const rows: [field: string, matches: boolean, why: string][] = [
    ['"abc-1"', true, 'the tag itself'],
    ['W/"abc-1"', true, 'the weak form, as a compressing proxy makes it: the comparison is weak'],
    ['"x", "abc-1"', true, 'a list that holds the tag'],
    ['"x","abc-1","y"', true, 'a list without white space'],
    ['W/"x" , W/"abc-1"', true, 'a list of weak tags with optional white space'],
    [' , "abc-1",', true, 'empty list members, which a recipient must ignore (§5.6.1.2)'],
    ['*', true, 'any current representation'],
    [' * ', true, 'the asterisk in white space'],
    ['"x,"abc-1"', false, 'a broken tag swallows what follows'],
    ['"a,b", "abc-1"', true, 'a comma inside another tag'],
    ['"abc-1', false, 'no closing quote'],
    ['abc-1', false, 'no quotes at all'],
    ['"ABC-1"', false, 'case counts'],
    ['"abc-10"', false, 'a longer tag'],
    ['"x"', false, 'another tag'],
    ['', false, 'an empty field'],
    ['"*"', false, 'a quoted asterisk is an ordinary tag'],
    ['"x", *', false, 'an asterisk counts alone only'],
  ]
  for (const [field, expected, why] of rows) {
    await t.test(`${field || '(empty)'} → ${expected ? 304 : 200}: ${why}`, () => {
      assert.equal(matchesEntityTag(field, tag), expected)
    })
  }
})

test('a client’s copy stays valid in any coding that it accepts', async (t) => {
  const rows: [field: string | undefined, accepted: Coding[], held: string | undefined, why: string][] = [
    ['"abc-1"', ['br', 'identity'], '"abc-1"', 'the text as it is, got before there was a better coding'],
    ['"abc-1-br"', ['br', 'gzip', 'identity'], '"abc-1-br"', 'a coding of it'],
    ['W/"abc-1-gzip"', ['br', 'gzip', 'identity'], '"abc-1-gzip"', 'made weak on its way'],
    [
      '"abc-1", "abc-1-br"',
      ['gzip', 'br', 'identity'],
      '"abc-1-br"',
      'of several the one that it likes best',
    ],
    ['"abc-1-br"', ['gzip', 'identity'], undefined, 'what it cannot take'],
    ['"abc-2-br"', ['br', 'identity'], undefined, 'another text'],
    ['*', ['gzip', 'identity'], '"abc-1-gzip"', 'whatever it has'],
    [undefined, ['identity'], undefined, 'nothing'],
  ]
  for (const [field, accepted, held, why] of rows) {
    await t.test(`${field} with ${accepted.join()} → ${held ?? 200}: ${why}`, () => {
      assert.equal(heldEntityTag(field, tag, accepted), held)
    })
  }
})
