import assert from 'node:assert/strict'
import {test} from 'node:test'
import {adviseDocument} from '../../advice/tool.ts'
import {parseDocument} from '../../schemas/document.ts'
import {formTool} from '../../schemas/formTool.ts'
import type {Fields} from '../../schemas/record.ts'
import {tool} from '../../schemas/tool.ts'
import {shopDocuments} from '../support/shop.ts'
import {ACTING} from './good/actions.ts'
import {FORMS} from './good/forms.ts'
import {READING} from './good/tools.ts'

function contentOf(type: string): Fields[] {
  return shopDocuments().filter(({_type}) => _type === type)
}

const TOOLS: readonly Fields[] = [
  ...[...READING, ...ACTING].flatMap(([name, description, pathPattern, properties, executeJs]) => {
    const schema = {type: 'object', properties, additionalProperties: false}
    const tool = {name, description, pathPattern, executeJs, inputSchema: JSON.stringify(schema)}
    const [first] = Object.keys(properties)
    if (first === undefined) return [tool]
    // Once more as code that expects the first argument, with semicolons.
    const required = JSON.stringify({...schema, required: [first]}, null, 2)
    const checked = `if (args.${first} === undefined) throw new Error('Say which ${first}.');\n${executeJs};`
    return [tool, {...tool, inputSchema: required, executeJs: checked}]
  }),
]

const FORM_TOOLS: readonly Fields[] = [
  ...FORMS.map(([name, description, pagePath, selector, autosubmit = false]) => ({
    name,
    description,
    pagePath,
    selector,
    autosubmit,
  })),
]

test('well-made documents cause no advice', () => {
  for (const one of TOOLS) parseDocument(tool, one)
  for (const one of FORM_TOOLS) parseDocument(formTool, one)
  const alarms = [
    ...TOOLS.map((tool) => ({name: tool.name, advice: adviseDocument('tool', tool)})),
    ...FORM_TOOLS.map((tool) => ({name: tool.name, advice: adviseDocument('formTool', tool)})),
  ].filter(({advice}) => advice.length > 0)
  assert.deepEqual(alarms, [])
})

test('the demo shop causes no advice, also as one site', () => {
  const tools = contentOf('tool')
  const formTools = contentOf('formTool')
  const others = [...tools, ...formTools].map(({name, description, pathPattern, pagePath}) => ({
    name: String(name),
    description: String(description),
    pattern: String(pathPattern ?? pagePath),
  }))
  const without = (name: unknown) => ({others: others.filter((other) => other.name !== name)})
  for (const tool of tools) assert.deepEqual(adviseDocument('tool', tool, without(tool.name)), [])
  for (const formTool of formTools)
    assert.deepEqual(adviseDocument('formTool', formTool, without(formTool.name)), [])
})
