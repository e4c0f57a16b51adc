import {compilesWithUnicode} from '../schemas/rules/jsonSchema/patterns.ts'
import {type Subschema, subschemasOf} from '../schemas/rules/jsonSchema/subschemas.ts'
import {type Advice, advise} from './advice.ts'

/**
 * The keywords of parameters that browsers will accept by the draft in
 * https://github.com/webmachinelearning/webmcp/pull/289 of 2026-09-03: "only allowlist passes". A tool with others is
 * refused. `additionalProperties` only as `false`.
 */
const DRAFT_KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'items',
  'prefixItems',
  'additionalProperties',
  'default',
  'description',
])

/** Keywords that the web platform tests expect `registerTool` to refuse. Chromium 156 still accepts them. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  '$ref',
  '$defs',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  'definitions',
  'format',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
])

/** They are not in the draft, but help agents today: to advise against them would make tools worse. */
const HELPFUL: ReadonlySet<string> = new Set(['examples', 'title', '$schema', '$comment'])

/** Advice on keywords that browsers are going to refuse, once for each, and on those that a draft does not have, all together. */
export function adviseKeywords(schema: Record<string, unknown>, field: string): Advice[] {
  const {refused = [], strange = []} = Object.groupBy(keywordsOutsideOfDraft(schema), ({keyword}) =>
    UNSUPPORTED.has(keyword) ? 'refused' : HELPFUL.has(keyword) ? 'helpful' : 'strange',
  )
  const advice = refused.map(({keyword, path, parameter}) => {
    const message = `Browsers will refuse tools that use "${keyword}"${whereIs(parameter)}. ${remedyFor(keyword)}`
    return advise('KEYWORD_UNSUPPORTED', field, message, {path})
  })
  const [first] = strange
  if (first === undefined) return advice
  const keywords = strange.map(({keyword}) => `"${keyword}"`).join(', ')
  const message = `A draft of WebMCP lists the keywords that browsers accept, without ${keywords}. If browsers follow it, they refuse this tool: say it in descriptions where you can.`
  return [...advice, advise('KEYWORD_NOT_IN_DRAFT', field, message, {path: first.path})]
}

/** Advice on regular expressions that only some agents accept. */
export function advisePatterns(subschemas: readonly Subschema[], field: string): Advice[] {
  return subschemas.flatMap(({schema: {pattern}, path, parameter}) => {
    if (typeof pattern !== 'string' || compilesWithUnicode(pattern)) return []
    const message = `The pattern${whereIs(parameter)} does not follow Unicode rules, as JSON Schema demands, and some agents refuse it. Remove “\\” before characters that need none, such as “-”.`
    return [advise('PATTERN_NOT_UNICODE', field, message, {path: [...path, 'pattern']})]
  })
}

function whereIs(parameter: string | undefined): string {
  return parameter === undefined ? '' : ` in “${parameter}”`
}

function remedyFor(keyword: string): string {
  if (keyword === 'format') return 'Say it in the description, or use "pattern".'
  return keyword === 'additionalProperties' ? 'Leave it out, or set it to false.' : 'Leave it out.'
}

/** A keyword that the draft does not have, and the members that lead to it. */
type StrangeKeyword = Pick<Subschema, 'path' | 'parameter'> & {readonly keyword: string}

/** The keywords of a schema, at any depth, that the draft does not have: each once, where it is first. */
function keywordsOutsideOfDraft(schema: Record<string, unknown>): StrangeKeyword[] {
  const found = new Map<string, StrangeKeyword>()
  for (const {schema: inner, path, parameter} of subschemasOf(schema)) {
    for (const [keyword, value] of Object.entries(inner)) {
      const isOpen = keyword === 'additionalProperties' && value !== false
      if ((DRAFT_KEYWORDS.has(keyword) && !isOpen) || found.has(keyword)) continue
      found.set(keyword, {keyword, path: [...path, keyword], parameter})
    }
  }
  return [...found.values()]
}
