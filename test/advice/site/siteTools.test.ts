import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {areSimilar, similarDescriptions, wordsIn} from '../../../advice/site/similarity.ts'
import {SiteTools, type ToolOfSite} from '../../../advice/site/siteTools.ts'
import {adviseAmong} from '../../../advice/tool.ts'
import {matchesPath, parsePathPattern} from '../../../schemas/rules/paths/pathPattern.ts'

test('descriptions are similar when they share four fifths of their words', () => {
  const items = [
    'shows the menu of the day with prices',
    'Shows the menu of the day, with all prices',
    'shows the menu of the week with wines and beers',
    'menu',
    'Menu',
  ].map((description) => ({description}))
  const similarTo = similarDescriptions(items)
  const found = items.map((item) => similarTo(item).map((other) => items.indexOf(other)))
  assert.deepEqual(found, [[1], [0], [], [], []])
  const unknown = {description: 'the menu of the day with prices, shown'}
  assert.equal(areSimilar(wordsIn(unknown.description), wordsIn(items[0]?.description ?? '')), false)
})

const pattern = fc.constantFrom(
  '/a',
  '/b/*',
  '/{a,b}/c',
  '/**',
  '/a/**',
  '/?',
  '/a*',
  '/b/c',
  '/**/c',
  '/{a,c*}',
)

test('a page is counted with every tool whose pattern matches it', () => {
  fc.assert(
    fc.property(fc.array(pattern, {minLength: 1, maxLength: 12}), (patterns) => {
      const tools = patterns.map((own, index) => ({name: `t${index}`, description: '', pattern: own}))
      const site = new SiteTools(tools)
      for (const tool of tools) {
        const {page = '', count} = site.fullestPage(tool) ?? {}
        const matching = patterns.filter((other) => {
          const parsed = parsePathPattern(other)
          return parsed.ok && matchesPath(parsed.value, page)
        })
        assert.equal(count, matching.length, `${tool.pattern} on ${page}`)
      }
    }),
  )
})

test('a tool gets the same advice if it is among the tools of the site', () => {
  const tools: ToolOfSite[] = [
    {name: 'showMenu', description: 'Shows the menu of the day with prices', pattern: '/menu'},
    {name: 'show_menu', description: 'Shows the menu of the day with prices today', pattern: '/**'},
    {name: 'findTable', description: 'Finds a free table for tonight', pattern: '/tables*'},
    {name: 'bookTable', description: 'Books a table that findTable returned', pattern: '/tables?on=1'},
  ]
  const site = new SiteTools(tools)
  const codesOf = (tool: ToolOfSite) => adviseAmong(tool, 'pathPattern', site).map(({code}) => code)
  assert.deepEqual(tools.map(codesOf), [
    ['NAME_SIMILAR', 'DESCRIPTION_SIMILAR'],
    ['NAME_SIMILAR', 'DESCRIPTION_SIMILAR'],
    ['PATH_STAR_IN_NAME'],
    ['PATH_WITH_QUERY'],
  ])
  for (const tool of tools) {
    const others = new SiteTools(tools.filter((other) => other !== tool))
    assert.deepEqual(adviseAmong(tool, 'pathPattern', others), adviseAmong(tool, 'pathPattern', site))
  }
})
