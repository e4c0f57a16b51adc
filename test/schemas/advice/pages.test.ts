import assert from 'node:assert/strict'
import {test} from 'node:test'
import {advisePage} from '../../../schemas/advice/pages.ts'

function tools(count: number) {
  return Array.from({length: count}, (_, index) => ({
    id: `tool-${index}`,
    name: `tool${index}`,
    description: `Returns ${'abcdefgh'[index % 8]}${index} for ${index} and nothing${index} else${index} there${index}.`,
  }))
}

function codes(count: number): string[] {
  return advisePage('/cart', tools(count)).map(({advice}) => advice.code)
}

test('20 tools on a page cause no advice, 21 the advice for many, 41 for too many', () => {
  assert.deepEqual(codes(20), [])
  assert.deepEqual(codes(21), ['TOOLS_MANY'])
  assert.deepEqual(codes(41), ['TOOLS_TOO_MANY'])
})

test('two tools with nearly the same description are both named', () => {
  const description = 'Finds products in the shop by a word and returns the name and price of each'
  const found = advisePage('/', [
    {id: 'a', name: 'searchProducts', description},
    {id: 'b', name: 'findProducts', description: `${description}.`},
    {
      id: 'c',
      name: 'getCart',
      description: 'Returns what is in the visitor’s cart, with the total in euros.',
    },
  ])
  assert.deepEqual(
    found.map(({id, advice}) => [id, advice.code]),
    [
      ['a', 'DESCRIPTION_SIMILAR'],
      ['b', 'DESCRIPTION_SIMILAR'],
    ],
  )
})
