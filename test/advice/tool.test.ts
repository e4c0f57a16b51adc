import assert from 'node:assert/strict'
import {test} from 'node:test'
import {adviseDocument} from '../../advice/tool.ts'
import {GOOD_TOOL} from './mistakes/row.ts'

const HARMLESS: Partial<typeof GOOD_TOOL>[] = [
  {executeJs: 'return JSON.stringify(args)'},
  {executeJs: 'const {city, ...others} = args\nreturn [city, others]'},
  {executeJs: "if (typeof shop === 'undefined') throw new Error('Try again.')\nreturn shop.find(args.city)"},
  {executeJs: 'return window.shop.find(args.city)'},
  {executeJs: "throw new Error('No ' + args.city)"},
  {pathPattern: '/{stores,cart}/**'},
  {pathPattern: '/item-?'},
  {description: 'Finds stores in any city 👩‍👩‍👧 and returns their addresses.'},
  {executeJs: 'while (true) {\n  if (await window.isReady()) return args.city\n}'},
  {executeJs: 'for (;;) {\n  const page = await window.next(args.city)\n  if (!page) break\n}\nreturn 1'},
  {executeJs: "try {\n  return await window.load(args.city)\n} finally {\n  document.title = ''\n}"},
  {executeJs: "switch (args.city) {\n  case 'Kiel':\n    return 1\n  default:\n    return 2\n}"},
  {executeJs: 'const alert = (text) => text\nreturn alert(args.city)'},
  {executeJs: 'return Math.max(args.city.length,2)'},
  {executeJs: 'const fetch = window.shop.load\nreturn fetch(args.city)'},
  {description: 'Fügt der todo-Liste eine Aufgabe hinzu und gibt sie zurück.'},
  {description: '都市の店舗を検索し、住所を返します。'},
  {description: 'Finds stores by city. Before ordering, agents usually ask for a delivery date.'},
]

for (const change of HARMLESS) {
  test(`${JSON.stringify(change).slice(0, 120)} causes no advice`, () => {
    assert.deepEqual(adviseDocument('tool', {...GOOD_TOOL, ...change}), [])
  })
}

test('a draft with missing or invalid fields causes no error', () => {
  for (const document of [
    {},
    {name: 1, description: null, executeJs: '}', inputSchema: '{', annotations: 3},
  ]) {
    assert.doesNotThrow(() => [...adviseDocument('tool', document), ...adviseDocument('formTool', document)])
  }
})

test('a place in JSON points to the problem in the text of the field', () => {
  const inputSchema = JSON.stringify({
    type: 'object',
    properties: {city: {type: 'string', pattern: '[\\w-.]'}},
  })
  assert.deepEqual(
    adviseDocument('tool', {...GOOD_TOOL, inputSchema}).map(({code, path}) => [code, path?.join('.')]),
    [
      ['PARAMETER_UNDESCRIBED', 'properties.city'],
      ['PATTERN_NOT_UNICODE', 'properties.city.pattern'],
    ],
  )
})

test('an offset points to the problem in the text of the field', () => {
  const executeJs = 'const r = 1\nreturn args.town'
  const [advice] = adviseDocument('tool', {...GOOD_TOOL, executeJs}).filter(
    ({code}) => code === 'ARGUMENT_UNKNOWN',
  )
  assert.equal(executeJs.slice(advice?.offset), 'town')
})
