import {compilesWithUnicode} from '../rules/jsonSchema/patterns.ts'
import type {Subschema} from '../rules/jsonSchema/subschemas.ts'
import {type Advice, advise} from './advice.ts'

/** Keywords that the web platform tests expect `registerTool` to refuse. Chromium 156 still accepts them. */
export const UNSUPPORTED: ReadonlySet<string> = new Set([
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

/** Advice on the keywords of a schema and its subschemas that browsers are going to refuse, once for each. */
export function adviseKeywords(subschemas: readonly Subschema[], field: string): Advice[] {
  const found = new Map<string, Advice>()
  for (const {schema: inner, path, parameter} of subschemas) {
    const where = parameter === undefined ? '' : ` in “${parameter}”`
    for (const [keyword, value] of Object.entries(inner)) {
      const isOpen = keyword === 'additionalProperties' && value !== false
      if ((!UNSUPPORTED.has(keyword) && !isOpen) || found.has(keyword)) continue
      const message = `Browsers will refuse tools that use "${keyword}"${where}. ${remedyFor(keyword)}`
      found.set(keyword, advise('KEYWORD_UNSUPPORTED', field, message, {path: [...path, keyword]}))
    }
    const {pattern} = inner
    if (typeof pattern === 'string' && !compilesWithUnicode(pattern)) {
      const message = `The pattern${where} does not follow Unicode rules, as JSON Schema demands, and some agents refuse it. Remove “\\” before characters that need none, such as “-”.`
      found.set(
        `pattern ${where}`,
        advise('PATTERN_NOT_UNICODE', field, message, {path: [...path, 'pattern']}),
      )
    }
  }
  return [...found.values()]
}

function remedyFor(keyword: string): string {
  if (keyword === 'format') return 'Say it in the description, or use "pattern".'
  return keyword === 'additionalProperties' ? 'Leave it out, or set it to false.' : 'Leave it out.'
}
