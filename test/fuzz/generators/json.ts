import fc from 'fast-check'
import {bounded, oddName, oddNumber, repeated, times, weighted, wildText} from './text.ts'

// Everything here is JSON text and not values: so a document can be deeper than a serializer could write it.

/** A JSON string. */
export const jsonString = wildText.map((text) => JSON.stringify(text))

const leaf = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '""', '[]', '{}', '[null]', '{"_type":"reference","_ref":"a-1"}'),
  oddNumber,
  jsonString,
)

/** Lists and objects in each other, up to far too deep. */
export const deepJson = fc
  .tuple(
    fc.constantFrom(['[', ']'], ['{"a":', '}'], ['[{"b":', '}]'], ['[[],', ']'], ['{"a":1,"a":', '}']),
    times,
    leaf,
  )
  .map(([[open = '', close = ''], depth, inside]) => open.repeat(depth) + inside + close.repeat(depth))

/** Long lists and objects with many members. */
const wideJson = fc.oneof(
  fc
    .tuple(leaf, times)
    .map(([item, count]) => `[${Array(bounded(count, item.length)).fill(item).join(',')}]`),
  times.map((count) => {
    const names = Array.from({length: Math.min(count, 20_000)}, (_, number) => `"k${number}":${number}`)
    return `{${names.join(',')}}`
  }),
)

/** Any JSON value. */
export const wildJson: fc.Arbitrary<string> = fc.letrec<{value: string; list: string; object: string}>(
  (tie) => ({
    value: fc.oneof(
      {maxDepth: 3},
      weighted(6, leaf),
      weighted(2, tie('list')),
      weighted(3, tie('object')),
      weighted(1, deepJson),
      weighted(1, wideJson),
    ),
    list: fc.array(tie('value'), {maxLength: 4}).map((items) => `[${items.join(',')}]`),
    object: fc
      .array(fc.tuple(fc.oneof(oddName, fc.constantFrom('a', 'b', 'n')), tie('value')), {maxLength: 4})
      .map(joined),
  }),
).value

/** Invalid JSON. */
export const brokenJson = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '}',
    '[1,]',
    '{"a"}',
    'undefined',
    "{'a':1}",
    '\ufeff{}',
    '{}{}',
    '{"a":1',
    '"\u0000"',
  ),
  fc.constantFrom('{"__proto__":{"x":1}}', '{"constructor":{"prototype":{"x":1}}}', 'nul', '1e', '\ud800'),
  repeated(fc.constantFrom('[', '{"a":', '"', '\\', '[[],')),
  wildText,
)

type Entry = [name: string, text: string]

function joined(entries: readonly Entry[]): string {
  return `{${entries.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`
}
