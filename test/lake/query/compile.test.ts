import {deepEqual, equal, ok, throws} from 'node:assert/strict'
import {test} from 'node:test'
import {QueryCompiler} from '../../../lake/query/compile.ts'
import {QueryError, QueryParseError} from '../../../lake/query/errors.ts'

const times = (count: number, piece: string) => piece.repeat(count)

/** Functions that call each other twice. */
const functions = Array.from(
  {length: 30},
  (_, at) => `fn f::f${at + 1}($x) = $x{"a": f::f${at}(@), "b": f::f${at}(@)};`,
)

/** Queries that take seconds or days to parse. */
const SLOW = {
  'a long sum': `a${times(99_999, '+a')}`,
  'a long alternative': `a${times(40_000, '||a')}`,
  'a long path': `a${times(99_999, '.a')}`,
  'many filters': `*${times(40_000, '[a]')}`,
  'many projections': `*${times(60_000, '{a}')}`,
  'a long list': `[${times(66_000, '1, ')}1]`,
  'a long object': `{${times(14_000, '"abcd": a,')}}`,
  'long paths': `${times(200, `a${times(490, '.a')}+`)}1`,
  'brackets that are parsed twice on each level': times(40, 'a.b['),
  'brackets around a mistake': `${times(40, 'a.b[')}%${times(40, ']')}`,
  'brackets around a mistake and a parameter': `${times(40, 'a.b[')}$a % % ${times(40, ']')}`,
  'functions that call each other': `fn f::f0($x) = $x{"a": 1}; ${functions.join(' ')} f::f30({"a": 1})`,
}

/** Queries that are refused quickly. */
const REFUSED = {
  parentheses: times(100_000, '('),
  'closed parentheses': `${times(5_000, '(')}a${times(5_000, ')')}`,
  'not, in front of a long name': `${times(1_000, '!')}${times(190_000, 'a')}`,
  'not, in front of white space': `${times(1_000, '!')}a${times(190_000, ' ')}`,
  'comments without an end': times(100_000, '//'),
  'a long parent': `^${times(90_000, '.^')}`,
  'calls in calls': `fn f::f($x) = $x{"a": @};${times(3_000, 'f::f(')}a${times(3_000, ')')}`,
  'too many expressions': `[${times(130, `a${times(400, '{a}')},`)}1]`,
}

/** A clock on which each look takes a millisecond of processor time, so that every machine counts the same. */
function compilerWithClock() {
  let looks = 0
  return {compiler: new QueryCompiler(() => looks++), looks: () => looks}
}

test('a query that takes too long to parse is refused after a bounded number of steps', () => {
  for (const [name, query] of Object.entries(SLOW)) {
    const {compiler, looks} = compilerWithClock()
    throws(
      () => compiler.compile(query, {a: 'x'}),
      {message: /takes too long to parse: make it shorter/},
      name,
    )
    ok(looks() <= 202, `${name}: ${looks()}`)
  }
})

test('the processor time of the thread ends the parsing of a query', () => {
  // These would take days.
  for (const query of [times(60, 'a.b['), `${times(60, 'a.b[')}$a % % ${times(60, ']')}`])
    throws(() => new QueryCompiler().compile(query, {a: 'x'}), QueryError)
})

test('a query that is too deep, too long or malformed is refused with a reason', () => {
  for (const [name, query] of Object.entries(REFUSED)) {
    const {compiler} = compilerWithClock()
    throws(
      () => compiler.compile(query, {}),
      (error) => error instanceof QueryParseError || error instanceof QueryError,
      name,
    )
  }
})

test('a long query of a program is compiled once, however long the system gives the time to others', () => {
  const columns = times(80, '"a": select(x == 1 => b->c[0].d, defined(y) => y),\n ')
  const query = `*[_type == "tool" && site._ref in $sites]{${columns}"z": 1} | order(name asc)[0...50]`
  const {compiler, looks} = compilerWithClock()
  const {parameters} = compiler.compile(query, {sites: []})
  deepEqual([...parameters], ['sites'])
  const once = looks()
  ok(once > 0)
  compiler.compile(query, {sites: ['a']})
  equal(looks(), once)
})
