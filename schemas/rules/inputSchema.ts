import {Ajv} from 'ajv'
import {Ajv2020} from 'ajv/dist/2020.js'
import {isRecord, parseJson} from './json.ts'
import {isCommonSchema} from './jsonSchema/commonSchema.ts'
import {findBrokenPattern} from './jsonSchema/patterns.ts'
import {describeError} from './jsonSchema/problems.ts'
import {accept, type Parsed, refuse} from './parsed.ts'
import {hiddenCharacterProblem, parseText} from './text.ts'

/** "An object schema with a `type` of object and a `properties` map." */
export type ObjectSchema = Record<string, unknown> & {
  readonly type: 'object'
  readonly properties: Record<string, unknown>
}

/**
 * A tool's input schema in JSON Schema: an object with named properties.
 * The dialect is 2020-12 unless `$schema` names draft-07, the other one that agents' libraries support.
 */
export function parseInputSchema(value: unknown): Parsed<ObjectSchema> {
  return parseObjectSchema(value, 'input schema', 'arguments')
}

/** A tool's output schema: an object with named properties, like the input schema. A tool may have none. */
export function parseOutputSchema(value: unknown): Parsed<ObjectSchema | undefined> {
  if (value === undefined || value === null) return accept(undefined)
  return parseObjectSchema(value, 'output schema', 'a result')
}

/** @param parts what the properties are. */
function parseObjectSchema(value: unknown, name: string, parts: string): Parsed<ObjectSchema> {
  const what = `The ${name}`
  const text = parseText(value, what, 65_536)
  if (!text.ok) return text
  const hidden = hiddenCharacterProblem(text.value, what)
  if (hidden !== undefined) return refuse(hidden)
  const json = parseJson(text.value, what)
  if (!json.ok) return json
  const schema = json.value
  const empty = `For a tool without ${parts}, write {"type": "object", "properties": {}}.`
  if (!isRecord(schema))
    return refuse(`${what} must be a JSON object: begin with "{" and end with "}". ${empty}`)
  if (schema.type !== 'object') return refuse(`${what} must describe an object: give it "type": "object".`)
  if (!isRecord(schema.properties)) return refuse(`${what} needs "properties". ${empty}`)
  const dialect = findDialect(schema.$schema)
  if (dialect === undefined) {
    return refuse('This "$schema" is not supported: leave it out to use 2020-12, or name draft-07.')
  }
  if (!isCommonSchema(schema)) {
    const validator = validatorOf(dialect)
    if (!validator.validateSchema(schema)) return refuse(describeError(name, validator.errors ?? [], schema))
  }
  const broken = findBrokenPattern(name, schema)
  if (broken !== undefined) return refuse(broken)
  return isObjectSchema(schema) ? accept(schema) : refuse(`${what} must describe an object.`)
}

function isObjectSchema(schema: Record<string, unknown>): schema is ObjectSchema {
  return schema.type === 'object' && isRecord(schema.properties)
}

type Dialect = '2020-12' | 'draft-07'

function findDialect(name: unknown): Dialect | undefined {
  if (name === undefined) return '2020-12'
  if (typeof name !== 'string') return undefined
  const bare = name.replace(/#$/, '').replace(/^https?:/, '')
  if (bare === '//json-schema.org/draft/2020-12/schema') return '2020-12'
  return bare === '//json-schema.org/draft-07/schema' ? 'draft-07' : undefined
}

// Compiled on first use: compiling a meta-schema is too slow for the start of the service.
const validators = new Map<Dialect, Ajv | Ajv2020>()

function validatorOf(dialect: Dialect): Ajv | Ajv2020 {
  const Validator = dialect === '2020-12' ? Ajv2020 : Ajv
  const validator = validators.get(dialect) ?? new Validator({validateFormats: false})
  validators.set(dialect, validator)
  return validator
}
