import assert from 'node:assert/strict'
import {test} from 'node:test'
import {Ajv2020} from 'ajv/dist/2020.js'
import {isRecord} from '../../../schemas/record.ts'
import {parseInputSchema} from '../../../schemas/rules/inputSchema.ts'
import {mistakeIn} from '../../../schemas/rules/jsonSchema/metaSchema.ts'
import {KINDS, type ParameterSchema} from '../../../schemas/rules/jsonSchema/parameterKind.ts'
import {changeKind} from '../../../studio/inputs/parameterKinds.ts'
import {
  addRow,
  readSchema,
  removeRow,
  renameRow,
  requireRow,
  rowsOf,
  setKeyword,
  updateRow,
  writeSchema,
} from '../../../studio/inputs/parameters/table.ts'
import {schemasOfSuite} from '../../runner/schemaSuite.ts'

const SUITE = schemasOfSuite()

/** Input schemas made of the suite's schemas: each as a parameter, and those of objects also as they are. */
const TEXTS = [...SUITE].flatMap(([where, schema]) => {
  const parameters = {value: schema, other: {type: 'string', description: 'Another parameter'}}
  const inputs: object[] = [{type: 'object', properties: parameters, required: ['value', 'other']}]
  if (isRecord(schema)) inputs.push({...schema, type: 'object', properties: schema.properties ?? {}})
  return inputs.map((input) => ({where, text: JSON.stringify(input)}))
})

const ACCEPTED = TEXTS.filter(({text}) => parseInputSchema(text).ok)

function tableOf(text: string): ParameterSchema {
  const schema = readSchema(text)
  assert.ok(schema)
  return schema
}

test('the rules accept most schemas of the suite as a parameter', () => {
  assert.ok(SUITE.size > 300, `${SUITE.size} schemas`)
  assert.ok(ACCEPTED.length > SUITE.size, `${ACCEPTED.length} of ${TEXTS.length} are accepted`)
})

test('the rules know what is a schema as its meta-schema does', () => {
  const ajv = new Ajv2020({validateFormats: false, logger: false})
  for (const [where, schema] of SUITE)
    if (isRecord(schema))
      assert.equal(
        mistakeIn(schema, '2020-12') === undefined,
        ajv.validateSchema(JSON.parse(JSON.stringify({...schema, $schema: undefined}))),
        where,
      )
})

test('every schema that the rules accept survives text, table and text again', () => {
  for (const {where, text} of ACCEPTED) {
    const schema = tableOf(text)
    assert.equal(JSON.stringify(tableOf(writeSchema(schema))), text, where)
    assert.deepEqual(
      Object.fromEntries(rowsOf(schema).map((row) => [row.name, row.schema])),
      schema.properties,
    )
  }
})

const CHANGES: readonly ((schema: ParameterSchema, name: string) => ParameterSchema | undefined)[] = [
  addRow,
  removeRow,
  (schema, name) => renameRow(schema, name, 'aNameThatIsFree'),
  (schema, name) => requireRow(schema, name, false),
  (schema, name) => setKeyword(schema, name, 'description', 'A new description'),
  (schema, name) => updateRow(schema, name, addRow),
  ...KINDS.map(
    (kind) => (schema: ParameterSchema, name: string) =>
      updateRow(schema, name, (parameter) => changeKind(parameter, kind)),
  ),
]

test('a change of one parameter leaves the other parameters and keywords of the schema as they are', () => {
  for (const {where, text} of ACCEPTED) {
    const schema = tableOf(text)
    const rows = rowsOf(schema)
    const last = rows.at(-1)
    if (last === undefined) continue
    for (const change of CHANGES) {
      const after = change(schema, last.name)
      assert.ok(after, where)
      const {properties, required, ...kept} = tableOf(writeSchema(after))
      const {properties: before, required: _required, ...expected} = schema
      assert.deepEqual(kept, expected, where)
      for (const {name, schema: parameter} of rows.slice(0, -1))
        assert.deepEqual(isRecord(properties) && properties[name], parameter, where)
      assert.ok(isRecord(before) && last.name in before, 'the table does not change what it was given')
    }
  }
})

test('a new description keeps every other keyword of the parameter, in its order', () => {
  for (const {where, text} of ACCEPTED) {
    const schema = tableOf(text)
    for (const row of rowsOf(schema)) {
      if (!isRecord(row.schema)) continue
      const changed = rowsOf(setKeyword(schema, row.name, 'description', 'New')).find(
        ({name}) => name === row.name,
      )
      assert.deepEqual(changed?.schema, {...row.schema, description: 'New'}, where)
    }
  }
})
