/** The keywords of JSON Schema that `check` reads. */
export type Schema = {
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  [keyword: string]: unknown
}

/**
 * Checks an argument against the keywords that most tools use, at any depth. Others, such as `anyOf` and
 * `pattern`, are ignored: what the schema allows is never refused. Members that an object inherits do not count.
 * @param name of the argument.
 * @throws a sentence for the agent, which is short whatever the schema is.
 */
export function check(value: unknown, schema: Schema, name: string): void {
  // In draft-07, a `$ref` replaces the keywords next to it.
  if (schema.$ref || schema.prefixItems) return
  // Its type, how the keywords end that bound it, as in `minLength`, and its size. A text counts code points.
  const [kind, unit, size = NaN]: [string, string?, number?] = Array.isArray(value)
    ? ['array', 'Items', value.length]
    : typeof value === 'string'
      ? ['string', 'Length', [...value].length]
      : typeof value === 'number'
        ? ['number', 'imum', value]
        : [value === null ? 'null' : typeof value]
  const parts: Record<string, unknown> = typeof value === 'object' ? Object(value) : {}
  for (const [keyword, limit] of Object.entries(schema)) {
    if (
      keyword === 'type'
        ? // One type or a list. No name of a type contains another one.
          !`${limit}`.replace('integer', Number.isInteger(value) ? 'number' : '').includes(kind)
        : keyword === 'enum'
          ? Object(value) !== value && !schema.enum?.includes(value)
          : keyword === 'required'
            ? kind === 'object' && !schema.required?.every((key) => Object.hasOwn(parts, key))
            : keyword === `min${unit}`
              ? size < Number(limit)
              : keyword === `max${unit}` && size > Number(limit)
    )
      throw new Error(`Invalid ${name}: it must match "${keyword}": ${JSON.stringify(limit)}.`.slice(0, 300))
  }
  // Not "in": a page may add members to every list.
  for (const [key, part] of Object.entries(parts)) {
    const inner = kind === 'array' ? schema.items : schema.properties?.[key]
    if (inner) check(part, inner, `${name}.${key}`)
  }
}
