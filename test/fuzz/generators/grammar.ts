import fc from 'fast-check'
import {words} from '../../support/words.ts'
import {oddNumber, weighted, wildText} from './text.ts'

/** Attributes that the fuzzed documents have, and that every object has by its prototype. */
const attribute = fc.constantFrom(
  ...words(`
    _id _type _rev name n flag ref refs nested deep value text missing hasOwnProperty __proto__ constructor
    toString length _ref _key _score data type`),
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
  ...words(`
    count length lower upper coalesce defined references round string now path dateTime identity anywhere
    boost score select order after before operation nope string::split string::startsWith string::lower
    array::join array::compact array::unique array::intersects math::sum math::avg math::min math::max
    dateTime::now global::count sanity::projectId sanity::versionOf sanity::partOfRelease releases::all
    pt::text geo::distance geo::latLng geo::contains diff::changedAny diff::changedOnly delta::changedAny
    text::query text::semanticSimilarity media::aspect documents::get user::attributes hasOwnProperty a::b`),
)

const binary = fc.constantFrom(
  ...words(`== != < <= > >= && || + - * / % ** in match .. ... => asc, | -> = ?`),
  'not in',
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
    weighted(5, attribute),
    weighted(3, fc.constantFrom('*', '@', '^', '^.^', '^.^.^._id', 'null', 'true', '...', '.')),
    weighted(3, fc.oneof(string, oddNumber, parameter)),
    weighted(6, tie('path')),
    weighted(3, tie('call')),
    weighted(2, tie('object')),
    weighted(2, tie('list')),
    weighted(
      5,
      fc
        .tuple(tie('expression'), binary, tie('expression'))
        .map(([left, operator, right]) => `${left} ${operator} ${right}`),
    ),
    weighted(
      2,
      tie('expression').map((inner) => `(${inner})`),
    ),
    weighted(
      1,
      fc.tuple(fc.constantFrom('!', '-', '+', '- -'), tie('expression')).map((parts) => parts.join('')),
    ),
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
