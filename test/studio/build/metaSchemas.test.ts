import {deepEqual, ok} from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {readdir, readFile} from 'node:fs/promises'
import {test} from 'node:test'
import {promisify} from 'node:util'
import {Ajv} from 'ajv'
import {Ajv2020} from 'ajv/dist/2020.js'
import {precompiledMetaSchemas} from '../../../studio/build/metaSchemas.ts'

const rule = '/somewhere/schemas/rules/inputSchema.ts'
const root = new URL('../../..', import.meta.url)

const property = (schema: unknown) => ({type: 'object', properties: {a: schema}})
const samples: unknown[] = [
  {},
  property({type: 'string'}),
  property({type: 'strin'}),
  property({type: 'string', minLength: -1}),
  property({enum: 'red'}),
  property({$ref: 1}),
  property({type: ['string', 'null'], pattern: '^a', anyOf: [{minLength: 2}]}),
  property({anyOf: []}),
  property({prefixItems: [{type: 'string'}, {type: 1}]}),
  property({$defs: {x: 1}}),
  property({type: 'array', items: [{type: 'string'}]}),
  {type: 'object', properties: 1},
  {type: 'object', properties: {}, required: ['a', 'a']},
]

/** The results of the bundled code, run where eval is forbidden. */
async function runPrecompiled(id: string, name: string): Promise<unknown> {
  const plugin = precompiledMetaSchemas()
  const code = plugin.load(plugin.resolveId(id, rule) ?? '')
  const script = `${code}
const dialect = new ${name}()
const answers = ${JSON.stringify(samples)}.map((sample) => [dialect.validateSchema(sample), dialect.errors])
console.log(JSON.stringify(answers))`
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', script]
  const {stdout} = await promisify(execFile)(process.execPath, flags, {cwd: root})
  return JSON.parse(stdout)
}

for (const [id, name, ajv] of [
  ['ajv', 'Ajv', new Ajv({validateFormats: false})],
  ['ajv/dist/2020.js', 'Ajv2020', new Ajv2020({validateFormats: false})],
] as const) {
  test(`${name}: the bundled code needs no eval, and validates as Ajv does`, async () => {
    const expected: unknown = JSON.parse(
      JSON.stringify(samples.map((sample) => [ajv.validateSchema(Object(sample)), ajv.errors])),
    )
    deepEqual(await runPrecompiled(id, name), expected)
  })
}

test('only the rule of input schemas is given precompiled code', async () => {
  const plugin = precompiledMetaSchemas()
  ok(plugin.resolveId('ajv', rule))
  deepEqual(plugin.resolveId('ajv', '/somewhere/node_modules/other/index.js'), undefined)
  deepEqual(plugin.resolveId('acorn', rule), undefined)
  // Another rule that needs Ajv would compile in the page, and fail there.
  const rules = new URL('schemas/rules/', root)
  const files = (await readdir(rules, {recursive: true})).filter((file) => file.endsWith('.ts'))
  ok(files.length > 20)
  for (const file of files) {
    const text = await readFile(new URL(file, rules), 'utf8')
    if (file !== 'inputSchema.ts') ok(!/^import \{.+from 'ajv/m.test(text), file)
  }
})
