import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import {adviseFormTool, adviseTool} from '../../schemas/advice/tool.ts'
import {FORM_TOOL_RECIPES} from '../../schemas/recipes/formToolRecipes.ts'
import {TOOL_RECIPES} from '../../schemas/recipes/toolRecipes.ts'
import {parseFormTool, parseFormToolPlace, parseTool, parseToolPlace} from '../../schemas/rules/tool.ts'
import {shopDocuments} from '../support/shop.ts'

for (const {title, fields} of TOOL_RECIPES) {
  test(`the recipe “${title}” follows every rule and causes no advice`, () => {
    parseTool(parseToolPlace(fields).name, fields)
    assert.deepEqual(adviseTool(fields), [])
  })

  test(`the recipe “${title}” says in its first line what to change`, () => {
    assert.match(fields.executeJs, /^\/\/ Change this .+\.\nconst \w+ = /)
  })
}

for (const {title, fields} of FORM_TOOL_RECIPES) {
  test(`the recipe “${title}” follows every rule and causes no advice`, () => {
    parseFormTool(parseFormToolPlace(fields).name, fields)
    assert.deepEqual(adviseFormTool(fields), [])
  })
}

test('the recipes of a site have different names and ids, and none has a name of the demo shop', () => {
  const recipes = [...TOOL_RECIPES, ...FORM_TOOL_RECIPES]
  const unique = (values: string[]) => assert.equal(new Set(values).size, values.length)
  unique(recipes.map(({id}) => id))
  unique([...recipes.map(({fields}) => fields.name), ...namesOfDemoShop()])
})

test('docs/tools.md lists every recipe', () => {
  const page = readFileSync(new URL('../../docs/tools.md', import.meta.url), 'utf8')
  const [, list = ''] = /## Recipes\n.*?\n\n(- .*?)\n\n/s.exec(page) ?? []
  assert.deepEqual(
    Array.from(list.matchAll(/^- ([^.\n]+)/gm), ([, title]) => title),
    [...TOOL_RECIPES.map(({title}) => title), 'Empty tool'],
  )
})

function namesOfDemoShop(): string[] {
  return shopDocuments().flatMap(({_type, name}) => (_type === 'site' ? [] : [String(name)]))
}
