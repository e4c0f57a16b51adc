import {isRecord} from '../../record.ts'

/** A schema within a schema. */
export type Subschema = {
  readonly schema: Record<string, unknown>
  /** The members that lead to it. */
  readonly path: readonly (string | number)[]
  /** The parameter that it is part of, such as `address.city`; undefined for the tool's schema itself. */
  readonly parameter: string | undefined
}

/** Keywords whose value is a schema, or in older drafts a list of schemas. */
const SCHEMAS: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'oneOf',
  'prefixItems',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])

/** Keywords whose value maps names, which may be anything, to schemas. */
const MAPS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
])

/**
 * A schema and all schemas in it, outermost first. Values such as those of `const` are not schemas.
 * @param isKnown whether a dialect has a keyword
 */
export function subschemasOf(
  root: Record<string, unknown>,
  isKnown: (keyword: string) => boolean = () => true,
): Subschema[] {
  const found: Subschema[] = [{schema: root, path: [], parameter: undefined}]
  // The list grows while it is read.
  for (const {schema, path, parameter} of found) {
    const add = (value: unknown, path: Subschema['path'], parameter: string | undefined) => {
      if (isRecord(value)) found.push({schema: value, path, parameter})
    }
    for (const [keyword, value] of Object.entries(schema)) {
      if (!isKnown(keyword)) continue
      if (SCHEMAS.has(keyword)) {
        if (Array.isArray(value))
          value.forEach((item, at) => void add(item, [...path, keyword, at], parameter))
        else add(value, [...path, keyword], parameter)
      }
      if (!MAPS.has(keyword) || !isRecord(value)) continue
      for (const [name, inner] of Object.entries(value)) {
        const isParameter = keyword === 'properties'
        const inside = parameter === undefined ? name : `${parameter}.${name}`
        add(inner, [...path, keyword, name], isParameter ? inside : parameter)
      }
    }
  }
  return found
}
