import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import {Ajv} from 'ajv'
import {Ajv2020} from 'ajv/dist/2020.js'
import {adviseDocument} from '../../../advice/tool.ts'
import {parseDocument} from '../../../schemas/document.ts'
import {tool} from '../../../schemas/tool.ts'
import {configFor} from '../../../service/site/answer.ts'
import {check} from '../../../snippet/calls/arguments.ts'
import {compileSite} from '../../service/support/compile.ts'
import {siteDocument, toolDocument} from '../../support/shop.ts'

/** A tool in the shape of one that somebody published. */
type Row = {
  readonly name: string
  readonly description: string
  readonly inputSchema: Record<string, unknown>
  readonly outputSchema?: unknown
  /** Arguments that its schema allows. */
  readonly args?: unknown
  /** What the message of the rule says that refuses it. */
  readonly refused?: string
  /** Whether only its output schema is refused. */
  readonly outputLeftOut?: true
}

const ROWS = readFileSync(new URL('tools.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Row => JSON.parse(line))

function documentOf({name, description, inputSchema, outputSchema}: Row, index: number) {
  return toolDocument({
    _id: `tool${index}`,
    name,
    description,
    inputSchema: JSON.stringify(inputSchema),
    ...(outputSchema !== undefined && {outputSchema: JSON.stringify(outputSchema)}),
  })
}

const ACCEPTED = ROWS.filter(({refused}) => refused === undefined)

/** Validators as agents use them, by dialect. */
const options = {strict: false, validateFormats: false}
const validators = {draft7: new Ajv(options), current: new Ajv2020(options)}

test('there are 150 tools, and most are accepted', () => {
  assert.ok(ROWS.length >= 150)
  assert.ok(ACCEPTED.length >= 125)
})

test('each rule that refuses a tool says why', () => {
  for (const [index, row] of ROWS.entries()) {
    const document = documentOf(row, index)
    const parse = () => parseDocument(tool, document)
    if (row.refused === undefined) parse()
    else assert.throws(parse, new RegExp(row.refused), row.name)
  }
})

test('the snippet passes arguments that a schema allows to the script unchanged', () => {
  const rows = ACCEPTED.filter(({args}) => args !== undefined)
  assert.ok(rows.length >= 100)
  for (const {name, inputSchema, args} of rows) {
    const isDraft7 = String(inputSchema.$schema).includes('draft-07')
    assert.ok(validators[isDraft7 ? 'draft7' : 'current'].validate(inputSchema, args), name)
    assert.deepEqual(check(args, inputSchema, 'input'), args, name)
  }
})

test('advice on them concerns what is there', () => {
  const tools = ACCEPTED.map((row, index) => ({
    ...documentOf(row, index),
    executeJs: 'return JSON.stringify(args)',
  }))
  const codes = new Set(tools.flatMap((tool) => adviseDocument('tool', tool)).map(({code}) => code))
  assert.deepEqual([...codes].sort(), [
    'CHOICES_FEW',
    'DESCRIPTION_SHORT',
    'NAME_TOO_LONG_FOR_AGENTS',
    'NAME_WITH_DOT',
    'OUTPUT_SCHEMA_BROKEN',
    'PARAMETER_NAME_CHARACTERS',
    'PARAMETER_UNDESCRIBED',
    'PATTERN_NOT_UNICODE',
  ])
})

test('the service serves each accepted tool unchanged', async () => {
  const revised = ROWS.map((row, index) => ({...documentOf(row, index), _rev: '1'}))
  const site = await compileSite({...siteDocument(), _rev: '1', tools: revised, formTools: []})
  const config: {tools: Row[]} = JSON.parse(String(configFor(site, undefined).encode()))
  const served = config.tools.map(({name, description, inputSchema, outputSchema}) => [
    name,
    {description, inputSchema, outputSchema},
  ])
  const expected = ACCEPTED.map(({name, description, inputSchema, outputSchema, outputLeftOut}) => [
    name,
    {description, inputSchema, outputSchema: outputLeftOut ? undefined : outputSchema},
  ])
  assert.deepEqual(Object.fromEntries(served), Object.fromEntries(expected))
})
