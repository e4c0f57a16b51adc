import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {areSimilar, SimilarDescriptions, wordsIn} from '../../../schemas/advice/similarity.ts'
import {SiteTools, type ToolOfSite} from '../../../schemas/advice/siteTools.ts'
import {adviseAmong} from '../../../schemas/advice/tool.ts'
import {matchesPath, parsePathPattern} from '../../../schemas/rules/paths/pathPattern.ts'

const WORDS = ['shows', 'the', 'menu', 'of', 'day', 'with', 'prices', 'for', 'guests', 'today']
const description = fc.array(fc.constantFrom(...WORDS), {maxLength: 12}).map((words) => words.join(' '))

// Only many descriptions are indexed.
const descriptions = fc.oneof(
  fc.array(description, {maxLength: 12}),
  fc.array(description, {minLength: 21, maxLength: 60}),
)

test('similar descriptions are the same pairs as when each is compared with each other one', () => {
  fc.assert(
    fc.property(descriptions, (texts) => {
      const items = texts.map((text, index) => ({index, description: text}))
      const index = new SimilarDescriptions(items)
      for (const item of items) {
        const expected = items.filter((other) => {
          return other !== item && areSimilar(wordsIn(item.description), wordsIn(other.description))
        })
        const found = [...index.similarTo(item)].sort((a, b) => a.index - b.index)
        assert.deepEqual(found, expected)
      }
    }),
  )
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
    {name: 'findTable', description: 'Finds a free table for tonight', pattern: '/Tables'},
    {name: 'bookTable', description: 'Books a table that findTable returned', pattern: '/tables?'},
  ]
  const site = new SiteTools(tools)
  const codesOf = (tool: ToolOfSite) => adviseAmong(tool, 'pathPattern', site).map(({code}) => code)
  assert.deepEqual(tools.map(codesOf), [
    ['NAME_SIMILAR', 'DESCRIPTION_SIMILAR'],
    ['NAME_SIMILAR', 'DESCRIPTION_SIMILAR'],
    ['PATH_UPPER_CASE'],
    ['PATH_WITH_QUERY'],
  ])
  for (const tool of tools) {
    const others = new SiteTools(tools.filter((other) => other !== tool))
    assert.deepEqual(adviseAmong(tool, 'pathPattern', others), adviseAmong(tool, 'pathPattern', site))
  }
})
