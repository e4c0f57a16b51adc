import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import type {Advice} from '../../advice/advice.ts'
import {adviseDocument} from '../../advice/tool.ts'
import {parseDocument} from '../../schemas/document.ts'
import {formTool} from '../../schemas/formTool.ts'
import {FORM_TOOL_RECIPES, TOOL_RECIPES} from '../../schemas/recipes/recipes.ts'
import {tool} from '../../schemas/tool.ts'
import {shopDocuments} from '../support/shop.ts'

/** What advice names as unchanged, such as `request.address`. All other advice would be a mistake of the recipe. */
const LEFT: Readonly<Record<string, readonly string[]>> = {
  lookUp: ['description', 'request.address', 'request.result.path'],
  details: ['description', 'request.address'],
  addToCart: ['description', 'request.address'],
  signedIn: ['description', 'offeredWhile.has.0', 'request.address', 'request.result.path'],
  goToPage: ['description', 'link.address'],
  readPage: ['description', 'reading.parts.0.selector', 'reading.parts.1.selector'],
  visitorSends: ['description', 'selector'],
  agentSends: ['description', 'pagePath', 'selector'],
}

for (const {id, title, fields} of TOOL_RECIPES) {
  test(`the recipe “${title}” follows every rule, and advice names what is to be changed`, () => {
    parseDocument(tool, fields)
    assert.deepEqual(unchangedIn(adviseDocument('tool', fields)), LEFT[id])
  })
}

for (const {id, title, fields} of FORM_TOOL_RECIPES) {
  test(`the recipe “${title}” follows every rule, and advice names what is to be changed`, () => {
    parseDocument(formTool, fields)
    assert.deepEqual(unchangedIn(adviseDocument('formTool', fields)), LEFT[id])
  })
}

function unchangedIn(advice: readonly Advice[]): string[] {
  assert.deepEqual(
    advice.filter(({code}) => code !== 'RECIPE_UNCHANGED'),
    [],
  )
  return advice.map(({field}) => field)
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
