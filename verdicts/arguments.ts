import type {TestArgument} from '../schemas/fields/tests.ts'
import {isRecord, jsonIn} from '../schemas/record.ts'
import {hasType} from '../schemas/rules/jsonSchema/parameterKind.ts'

/**
 * The arguments of a call, from what an editor typed: numbers, switches and lists where the parameters are such. What
 * cannot be read as the kind of its parameter stays text, so that a test can show that the tool refuses it.
 * @param inputSchema the parameters of the tool
 */
export function argumentsOf(typed: readonly TestArgument[], inputSchema: unknown): Record<string, unknown> {
  const properties = isRecord(inputSchema) && isRecord(inputSchema.properties) ? inputSchema.properties : {}
  return Object.fromEntries(
    typed.map(({name, value}) => [
      name,
      typedValue(value, Object.hasOwn(properties, name) ? properties[name] : {}),
    ]),
  )
}

function typedValue(text: string, schema: unknown): unknown {
  const {type, enum: choices, items} = isRecord(schema) ? schema : {}
  const types: unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type]
  const known: unknown[] = Array.isArray(choices) ? choices : []
  const choice = known.findIndex((one) => text === (typeof one === 'string' ? one : JSON.stringify(one)))
  if (choice >= 0) return known[choice]
  if (types.includes('string')) return text
  const json = jsonIn(text)
  if (types.length === 0) return typeof json === 'object' && json !== null ? json : text
  if (json !== undefined && types.some((one) => hasType(json, one))) return json
  const isList = types.includes('array') && isRecord(items) && items.type === 'string'
  return isList ? text.split('\n').filter((line) => line.trim() !== '') : (json ?? text)
}
