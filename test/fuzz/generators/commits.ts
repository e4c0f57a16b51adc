import fc from 'fast-check'
import {words} from '../../support/words.ts'
import {repeated, weighted} from './text.ts'

/** What a tree has at a name. */
export type OddEntry = {readonly mode: string; readonly name: Buffer; readonly target: OddTarget}

/** An object, or none, that an entry of a tree names. */
export type OddTarget =
  | {readonly blob: Buffer}
  | {readonly tree: readonly OddEntry[]}
  /** A tree in a tree in a tree. */
  | {readonly depth: number}
  | 'missing'

/** A commit as somebody can push it: Git checks none of this, unless `receive.fsckObjects` is set. */
export type OddCommit = {
  readonly author: Buffer
  readonly committer: Buffer
  /** Further lines of the header. */
  readonly headers: readonly string[]
  readonly message: Buffer
  readonly entries: readonly OddEntry[]
  readonly parents: 'one' | 'none' | 'twice'
}

const seconds = fc.constantFrom(
  ...['1700000000', '0', '-1', '-99999999999', '2147483648', '4294967296', '253402300799', '253402300800'],
  ...['8640000000001', '99999999999999', '9223372036854775808', '9'.repeat(40), '1e9', '0x10', 'now', ''],
)
const zone = fc.constantFrom('+0000', '+1400', '-1200', '+9999', '-0000', '+99999999', 'UTC', '')

const identity = fc.oneof(
  fc.constantFrom(
    ...['Ada <ada@example.com>', '<>', ' <>', '', 'Ada', 'ada@example.com', 'A <<b>> <c>', 'A <b', 'A> <b>'],
    ...['\u0001\u0002 <\u0001@\u0002>', 'Ren\u00e9 <r@x>', '\u202eadA <a@b>', '\ud800 <a@b>', 'A\tB <a@b>'],
  ),
  repeated(fc.constantFrom('x', '\u0001', '<', 'é')).map((name) => `${name.slice(0, 300_000)} <a@b.c>`),
)

const person = fc
  .tuple(identity, seconds, zone, fc.boolean())
  .map(([who, when, where, isLatin]) =>
    Buffer.from(`${who} ${when} ${where}`.trimEnd(), isLatin ? 'latin1' : 'utf8'),
  )

const headers = fc.array(
  fc.constantFrom(
    ...['encoding ISO-8859-1', 'encoding nonsense', 'encoding ', 'gpgsig -----BEGIN PGP SIGNATURE-----\n x'],
    ...['mergetag object x', 'HG:rename a', `x ${'y'.repeat(70_000)}`],
  ),
  {maxLength: 2},
)

const message = fc
  .oneof(
    fc.constantFrom('', 'Change content', '\n\n\n', '\u0001\u0002', 'a\0b', 'Transaction: a b c', '\ud800'),
    repeated(fc.constantFrom('x', 'word ', 'line\n', 'Reviewed-by: a <b>\n', '\u0001')),
  )
  .map((text) => Buffer.from(text.slice(0, 2_000_000)))

const mode = fc.constantFrom(
  ...['100644', '100644', '100644', '40000', '040000', '100755', '100664', '120000', '160000', '100000'],
  ...['0', '777777', '644', '', 'x'],
)

const name = fc
  .oneof(
    fc.constantFrom(
      ...words(`
        post post a.json a.json b.json kept.json POST tool tool.json .git .. . post/a.json "
        con aux.json __proto__ __proto__.json constructor drafts.a.json a.json.json - --help :(glob)**
        é.json`),
      '',
      'post\\a.json',
      'a\nb.json',
      'a\tb',
      ' ',
      'e\u0301.json',
      '\u202e.json',
      'x'.repeat(300),
      `${'x'.repeat(100_000)}.json`,
    ),
    fc.string({maxLength: 12}),
  )
  .map((text) => Buffer.from(text.replaceAll('\0', '')))

/** Contents of documents. */
const content = fc
  .oneof(
    fc.constantFrom(
      ...words(`
        { {} [] null 0 {"_id":"a","_type":"post"} {"_id":"a","_type":"post","__proto__":{"x":1}}
        {"_id":"b","_type":"tool","_rev":"x"}`),
      '',
      '\ufeff{}',
      '\u0000',
    ),
    repeated(fc.constantFrom('[', '{"a":', '"', '\u0000')),
  )
  .map((text) => Buffer.from(text))

const entry: fc.Memo<OddEntry> = fc.memo((depth) =>
  fc.record({
    mode,
    name,
    target: fc.oneof(
      weighted(6, fc.record({blob: content})),
      weighted(1, fc.constant('missing' as const)),
      weighted(1, fc.record({depth: fc.constantFrom(3, 100, 2_000)})),
      ...(depth > 1 ? [weighted(4, fc.record({tree: fc.array(entry(depth - 1), {maxLength: 4})}))] : []),
    ),
  }),
)

/** Commits with odd people, dates, messages, modes, names, trees and layouts. */
export const oddCommit: fc.Arbitrary<OddCommit> = fc.record({
  author: person,
  committer: person,
  headers,
  message,
  entries: fc.array(entry(3), {maxLength: 5}),
  parents: fc.constantFrom('one', 'one', 'one', 'none', 'twice'),
})
