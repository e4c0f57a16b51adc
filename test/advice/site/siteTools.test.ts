import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import {SiteTools, type ToolOfSite} from '../../../advice/site/siteTools.ts'
import {adviseAmong} from '../../../advice/tool.ts'
import {matchesPath, parsePathPattern} from '../../../schemas/rules/paths/pathPattern.ts'

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
    {name: 'show_menu', description: 'Shows the menu of the day, with prices.', pattern: '/**'},
    {name: 'findTable', description: 'Finds a free table for tonight', pattern: '/tables*'},
    {name: 'bookTable', description: 'Books a table that findTable returned', pattern: '/tables?on=1'},
  ]
  const site = new SiteTools(tools)
  const codesOf = (tool: ToolOfSite) => adviseAmong(tool, 'tool', site).map(({code}) => code)
  assert.deepEqual(tools.map(codesOf), [
    ['NAME_SIMILAR', 'DESCRIPTION_SIMILAR'],
    ['NAME_SIMILAR', 'DESCRIPTION_SIMILAR'],
    ['PATH_STAR_IN_NAME'],
    ['PATH_WITH_QUERY'],
  ])
  for (const tool of tools) {
    const others = new SiteTools(tools.filter((other) => other !== tool))
    assert.deepEqual(adviseAmong(tool, 'tool', others), adviseAmong(tool, 'tool', site))
  }
})
