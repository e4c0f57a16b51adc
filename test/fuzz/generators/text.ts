import fc from 'fast-check'
import {words} from '../../support/words.ts'

/** One of the choices of `fc.oneof`, and how often it is taken. */
export const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({weight, arbitrary})

/** How often something is repeated: mostly a few times, seldom so often that parsers recurse too deeply. */
export const times = fc.oneof(
  weighted(8, fc.integer({min: 1, max: 8})),
  weighted(4, fc.integer({min: 9, max: 200})),
  weighted(2, fc.integer({min: 201, max: 5_000})),
  weighted(1, fc.integer({min: 5_001, max: 100_000})),
)

/** Characters of a text that was made longer by repetition: more than any route of the servers accepts. */
const MAX_LENGTH = 6_000_000

/** So many of a number that the whole stays within a length that is worth sending. */
export function bounded(count: number, length: number): number {
  return Math.max(1, Math.min(count, Math.floor(MAX_LENGTH / (length + 1))))
}

/** Something over and over. Shrinks to fewer repetitions. */
export function repeated(unit: fc.Arbitrary<string>, count = times): fc.Arbitrary<string> {
  return fc.tuple(unit, count).map(([text, number]) => text.repeat(bounded(number, text.length)))
}

/** Names that objects of JavaScript have, that Sanity or file systems reserve, or that parsers trip over. */
export const oddName = fc.constantFrom(
  ...words(`
    __proto__ constructor prototype hasOwnProperty toString valueOf length then _id _type _rev _ref _key
    _createdAt _updatedAt _system _weak _score . .. ... @ ^ * - _ ~ a.b a/b a,b ' " ../../etc/passwd .git
    git~1 con NUL aux.json x. x.lock README.md Post post drafts. drafts.x drafts.drafts.x versions.r.x ä é 😀
    %00 %2e%2e % %zz {a,b} [0] null undefined NaN 1e999 -0`),
  '',
  ' ',
  '$',
  'a b',
  'a\\b',
  '\u202e',
  '\ud800',
  '\0',
  '\n',
  '\u001b[2J',
)

/** Any short or long text. */
export const wildText = fc.oneof(
  weighted(4, oddName),
  weighted(3, fc.string({unit: 'binary', maxLength: 24})),
  weighted(3, fc.string({maxLength: 12})),
  weighted(1, repeated(fc.constantFrom('a', 'x/', '.', '*', '😀', '\\', '"', '\n', ' ', '%41', '--'))),
)

/** Numbers at the edges of what JSON, doubles and counters hold, as JSON writes them. */
export const oddNumber = fc.constantFrom(
  ...['0', '1', '-1', '0.1', '-0', '1e308', '-1e308', '1e999', '5e-324', '9007199254740993', '2147483648'],
  ...['1000000000', '4294967296', '1e21', '123456789012345678901234567890'],
)
