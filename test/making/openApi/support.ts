import assert from 'node:assert/strict'
import {stringify} from 'yaml'
import {plannedAction} from '../../../actions/compile.ts'
import {parseOpenApi} from '../../../making/openApi.ts'
import {type Fields, isRecord} from '../../../schemas/record.ts'
import {parseInputSchema} from '../../../schemas/rules/inputSchema.ts'
import {parseToolName} from '../../../schemas/rules/names/toolName.ts'

export const SITE = 'https://library.example'

export const EVENT = {
  type: 'object',
  properties: {id: {type: 'string'}, title: {type: 'string'}, date: {type: 'string'}},
}

export const answer = (schema: object) => ({
  200: {description: 'OK', content: {'application/json': {schema}}},
})

/** A file with one operation. */
export const api = (path: string, method: string, operation: object, rest: object = {}) => ({
  openapi: '3.1.0',
  info: {title: 'Library', version: '1'},
  servers: [{url: SITE}],
  paths: {[path]: {[method]: operation}},
  ...rest,
})

export const TEXT = {type: 'string'}
export const INTEGER = {type: 'integer'}

/** The only tool of a file; the file is read once as JSON and once as YAML. */
export function toolOf(document: object): {fields: Fields; notes: readonly string[]} {
  const [json, yaml] = [JSON.stringify(document), stringify(document)].map((text) => {
    const parsed = parseOpenApi(text, [SITE])
    assert.ok(parsed.ok, parsed.ok ? '' : parsed.problem)
    const [operation] = parsed.value.operations
    const tool = parsed.value.toolOf(operation?.id ?? '')
    assert.ok(tool.ok, tool.ok ? '' : tool.problem)
    return tool.value
  })
  assert.deepEqual(json, yaml)
  assert.ok(json)
  // What is proposed keeps the rules.
  const schema = parseInputSchema(json.fields.inputSchema)
  assert.ok(schema.ok, schema.ok ? '' : schema.problem)
  assert.ok(parseToolName(json.fields.name).ok)
  assert.ok(plannedAction(json.fields))
  return json
}

export const requestOf = ({fields}: {fields: Fields}) => {
  assert.ok(isRecord(fields.request))
  return fields.request
}
