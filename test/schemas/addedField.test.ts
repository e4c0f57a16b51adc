import {deepEqual, match, ok} from 'node:assert/strict'
import {test} from 'node:test'
import {Schema} from '@sanity/schema'
import {builtinTypes} from '@sanity/schema/_internal'
import {Ajv} from 'ajv'
import {compareDocuments, membersOf} from '../../advice/changes/members.ts'
import {handedOver} from '../../making/madeTool.ts'
import {
  answerOf,
  type Declaration,
  parseDocument,
  problemsIn,
  unknownMembers,
} from '../../schemas/document.ts'
import {entry, field, line} from '../../schemas/field.ts'
import {jsonSchemaOf} from '../../schemas/jsonSchemas.ts'
import {decidingFields} from '../../schemas/review.ts'
import {accept, refuse} from '../../schemas/rules/parsed.ts'
import {sanityType} from '../../schemas/sanity.ts'
import {tool} from '../../schemas/tool.ts'
import {projectionOf} from '../../service/upstream/queries.ts'
import {TEXTS, TOOL} from '../support/brokenRepositories/documents.ts'
import {read} from './fieldRules.ts'

const seconds = field({
  name: 'seconds',
  type: 'number',
  title: 'Longest call',
  description: 'After so many seconds, agents stop waiting.',
  schema: {minimum: 1},
  form: {group: 'work'},
  parse: (value) => {
    if (value === undefined || value === null) return accept(undefined)
    return typeof value === 'number' && value >= 1 ? accept(value) : refuse('Write a number from 1.')
  },
  isServed: true,
  answer: {},
  decidesCode: true,
  isHandedOver: true,
})

test('a field that is declared once is everywhere', () => {
  const copy: Declaration = {...tool, fields: [...tool.fields, seconds]}
  const document = {...TOOL, ...TEXTS, seconds: 5}

  const studio = Schema.compile({
    types: [
      ...builtinTypes,
      {name: 'site', type: 'document', fields: [{name: 'a', type: 'string'}]},
      sanityType(copy),
    ],
  })
  const fields = read(studio.get('tool'), 'fields')
  const own = Array.isArray(fields) ? fields.find(({name}) => name === 'seconds') : undefined
  deepEqual(read(read(own, 'type'), 'title'), 'Longest call')

  match(projectionOf(copy), /, seconds$/)
  deepEqual(Object.entries(answerOf(copy, parseDocument(copy, document), document)).at(-1), ['seconds', 5])
  deepEqual(problemsIn(copy, {...document, seconds: 0}), [
    {field: 'seconds', problem: 'Write a number from 1.'},
  ])
  deepEqual(unknownMembers(copy, {...document, second: 5}), [{field: 'second', meant: 'seconds'}])

  const validate = new Ajv({allowUnionTypes: true}).compile(jsonSchemaOf(copy))
  deepEqual(
    [5, 0].map((value) => validate({...document, seconds: value})),
    [true, false],
  )

  deepEqual(
    membersOf(copy, document).find(({field}) => field === 'seconds'),
    {field: 'seconds', title: 'Longest call', text: '5'},
  )
  ok(decidingFields(copy).includes('seconds'))
  deepEqual(handedOver(copy, {seconds: 5, minutes: 1}), {seconds: 5})
})

test('a member of an object that is declared once is in the form, the check, the schema, the answer and a diff', () => {
  const note = line('note', 'Note')
  const copy: Declaration = {
    ...tool,
    fields: tool.fields.map((one) =>
      one.name === 'texts'
        ? {
            ...one,
            entry: {
              ...entry('language', 'Language', [note]),
              ...one.entry,
              members: [...(one.entry?.members ?? []), note],
            },
            parse: (value) => accept(value),
          }
        : one,
    ),
  }
  const texts = [{language: 'de', title: 'Karte'}]
  const before = {...TOOL, ...TEXTS, texts}
  const after = {...before, texts: [{...texts[0], note: 'Formal.'}]}
  match(JSON.stringify(sanityType(copy)), /"note"/)
  match(JSON.stringify(jsonSchemaOf(copy)), /"note"/)
  deepEqual(unknownMembers(copy, {...after, texts: [{language: 'de', nota: 'x'}]}), [
    {field: 'texts.0.nota', meant: 'note'},
  ])
  deepEqual(answerOf(copy, parseDocument(copy, after), after).texts, after.texts)
  deepEqual(
    compareDocuments(copy, before, after).map(({field}) => field),
    ['texts'],
  )
})
