import assert from 'node:assert/strict'
import {test} from 'node:test'
import {describeTest, parseTests} from '../../../../schemas/fields/tests.ts'
import {plainStepsOf} from '../../../../schemas/rules/names/memberPath.ts'
import {accepted, problemOf} from '../problem.ts'

const TEST = {
  _key: 'a',
  _type: 'test',
  title: 'Finds ropes',
  page: 'https://shop.example/products?sort=price#top',
  arguments: [{_key: 'b', _type: 'argument', name: 'query', value: 'rope'}],
  expect: [
    {_key: 'c', _type: 'expectation', kind: 'atLeast', member: 'products', value: '1'},
    {_key: 'd', _type: 'expectation', kind: 'contains', member: 'products[0].name', value: 'Rope'},
  ],
}

test('tests are read from rows, with the path of a pasted address', () => {
  const [read] = accepted(parseTests([TEST]))
  assert.ok(read)
  assert.equal(read.page, '/products?sort=price')
  assert.deepEqual(read.arguments, [{name: 'query', value: 'rope'}])
  assert.equal(
    describeTest(read),
    '/products?sort=price, query “rope”: “products” has at least 1 entry; “name” of the first entry of “products” contains “Rope”',
  )
})

test('a tool without tests has none, and a test needs only title and page', () => {
  assert.deepEqual(accepted(parseTests(undefined)), [])
  const [read] = accepted(parseTests([{title: 'Works', page: '/cart'}]))
  assert.ok(read)
  assert.equal(describeTest(read), '/cart: the call succeeds')
  const [visited] = accepted(parseTests([{title: 'Works', page: '/cart', visitor: 'signed-out'}]))
  assert.ok(visited)
  assert.equal(describeTest(visited), '/cart as signed-out: the call succeeds')
})

const BROKEN: readonly [change: object | string, problem: RegExp][] = [
  ['x', /^Test 1 must be an object with a title and a page\.$/],
  [{title: ''}, /^The title of test 1 is empty\.$/],
  [{page: undefined}, /^The page of the test “Finds ropes” is missing\.$/],
  [{page: 'ftp://shop.example'}, /^The page of the test “Finds ropes” cannot be read: /],
  [{visitor: 'a=b'}, /^The visitor of the test “Finds ropes” must be one word of letters, digits/],
  [{arguments: [{name: 'a'}, {name: 'a'}]}, /arguments of the test “Finds ropes” have “a” twice/],
  [{arguments: [{name: 'a', value: 5}]}, /^The value of “a” of the test “Finds ropes” must be text/],
  [{expect: [{kind: 'returns'}]}, /needs a "kind", one of succeeds, fails, exists, /],
  [
    {expect: [{kind: 'equals', member: 'title'}]},
    /^The value in “equals” of the test “Finds ropes” is missing\.$/,
  ],
  [
    {expect: [{kind: 'exists', member: 'a..b'}]},
    /^“a\.\.b” does not name a part of a result: .*data\[0\]\.title/,
  ],
  [{expect: [{kind: 'atLeast', value: 'some'}]}, /^“some” is not a whole number/],
  [{expect: [{kind: 'matches', value: '('}]}, /^“\(” is not a regular expression/],
  ...['^(a+)+$', '(a|a)*b', '(?:a?a)+', '((ab*)c){2,}', '(?<x>[)]*){3,99}', '(a{1,2}?)*?'].map(
    (value): [object, RegExp] => [{expect: [{kind: 'matches', value}]}, /can take minutes/],
  ),
]
for (const [change, problem] of BROKEN) {
  test(`${JSON.stringify(change)} is refused in words`, () => {
    const entry = typeof change === 'string' ? change : {...TEST, ...change}
    assert.match(problemOf(parseTests([entry])) ?? '', problem)
  })
}

test('two tests of a tool have different titles', () => {
  assert.match(problemOf(parseTests([TEST, TEST])) ?? '', /^The tests have “Finds ropes” twice/)
})

test('a path to a member has names, numbers and quoted names', () => {
  assert.deepEqual(plainStepsOf('data[0].title'), ['data', 0, 'title'])
  assert.deepEqual(plainStepsOf('[2]["first name"].größe'), [2, 'first name', 'größe'])
  for (const text of ['', 'a[', 'a[]', 'a[x]', 'a.', 'a..b', 'a]b'])
    assert.equal(plainStepsOf(text), undefined, text)
})
