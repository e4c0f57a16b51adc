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

/** An object with each of these members, sometimes of the wrong type, sometimes missing, sometimes with others. */
export function objectOf(members: {readonly [name: string]: fc.Arbitrary<string>}): fc.Arbitrary<string> {
  const entries = Object.entries(members).map(([name, value]) =>
    fc.oneof(
      weighted(
        16,
        value.map((text): Entry[] => [[name, text]]),
      ),
      weighted(
        1,
        wildJson.map((text): Entry[] => [[name, text]]),
      ),
      weighted(1, fc.constant<Entry[]>([])),
    ),
  )
  const others = fc.oneof(
    weighted(12, fc.constant<Entry[]>([])),
    weighted(
      1,
      fc.tuple(oddName, wildJson).map((entry): Entry[] => [entry]),
    ),
  )
  return fc.tuple(...entries, others).map((lists) => joined(lists.flat()))
}

/** An object with some of these members. */
export function someOf(members: {readonly [name: string]: fc.Arbitrary<string>}): fc.Arbitrary<string> {
  const choices = Object.entries(members).map(([name, value]) => value.map((text): Entry => [name, text]))
  return fc.array(fc.oneof(...choices), {minLength: 1, maxLength: 3}).map(joined)
}

/** A list of up to so many. */
export function listOf(item: fc.Arbitrary<string>, maxLength = 4): fc.Arbitrary<string> {
  return fc.array(item, {maxLength}).map((items) => `[${items.join(',')}]`)
}

/** The same item many times. */
export function manyOf(item: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(item, times).map(
    ([text, count]) =>
      `[${Array(bounded(Math.min(count, 3_000), text.length))
        .fill(text)
        .join(',')}]`,
  )
}

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
