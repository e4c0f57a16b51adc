import fc from 'fast-check'
import {words} from '../../support/words.ts'
import {listOf, manyOf, objectOf, someOf, wildJson} from './json.ts'
import {oddName, oddNumber, repeated, weighted, wildText} from './text.ts'

const quoted = (text: string) => JSON.stringify(text)

const step = fc.oneof(
  fc.constantFrom(...words(`name n list any a b __proto__ constructor prototype _id _type _rev`)),
  fc.constantFrom(...words(`[0] [-1] [1000000000] [0:1000000000] [:] [-1000000000:] [0,1,2:5] [] [*]`)),
  fc.constantFrom(...words(`[_key=="a"] [n>1] [_key==' ["a"] ['__proto__'] [0 ] .. .`), '[name match "*"]'),
  oddName,
)

/** A JSONMatch path: attributes, indexes, ranges, filters, recursion, and what cannot be parsed. */
const path = fc.oneof(
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
  weighted(
    1,
    fc.constantFrom('list[0:1000000000]', 'any..a', '..', '..n', '[..]', '*', 'list[0:9].a', 'list[]'),
  ),
  weighted(1, repeated(fc.constantFrom('a.', 'list[0:1000].', '..a', '[0]', '[[', '(', 'a[n>1].', '[0,1]'))),
  weighted(1, wildText),
)

const by = (value: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(path, value), {maxLength: 3})
    .map((entries) => `{${entries.map(([key, text]) => `${quoted(key)}:${text}`).join(',')}}`)

/** Texts in the form of diff-match-patch, right and wrong. */
const diff = fc
  .oneof(
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
  .map(quoted)

const insert = objectOf({
  items: fc.oneof(listOf(wildJson), manyOf(wildJson)),
  after: path.map(quoted),
}).chain((text) =>
  fc.constantFrom('after', 'before', 'replace').map((place) => text.replace('"after":', `"${place}":`)),
)

/** The operations of a patch. */
export const operations = someOf({
  set: by(wildJson),
  setIfMissing: by(wildJson),
  merge: by(wildJson),
  unset: listOf(path.map(quoted)),
  inc: by(fc.oneof(weighted(5, oddNumber), weighted(1, wildJson))),
  dec: by(oddNumber),
  diffMatchPatch: by(diff),
  insert,
})
