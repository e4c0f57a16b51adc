import {type Subschema, subschemasOf} from '../../schemas/rules/jsonSchema/subschemas.ts'

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

/** A keyword that the draft does not have, and the members that lead to it. */
type StrangeKeyword = Pick<Subschema, 'path' | 'parameter'> & {readonly keyword: string}

/** The keywords of a schema, at any depth, that the draft does not have: each once, where it is first. */
export function keywordsOutsideOfDraft(schema: Record<string, unknown>): StrangeKeyword[] {
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
