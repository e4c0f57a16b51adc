import {isRecord} from '../rules/json.ts'
import {type Advice, advise} from './advice.ts'
import {adviseProse, LONGEST_NAME, LONGEST_PARAMETER_DESCRIPTION} from './texts.ts'

const FIELD = 'inputSchema'

/**
 * Advice on a tool's parameters.
 * @param schema an input schema that the rules accept
 */
export function adviseParameters(schema: Record<string, unknown>): Advice[] {
  const properties = isRecord(schema.properties) ? schema.properties : {}
  return [
    ...Object.entries(properties).flatMap(([name, property]) => adviseParameter(name, property)),
    ...adviseRequired(schema, properties),
    ...adviseKeywords(schema),
  ]
}

function adviseParameter(name: string, property: unknown): Advice[] {
  const advice: Advice[] = []
  if (name.length > LONGEST_NAME) {
    const message = `The parameter “${name}” has a name of ${name.length} characters. Agents handle names of up to ${LONGEST_NAME} characters best.`
    advice.push(advise('PARAMETER_NAME_LONG', FIELD, message))
  }
  const description = isRecord(property) ? property.description : undefined
  if (typeof description !== 'string' || description.trim() === '') {
    const message = `The parameter “${name}” has no description. Say what an agent should put there, with an example.`
    return [...advice, advise('PARAMETER_UNDESCRIBED', FIELD, message)]
  }
  if (description.length > LONGEST_PARAMETER_DESCRIPTION) {
    const message = `The description of “${name}” has ${description.length} characters. Agents may cut it off after ${LONGEST_PARAMETER_DESCRIPTION}.`
    advice.push(advise('PARAMETER_DESCRIPTION_LONG', FIELD, message))
  }
  return [...advice, ...adviseProse(description, FIELD, `The description of “${name}”`)]
}

function adviseRequired(schema: Record<string, unknown>, properties: Record<string, unknown>): Advice[] {
  const required = Array.isArray(schema.required) ? schema.required : []
  return required
    .filter((name) => typeof name === 'string' && !Object.hasOwn(properties, name))
    .map((name) =>
      advise(
        'REQUIRED_UNKNOWN',
        FIELD,
        `“${name}” is required, but there is no parameter of that name. Agents cannot call the tool: add the parameter, or make it not required.`,
      ),
    )
}

/** Keywords that the web platform tests expect `registerTool` to refuse. Chromium 156 still accepts them. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  '$ref',
  '$defs',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  'definitions',
  'format',
  'unevaluatedProperties',
  'unevaluatedItems',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
])

/** Keywords whose value maps names, which may be anything, to schemas. */
const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
])
/** Keywords whose value is data. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', 'required'])

function adviseKeywords(schema: Record<string, unknown>): Advice[] {
  const found = new Map<string, string>()
  const waiting: {value: unknown; path: string}[] = [{value: schema, path: ''}]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const {value, path} = next
    if (Array.isArray(value)) {
      for (const item of value) waiting.push({value: item, path})
      continue
    }
    if (!isRecord(value)) continue
    for (const [keyword, inner] of Object.entries(value)) {
      if (DATA.has(keyword)) continue
      if (UNSUPPORTED.has(keyword)) found.set(keyword, path)
      if (keyword === 'additionalProperties' && inner !== false) found.set(keyword, path)
      if (MAPS.has(keyword) && isRecord(inner)) {
        for (const [name, part] of Object.entries(inner)) waiting.push({value: part, path: path || name})
      } else waiting.push({value: inner, path})
    }
  }
  return Array.from(found, ([keyword, path]) => {
    const where = path === '' ? '' : ` in “${path}”`
    const remedy = keyword === 'format' ? 'Say it in the description, or use "pattern".' : 'Leave it out.'
    const message = `Browsers will refuse tools that use "${keyword}"${where}. ${remedy}`
    return advise('KEYWORD_UNSUPPORTED', FIELD, message)
  })
}
