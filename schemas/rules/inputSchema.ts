import {isRecord} from '../record.ts'
import {parseJson} from './json.ts'
import {mistakeIn} from './jsonSchema/metaSchema.ts'
import {findDialect} from './jsonSchema/mismatch.ts'
import {findBrokenPattern} from './jsonSchema/patterns.ts'
import {accept, type Parsed, refuse} from './parsed.ts'
import {parseVisibleText} from './text.ts'

/** A schema whose `type` is "object", with a map of properties. */
export type ObjectSchema = Record<string, unknown> & {
  readonly type: 'object'
  readonly properties: Record<string, unknown>
}

/**
 * A tool's input schema in JSON Schema: an object with named properties.
 * The dialect is 2020-12 unless `$schema` names draft-07, the other one that agents' libraries support.
 */
export function parseInputSchema(value: unknown): Parsed<ObjectSchema> {
  const what = 'The input schema'
  const empty = 'For a tool without arguments, write {"type": "object", "properties": {}}.'
  return parseSchema(value, 'input schema', ` ${empty}`, (schema) => {
    if (schema.type !== 'object')
      return refuse(
        `${what} must describe an object: give it "type": "object".${schema.properties === undefined ? ` ${empty}` : ''}`,
      )
    if (!isObjectSchema(schema))
      return refuse(
        schema.properties === undefined
          ? `${what} needs "properties". ${empty}`
          : `In the input schema, "properties" must be an object, such as {"query": {"type": "string"}}.`,
      )
    return accept(schema)
  })
}

/**
 * A tool's output schema: JSON Schema of any kind, as in MCP since 2026-07-28. A tool may have none. The service leaves
 * out a broken one, and serves the tool.
 */
export function parseOutputSchema(value: unknown): Parsed<Record<string, unknown> | undefined> {
  if (value === undefined || value === null) return accept(undefined)
  return parseSchema(value, 'output schema', '', accept)
}

/**
 * @param remedy after what is wrong with a text that is not a JSON object
 * @param narrow refuses what is JSON, but not such a schema
 */
function parseSchema<Schema extends Record<string, unknown>>(
  value: unknown,
  name: string,
  remedy: string,
  narrow: (schema: Record<string, unknown>) => Parsed<Schema>,
): Parsed<Schema> {
  const what = `The ${name}`
  const text = parseVisibleText(value, what, 65_536)
  if (!text.ok) return text
  const json = parseJson(text.value, what)
  if (!json.ok) return json
  if (!isRecord(json.value))
    return refuse(`${what} must be a JSON object: begin with "{" and end with "}".${remedy}`)
  const narrowed = narrow(json.value)
  if (!narrowed.ok) return narrowed
  const schema = narrowed.value
  const dialect = findDialect(schema.$schema)
  if (dialect === undefined) {
    return refuse('This "$schema" is not supported: leave it out to use 2020-12, or name draft-07.')
  }
  const mistake = mistakeIn(schema, dialect)
  if (mistake !== undefined) {
    const where = mistake.path.length === 0 ? 'its top level' : `"/${mistake.path.join('/')}"`
    return refuse(`${what} is not valid JSON Schema: ${where} ${mistake.problem}.`)
  }
  const broken = findBrokenPattern(name, schema)
  return broken === undefined ? narrowed : refuse(broken)
}

function isObjectSchema(schema: Record<string, unknown>): schema is ObjectSchema {
  return schema.type === 'object' && isRecord(schema.properties)
}
