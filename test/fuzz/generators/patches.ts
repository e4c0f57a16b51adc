import fc from 'fast-check'
import {words} from '../../support/words.ts'
import {oddName, repeated, weighted, wildText} from './text.ts'

const step = fc.oneof(
  fc.constantFrom(...words(`name n list any a b __proto__ constructor prototype _id _type _rev`)),
  fc.constantFrom(...words(`[0] [-1] [1000000000] [0:1000000000] [:] [-1000000000:] [0,1,2:5] [] [*]`)),
  fc.constantFrom(...words(`[_key=="a"] [n>1] [_key==' ["a"] ['__proto__'] [0 ] .. .`), '[name match "*"]'),
  oddName,
)

/** A JSONMatch path: attributes, indexes, ranges, filters, recursion, and what cannot be parsed. */
export const path = fc.oneof(
  weighted(
    8,
    fc.array(fc.tuple(fc.constantFrom('', '.', '.', '..'), step), {minLength: 1, maxLength: 5}).map((steps) =>
      steps
        .flat()
        .join('')
        .replace(/^\.(?!\.)/, '')
        .replaceAll(/\.\[/g, '['),
    ),
  ),
  weighted(1, fc.constantFrom(...words('list[0:1000000000] any..a .. ..n [..] * list[0:9].a list[]'))),
  weighted(1, repeated(fc.constantFrom('a.', 'list[0:1000].', '..a', '[0]', '[[', '(', 'a[n>1].', '[0,1]'))),
  weighted(1, wildText),
)

/** Texts in the form of diff-match-patch, right and wrong. */
export const diff = fc.oneof(
  fc.constantFrom(
    '@@ -1,4 +1,5 @@\n a\n+b\n',
    '@@ -0,0 +1 @@\n+x\n',
    '@@ -1 +1 @@\n-a\n+b\n',
    '@@',
    '@@ -1',
    '',
  ),
  fc.constantFrom(
    '@@ -999999999,1 +1,1 @@\n-a\n+%\n',
    '@@ -1,1 +1,1 @@\n+%E0%A4%A\n',
    '@@ -a,b +c,d @@\n',
    '\n\n',
  ),
  repeated(fc.constantFrom('@@ -1,4 +1,5 @@\n a\n+b\n', '@@ -0,0 +1,9 @@\n+012345678\n', '+ab\n', '%41')),
  repeated(fc.constantFrom('ab', 'x', 'ba')).map(
    (long) => `@@ -1,${long.length} +1,${long.length} @@\n-${long}\n+${long}y\n`,
  ),
  wildText,
)
