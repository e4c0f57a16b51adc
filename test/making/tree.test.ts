import assert from 'node:assert/strict'
import {test} from 'node:test'
import {proposeResult} from '../../making/proposeResult.ts'
import {resultOf, tickedIn, treeOf} from '../../making/tree.ts'

test('an answer is rows, and a list has the members of all its first entries', () => {
  const {rows, isCut} = treeOf({
    data: {
      items: [
        {title: 'Knots', tags: ['sea']},
        {title: 'Sails', year: 1999},
      ],
      total: 2,
    },
  })
  assert.deepEqual(
    rows.map(({path, name, sample, depth, kind}) => [path, name, sample, depth, kind]),
    [
      ['data', 'data', '', 0, 'group'],
      ['data.items', 'items', '2 entries', 1, 'list'],
      ['data.items[].title', 'title', 'Knots', 2, 'value'],
      ['data.items[].tags', 'tags', 'sea', 2, 'value'],
      ['data.items[].year', 'year', '1999', 2, 'value'],
      ['data.total', 'total', '2', 1, 'value'],
    ],
  )
  assert.equal(isCut, false)
})

test('what a thing says of itself is not lost after one with many members', () => {
  const wide = Object.fromEntries(Array.from({length: 150}, (_, at) => [`status${at}`, at]))
  const buyer = {one: {deep: {far: wide}}, two: {deep: {far: wide}}}
  const result = proposeResult({bills: [{buyer, total: 48}]}, {method: 'GET', path: '/bills/{id}'})
  assert.deepEqual(tickedIn(result), ['bills[].total'])
})

test('large answers are cut, and what no path can name is left out', () => {
  const wide = Object.fromEntries(Array.from({length: 5_000}, (_, at) => [`m${at}`, at]))
  assert.deepEqual([treeOf(wide).rows.length, treeOf(wide).isCut], [300, true])
  const deep = Array.from({length: 40}).reduce<unknown>((inner) => ({a: inner}), 1)
  assert.equal(treeOf(deep).isCut, true)
  const odd = JSON.parse('{"__proto__": 1, "constructor": 2, "a\\u200bb": 3, "": 4, "ok": 5}')
  assert.deepEqual(
    treeOf(odd).rows.map(({name}) => name),
    ['ok'],
  )
})

test('what is ticked is a list if it is all in one, else one thing', () => {
  assert.deepEqual(resultOf(['data.items[].title', 'data.items[].starts.at']), {
    kind: 'list',
    path: 'data.items',
    members: [{path: 'title'}, {path: 'starts.at'}],
    limit: 10,
  })
  assert.deepEqual(resultOf(['data.total', 'data.items[].title']), {
    kind: 'object',
    path: 'data',
    members: [{path: 'total'}, {path: 'items[].title', name: 'items title'}],
  })
  assert.deepEqual(resultOf(['a.b.c']), {kind: 'object', path: 'a.b', members: [{path: 'c'}]})
  assert.equal(resultOf([]), undefined)
})

test('names that are there twice differ, and a position has one', () => {
  const result = resultOf(['[].name', '[].author.name', '[].place[1]', '[].author.name'])
  assert.deepEqual(result, {
    kind: 'list',
    path: '',
    members: [
      {path: 'name'},
      {path: 'author.name', name: 'author name'},
      {path: 'place[1]', name: 'value2'},
      {path: 'author.name', name: 'author.name'},
    ],
    limit: 10,
  })
})
