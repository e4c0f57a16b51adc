import fc from 'fast-check'
import {weighted} from './text.ts'

/** A query of some kind whose cost grows with a number. */
type Bomb = (count: number) => string

const around =
  (open: string, inside: string, close: string): Bomb =>
  (count) =>
    open.repeat(count) + inside + close.repeat(count)

const chain =
  (start: string, link: string, end = ''): Bomb =>
  (count) =>
    start + link.repeat(count) + end

/** Costs that double with each step: a few suffice. */
const doublings: readonly Bomb[] = [
  chain('[{"a":"0123456789"}]', '{"a":a+a}'),
  chain('[{"a":[1,2,3]}]', '{"a":a+a}', '{"n":count(a)}'),
  chain('*[_type=="a"][0]{"a":"x"}', '{"a":a+a}', '.a'),
  chain('[{"a":1}]', '{"a":[a,a]}'),
  chain('[{"a":1}]', '{"a":{"b":a,"c":a}}'),
  chain('[{"a":1}]', '{"a":[...[a],...[a]]}'),
  chain('{"a":*}', '{"a":a+a}', '{"n":count(a)}'),
  chain('[{"a":*[]._id}]', '{"a":a+a}', '{"n":length(array::join(a,","))}'),
  chain('', '*[count(', `*${')>0]'}`),
  (count) => `${'*[count('.repeat(count)}*[n==^.n]${')>0]'.repeat(count)}`,
  (count) => `*{${'"a":*{'.repeat(count)}_id${'}'.repeat(count)}}`,
]

/** Costs that grow with the length or the depth of the query. */
const growing: readonly Bomb[] = [
  around('[', '1', ']'),
  around('(', '1', ')'),
  around('{"a":', '1', '}'),
  around('!', 'true', ''),
  around('-', '1', ''),
  around('*[', 'true', ']'),
  around('count(', '*', ')'),
  around('lower(', '"A"', '+"1")'),
  around('select(true=>', '1', ')'),
  around('coalesce(', 'null', ',1)'),
  chain('*[0]', '.a'),
  chain('*[0]', '->'),
  chain('*', '[true]'),
  chain('*', '[0..9]'),
  chain('*', '{...}', '[0]'),
  chain('*', '|order(_id)'),
  chain('*{"a":', '^.', '_id}'),
  chain('1', '+1'),
  chain('"a"', '+"a"'),
  chain('true', '&&true'),
  chain('*[n==0', '||n==1', ']'),
  chain('*[_id in ["a"', ',"b"', ']]'),
  chain('[1', ',1', ']'),
  chain('{"a":1', ',"a":1', '}'),
  chain('*[name match "', '*a', '*b"]'),
  chain('*[text match ["', 'a* ', '"]]'),
  chain('"', 'x', '"'),
  chain('"', '\\u0041', '"'),
  chain('length(lower("', 'É', '"))'),
  chain('string::split("', 'a', '","")'),
  chain('*[text match "', '*a', '*b"]{"s":string::split(text,"")}'),
  chain('', ' ', '*[0]'),
  chain('', '//\n', '1'),
  chain('*[', '_id in *[', `true${']'}`),
  (count) => `${'*[_id in *['.repeat(count)}n==1${']._id]'.repeat(count)}`,
  (count) => `*[_id in $ids && (n==0||${'(n==1||'.repeat(count)}n==2${')'.repeat(count)})]`,
  (count) => `fn a::b($x)=$x;${'a::b('.repeat(count)}1${')'.repeat(count)}`,
]

/** Costs that depend on numbers alone. */
const huge = fc.constantFrom(
  '*[0..1000000000]',
  '[1][0..1000000000]',
  '*[n in 0..1000000000]',
  '*[-1000000000..1000000000]',
  '(0..100000000)[@ > 5]',
  'count(0..1000000000)',
  '1e308*10',
  '10**1000',
  'round(1.5, 1000000)',
  'string(1e308)',
  'array::join(["a"], "b")',
  '*[text match "*a*a*a*a*a*a*a*a*a*a*a*a*a*b"]',
  '*[text match "a b c d e f g h i j k l m n o p q r s t u v w x y z"]',
  '*[count(*[count(*[n < ^.n && n < ^.^.n]) > 99]) > 99]',
  'count(*{"a":*{"b":*{"c":_id}}})',
  '*|order(text match "*a*a*b")',
  '*|score(text match "a*", boost(text match "b*", 1e308))',
  '{"hasOwnProperty":1}{"x":@.y}',
  '{"o":{"hasOwnProperty":1,"__proto__":2,"constructor":3}}{"z":o.y,"p":o.constructor}',
  'geo::distance(geo::latLng(1,2),geo::latLng(1e308,-1e308))',
  'math::sum([1e308,1e308,-1e308])',
  'dateTime("9999-99-99T99:99:99Z")',
)

/** Deeper and longer, more often than usual. */
const depth = fc.oneof(
  weighted(2, fc.integer({min: 1, max: 20})),
  weighted(3, fc.integer({min: 21, max: 400})),
  weighted(4, fc.integer({min: 401, max: 6_000})),
  weighted(1, fc.integer({min: 6_001, max: 90_000})),
)

/** Costly queries. Shrinks to a smaller number of the same kind. */
export const groqBomb = fc.oneof(
  weighted(
    2,
    fc
      .tuple(fc.constantFrom(...doublings), fc.integer({min: 1, max: 34}))
      .map(([bomb, count]) => bomb(count)),
  ),
  weighted(
    3,
    fc.tuple(fc.constantFrom(...growing), depth).map(([bomb, count]) => bomb(count)),
  ),
  weighted(1, huge),
)
