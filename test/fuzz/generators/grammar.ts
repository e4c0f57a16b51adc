import fc from 'fast-check'
import {oddNumber, wildText} from './text.ts'

/** Attributes that the fuzzed documents have, and that every object has by its prototype. */
const attribute = fc.constantFrom(
  ...[
    '_id',
    '_type',
    '_rev',
    'name',
    'n',
    'flag',
    'ref',
    'refs',
    'nested',
    'deep',
    'value',
    'text',
    'missing',
  ],
  ...[
    'hasOwnProperty',
    '__proto__',
    'constructor',
    'toString',
    'length',
    '_ref',
    '_key',
    '_score',
    'data',
    'type',
  ],
)

const string = fc.oneof(
  fc.constantFrom(
    '"a"',
    "'b'",
    '"a-1"',
    '"x*"',
    '"\\u0041"',
    '"\\u{1F600}"',
    '"\\ud800"',
    '"\\q"',
    '""',
    '"a,b"',
  ),
  wildText.map((text) => JSON.stringify(text.slice(0, 2_000))),
)

const parameter = fc.constantFrom(
  '$id',
  '$ids',
  '$n',
  '$text',
  '$missing',
  '$deep',
  '$__proto__',
  '$constructor',
)

/** Functions of GROQ with their namespaces, and some that do not exist. */
const functionName = fc.constantFrom(
  ...[
    'count',
    'length',
    'lower',
    'upper',
    'coalesce',
    'defined',
    'references',
    'round',
    'string',
    'now',
    'path',
  ],
  ...[
    'dateTime',
    'identity',
    'anywhere',
    'boost',
    'score',
    'select',
    'order',
    'after',
    'before',
    'operation',
    'nope',
  ],
  ...[
    'string::split',
    'string::startsWith',
    'string::lower',
    'array::join',
    'array::compact',
    'array::unique',
  ],
  ...[
    'array::intersects',
    'math::sum',
    'math::avg',
    'math::min',
    'math::max',
    'dateTime::now',
    'global::count',
  ],
  ...[
    'sanity::projectId',
    'sanity::versionOf',
    'sanity::partOfRelease',
    'releases::all',
    'pt::text',
    'geo::distance',
  ],
  ...[
    'geo::latLng',
    'geo::contains',
    'diff::changedAny',
    'diff::changedOnly',
    'delta::changedAny',
    'text::query',
  ],
  ...[
    'text::semanticSimilarity',
    'media::aspect',
    'documents::get',
    'user::attributes',
    'hasOwnProperty',
    'a::b',
  ],
)

const binary = fc.constantFrom(
  ...[
    '==',
    '!=',
    '<',
    '<=',
    '>',
    '>=',
    '&&',
    '||',
    '+',
    '-',
    '*',
    '/',
    '%',
    '**',
    'in',
    'match',
    '..',
    '...',
    '=>',
  ],
  ...['asc,', '|', '->', 'not in', '=', '?'],
)

/** A GROQ expression from a grammar that also makes a few mistakes. */
export const grammar = fc.letrec<{
  expression: string
  object: string
  list: string
  call: string
  path: string
}>((tie) => ({
  expression: fc.oneof(
    {maxDepth: 5, depthSize: 'small'},
    {weight: 5, arbitrary: attribute},
    {weight: 3, arbitrary: fc.constantFrom('*', '@', '^', '^.^', '^.^.^._id', 'null', 'true', '...', '.')},
    {weight: 3, arbitrary: fc.oneof(string, oddNumber, parameter)},
    {weight: 6, arbitrary: tie('path')},
    {weight: 3, arbitrary: tie('call')},
    {weight: 2, arbitrary: tie('object')},
    {weight: 2, arbitrary: tie('list')},
    {
      weight: 5,
      arbitrary: fc
        .tuple(tie('expression'), binary, tie('expression'))
        .map(([left, operator, right]) => `${left} ${operator} ${right}`),
    },
    {weight: 2, arbitrary: tie('expression').map((inner) => `(${inner})`)},
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('!', '-', '+', '- -'), tie('expression'))
        .map((parts) => parts.join('')),
    },
  ),
  path: fc
    .tuple(
      fc.constantFrom('*', '*', '*', '@', '^', '$ids', 'refs', '(*)', 'name'),
      fc.array(
        fc.oneof(
          tie('expression').map((inner) => `[${inner}]`),
          fc.tuple(oddNumber, fc.constantFrom('..', '...'), oddNumber).map((parts) => `[${parts.join('')}]`),
          oddNumber.map((index) => `[${index}]`),
          attribute.map((name) => `.${name}`),
          string.map((name) => `[${name}]`),
          fc.constantFrom('[]', '->', '[]->', '->name', '[]._ref', '|score(name match "x*")', '.'),
          tie('object'),
          fc
            .tuple(tie('expression'), fc.constantFrom('', ' asc', ' desc', ', _id'))
            .map(([key, way]) => `|order(${key}${way})`),
        ),
        {maxLength: 4},
      ),
    )
    .map(([start, steps]) => start + steps.join('')),
  call: fc
    .tuple(functionName, fc.array(tie('expression'), {maxLength: 3}))
    .map(([name, args]) => `${name}(${args.join(', ')})`),
  object: fc
    .array(
      fc.oneof(
        fc
          .tuple(
            fc.oneof(
              attribute.map((name) => JSON.stringify(name)),
              string,
            ),
            tie('expression'),
          )
          .map((pair) => pair.join(': ')),
        fc.tuple(tie('expression'), tie('object')).map((pair) => pair.join(' => ')),
        tie('expression').map((inner) => `...${inner}`),
        fc.constant('...'),
        attribute,
      ),
      {maxLength: 4},
    )
    .map((members) => `{${members.join(', ')}}`),
  list: fc.array(tie('expression'), {maxLength: 4}).map((items) => `[${items.join(', ')}]`),
})).expression
