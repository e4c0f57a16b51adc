import assert from 'node:assert/strict'
import {test} from 'node:test'
import type {JsonObject} from '../../common/json.ts'
import {UniqueValues} from '../../content/uniqueValues.ts'

const RULE = {
  types: ['site'],
  attribute: 'publicId',
  label: 'public ID',
  holder: 'site',
  ifShared: 'Change one of them',
}

const site = (publicId: unknown) => ({_type: 'site', publicId})

/** Sites a and b with the public IDs a1 and b1. */
function twoSites(): UniqueValues {
  const unique = new UniqueValues([RULE])
  unique.put('a', site('a1'))
  unique.put('b', site('b1'))
  return unique
}

test('a value of another document is refused, whether the document is new or gives up its own value', () => {
  const unique = twoSites()
  for (const id of ['new', 'b'])
    assert.deepEqual(unique.problemOf(new Map([[id, site('a1')]])), {
      id,
      problem: 'The public ID "a1" belongs to another site, "a": choose a different one',
    })
  assert.equal(unique.problemOf(new Map([['new', site('c1')]])), undefined)
})

test('the holder of a value may change otherwise, and another type or a missing value is not compared', () => {
  const unique = twoSites()
  const others = [site(''), site(undefined), site(null), {_type: 'page', publicId: 'a1'}, undefined]
  assert.equal(unique.problemOf(new Map([['a', {...site('a1'), name: 'A'}]])), undefined)
  for (const document of others) assert.equal(unique.problemOf(new Map([['new', document]])), undefined)
})

test('documents that change together are compared with each other', () => {
  const unique = twoSites()
  const problem = (...changed: [string, object | undefined][]) =>
    unique.problemOf(new Map(changed.map(([id, document]) => [id, document && {...document}])))?.id
  assert.equal(problem(['c', site('c1')], ['d', site('c1')]), 'd')
  assert.equal(problem(['new', site('a1')], ['a', {...site('a1'), name: 'A'}]), 'new')
  assert.equal(problem(['a', site('b1')], ['b', site('a1')]), undefined)
  assert.equal(problem(['a', undefined], ['new', site('a1')]), undefined)
})

test('values are compared only within what a rule names, and across its types', () => {
  const within = ({site}: JsonObject) => (typeof site === 'string' ? site : undefined)
  const unique = new UniqueValues([{...RULE, types: ['tool', 'formTool'], attribute: 'name', within}])
  const tool = (_type: string, site?: string) => ({_type, name: 'search', ...(site !== undefined && {site})})
  unique.put('a', tool('tool', 'shop'))
  assert.equal(unique.problemOf(new Map([['b', tool('formTool', 'shop')]]))?.id, 'b')
  for (const site of ['blog', undefined])
    assert.equal(unique.problemOf(new Map([['b', tool('tool', site)]])), undefined)
  // A tool that moves to another site leaves its name there.
  const moved = new Map([
    ['a', tool('tool', 'blog')],
    ['b', tool('tool', 'shop')],
  ])
  assert.equal(unique.problemOf(moved), undefined)
})

test('shared values are listed until all but one document changed, and their holders can still change', () => {
  const unique = twoSites()
  unique.put('b', site('a1'))
  assert.deepEqual(unique.shared, [
    {
      rule: RULE,
      value: 'a1',
      holders: [
        {id: 'a', type: 'site'},
        {id: 'b', type: 'site'},
      ],
    },
  ])
  for (const id of ['a', 'b'])
    assert.equal(unique.problemOf(new Map([[id, {...site('a1'), name: 'x'}]])), undefined)
  unique.put('a', undefined)
  assert.deepEqual(unique.shared, [])
  assert.equal(unique.problemOf(new Map([['a', site('a1')]]))?.id, 'a')
  unique.put('b', {_type: 'page', publicId: 'a1'})
  assert.equal(unique.problemOf(new Map([['a', site('a1')]])), undefined)
})
