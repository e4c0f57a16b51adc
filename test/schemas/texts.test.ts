import assert from 'node:assert/strict'
import {test} from 'node:test'
import {membersOf} from '../../advice/changes/members.ts'
import {nameOfLanguage, parseLanguageTexts} from '../../schemas/fields/texts.ts'
import {problemsOf} from '../../schemas/index.ts'
import {tool} from '../../schemas/tool.ts'
import {accepted, problemOf} from './rules/problem.ts'

test('texts of other languages are read by their tags, without what a form leaves behind', () => {
  for (const value of [undefined, null, []]) assert.deepEqual(accepted(parseLanguageTexts(value)), [])
  const parameters = [
    {name: 'city', description: 'Die Stadt.'},
    {name: 'day', description: ''},
  ]
  assert.deepEqual(
    accepted(
      parseLanguageTexts([
        {language: 'PT-br', title: 'Lojas'},
        {_key: 'a', language: ' de', parameters},
      ]),
    ),
    [
      {language: 'pt-BR', title: 'Lojas'},
      {language: 'de', parameters: [parameters[0]]},
    ],
  )
})

const DE = {language: 'de', title: 'Läden'}
const REFUSED: [value: unknown, problem: RegExp][] = [
  [{}, /must be a list/],
  [[1], /must be an object/],
  [[{language: 'Deutsch (Schweiz)', title: 'a'}], /no such language/],
  [[{title: 'a'}], /no such language/],
  [[{language: 'German', title: 'a'}], /no such language/],
  [[{language: 'xx', title: 'a'}], /no such language/],
  [[DE, {...DE, language: 'DE'}], /languages have “de” twice/],
  [[{language: 'de', parameters: []}], /“de” has no texts/],
  [[{...DE, title: ''}], /The title in “de” is empty/],
  [[{...DE, description: ' '}], /In “de”: The description is empty/],
  [[{...DE, parameters: {}}], /parameters in “de” must be a list/],
  [[{...DE, parameters: [{description: 'a'}]}], /name of a parameter in “de” is missing/],
  [
    [
      {
        ...DE,
        parameters: [
          {name: 'a', description: 'b'},
          {name: 'a', description: 'c'},
        ],
      },
    ],
    /parameters in “de” have “a” twice/,
  ],
  [Array.from({length: 31}, () => DE), /at most 30 entries, and it has 31/],
]
for (const [value, problem] of REFUSED)
  test(`${JSON.stringify(value).slice(0, 60)} is refused`, () =>
    assert.match(problemOf(parseLanguageTexts(value)) ?? '', problem))

test('a language with an extension has its tag as its name', () =>
  assert.deepEqual(['de', 'de-u-co-phonebk', 'en-t-ja'].map(nameOfLanguage), [
    'German',
    'de-u-co-phonebk',
    'en-t-ja',
  ]))

test('each text is one change for a visitor', () => {
  const texts = [
    {...DE, description: 'Findet Läden.', parameters: [{name: 'city', description: 'Die Stadt.'}]},
  ]
  const members = membersOf(tool, {texts}).filter(({field}) => field === 'texts')
  assert.deepEqual(
    members.map(({title, part, text}) => [title, part, text]),
    [
      ['German', 'title', 'Läden'],
      ['German', 'description', 'Findet Läden.'],
      ['German', 'city', 'Die Stadt.'],
    ],
  )
})

test('a form tool has no title in any language', () => {
  const texts = [{language: 'fr', description: 'Nous écrire.'}, DE]
  const problemIn = (type: string) => problemsOf(type, {texts}).find(({field}) => field.startsWith('texts'))
  assert.deepEqual(problemIn('formTool'), {
    field: 'texts.1.title',
    problem: 'A form tool has no title: remove it from the texts in other languages.',
  })
  assert.equal(problemIn('tool'), undefined)
})
