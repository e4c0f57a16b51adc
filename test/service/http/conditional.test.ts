import assert from 'node:assert/strict'
import test from 'node:test'
import {matchesEntityTag} from '../../../service/http/conditional.ts'

const tag = '"abc-1"'

test('If-None-Match, RFC 9110 §13.1.2 and §8.8.3', async (t) => {
  const rows: [field: string, matches: boolean, why: string][] = [
    ['"abc-1"', true, 'the tag itself'],
    ['W/"abc-1"', true, 'the weak form, as a compressing proxy makes it: the comparison is weak'],
    ['"x", "abc-1"', true, 'a list that contains the tag'],
    ['"x","abc-1","y"', true, 'a list without white space'],
    ['W/"x" , W/"abc-1"', true, 'a list of weak tags with optional white space'],
    [' , "abc-1",', true, 'empty list members, which a recipient must ignore (§5.6.1.2)'],
    ['*', true, 'any current representation'],
    [' * ', true, 'the asterisk in white space'],
    ['"x,"abc-1"', false, 'an unclosed tag includes what follows'],
    ['"a,b", "abc-1"', true, 'a comma inside another tag'],
    ['"abc-1', false, 'no closing quote'],
    ['abc-1', false, 'no quotes at all'],
    ['"ABC-1"', false, 'tags are case-sensitive'],
    ['"abc-10"', false, 'a longer tag'],
    ['"x"', false, 'another tag'],
    ['', false, 'an empty field'],
    ['"*"', false, 'a quoted asterisk is an ordinary tag'],
    ['"x", *', false, 'an asterisk is only valid alone'],
  ]
  for (const [field, expected, why] of rows) {
    await t.test(`${field || '(empty)'} → ${expected ? 304 : 200}: ${why}`, () => {
      assert.equal(matchesEntityTag(field, tag), expected)
    })
  }
})
