import assert from 'node:assert/strict'
import {test} from 'node:test'
import {adviseOnPages, advisePage} from '../../../advice/site/pages.ts'
import {SiteTools} from '../../../advice/site/siteTools.ts'

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

test('two tools with the same description are both named', () => {
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

const menu = {
  name: 'showMenu',
  description: 'Returns the dishes of the day with their prices',
  pattern: '/menu',
}

function codesOn(pattern: string, others: readonly (typeof menu)[]): string[] {
  const tool = {name: 'listDishes', description: `${menu.description}.`, pattern}
  return adviseOnPages(tool, 'pathPattern', new SiteTools(others)).map(({code}) => code)
}

test('a tool is compared with those that share a page with it', () => {
  for (const pattern of ['/menu', '/**', '/{menu,cart}', '/me*', '/men?'])
    assert.deepEqual(codesOn(pattern, [menu]), ['DESCRIPTION_SIMILAR'], pattern)
  for (const pattern of ['/cart', '/menu/*', '/{a,b}/**'])
    assert.deepEqual(codesOn(pattern, [menu]), [], pattern)
  // Both match /menu/today, which is not among the examples of either pattern.
  assert.deepEqual(codesOn('/*/today', [{...menu, pattern: '/menu/*'}]), [])
  assert.deepEqual(codesOn('/menu/**', [{...menu, pattern: '/menu/*'}]), ['DESCRIPTION_SIMILAR'])
})

test('two form tools of one form are warned about where they share a page', () => {
  const form = (name: string, pattern: string, selector = '#contact') => ({
    name,
    description: name,
    pattern,
    selector,
  })
  const codesOf = (...others: ReturnType<typeof form>[]) =>
    adviseOnPages(form('writeToUs', '/contact'), 'pagePath', new SiteTools(others)).map(({code}) => code)
  for (const selector of ['#contact', ' form#contact', 'FORM#contact'])
    assert.deepEqual(codesOf(form('askUs', '/contact/**', selector)), ['FORM_SHARED'], selector)
  assert.deepEqual(codesOf(form('askUs', '/contact', '#ask'), form('writeThere', '/about')), [])
})

test('a tool is warned about on its fullest page, by any of the patterns', () => {
  const many = (count: number, pattern: string) =>
    tools(count).map(({name, description}) => ({name, description, pattern}))
  assert.deepEqual(codesOn('/**', many(19, '/cart')), [])
  assert.deepEqual(codesOn('/**', [...many(20, '/cart'), ...many(5, '/menu')]), ['TOOLS_MANY'])
  assert.deepEqual(codesOn('/cart', many(40, '/{cart,checkout}')), ['TOOLS_TOO_MANY'])
  assert.deepEqual(codesOn('/menu', many(40, '/{cart,checkout}')), [])
})
