import fc from 'fast-check'

/** Attributes of the documents of random.ts, and one that no document has. */
const attribute = fc.constantFrom('name', 'n', 'flag', 'ref', 'refs', 'nested', '_id', '_type', 'none')

const literal = fc.constantFrom(
  'null',
  'true',
  'false',
  '0',
  '1',
  '-2',
  '2.5',
  '"x"',
  '"a-1"',
  '"x y. z"',
  '""',
  '"ß*"',
  '[]',
  '[1, "x", null]',
  '[3, 1, 2]',
  '$id',
  '$ids',
  '$mixed',
  '$object',
  '"2026-01-02T03:04:05Z"',
  'dateTime("2026-01-02T03:04:05.678+01:00")',
  'path("a-*")',
  'path("**")',
)

const operator = fc.constantFrom(
  '+',
  '-',
  '*',
  '/',
  '%',
  '**',
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'in',
  'match',
  '&&',
  '||',
)

const ofOne = fc.constantFrom(
  'count',
  'defined',
  'length',
  'lower',
  'upper',
  'string',
  'dateTime',
  'path',
  'references',
  'round',
  'array::compact',
  'array::unique',
  'math::min',
  'math::max',
  'math::sum',
  'math::avg',
  'pt::text',
  'sanity::versionOf',
  'sanity::partOfRelease',
  'string::lower',
)

const ofTwo = fc.constantFrom(
  'coalesce',
  'array::join',
  'array::intersects',
  'string::split',
  'string::startsWith',
  'references',
  'round',
)

const {expression} = fc.letrec<{expression: string; list: string; object: string}>((tie) => ({
  expression: fc.oneof(
    {maxDepth: 4, depthSize: 'small', withCrossShrink: true},
    fc.oneof(attribute, literal, fc.constantFrom('@', '^', '^.n', '^.^', '@.name', 'refs[]._ref', 'ref->n')),
    fc.tuple(tie('expression'), operator, tie('expression')).map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc.tuple(ofOne, tie('expression')).map(([name, arg]) => `${name}(${arg})`),
    fc.tuple(ofTwo, tie('expression'), tie('expression')).map(([name, a, b]) => `${name}(${a}, ${b})`),
    fc.tuple(fc.constantFrom('!', '-', '+'), tie('expression')).map(([sign, a]) => `${sign}(${a})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([a, b, c]) => `select(${a} => ${b}, ${c})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('..', '...'), tie('expression'), tie('expression'))
      .map(([a, dots, b, c]) => `(${a} in ${b}${dots}${c})`),
    fc
      .tuple(
        tie('list'),
        fc.constantFrom('[0]', '[-1]', '[1..-1]', '[0...2]', '[]', '[5]', '.n', '._id', '[].n'),
      )
      .map(([list, access]) => `${list}${access}`),
    fc.tuple(tie('expression'), attribute).map(([a, name]) => `(${a}).${name}`),
    tie('list'),
    tie('object'),
  ),
  list: fc.oneof(
    {maxDepth: 3, depthSize: 'small'},
    fc.constantFrom('*', 'refs[]', '*[_type == "a"]', '*[n == 1]'),
    fc.array(tie('expression'), {maxLength: 3}).map((items) => `[${items.join(', ')}]`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `[...${a}, ${b}]`),
    fc.tuple(tie('list'), tie('expression')).map(([list, test]) => `${list}[(${test})]`),
    fc.tuple(tie('list'), tie('object')).map(([list, object]) => `${list}${object}`),
    fc.tuple(tie('list'), tie('expression')).map(([list, by]) => `(${list} | order((${by}) desc, _id asc))`),
    fc.tuple(tie('list'), tie('expression')).map(([list, by]) => `(${list} | score(${by}, n == 1))`),
    fc
      .tuple(tie('list'), fc.constantFrom('.refs[]', '.refs[]._ref', '.ref->', '.nested'))
      .map((both) => both.join('')),
  ),
  object: fc.oneof(
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `{"a": ${a}, "b": ${b}}`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `{..., "n": ${a}, ${b} => {"c": 1}}`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `{...${a}, _id, ...${b}}`),
  ),
}))

/** A query over the documents of random.ts with any expressions the lake supports. Some cannot be parsed. */
export const randomQuery: fc.Arbitrary<string> = expression
