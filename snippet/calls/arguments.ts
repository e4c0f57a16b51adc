/** The keywords of JSON Schema that `check` reads. */
export type Schema = {
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  [keyword: string]: unknown
}

/** Characters of a message. */
const LONGEST = 300

/**
 * Checks an argument against the keywords that most tools use, at any depth. Others, such as `anyOf` and
 * `pattern`, are ignored: what the schema allows is never refused.
 *
 * Only own members count, of the argument and of the schema: a page may add others to every object and list.
 * @param name of the argument.
 * @throws a sentence for the agent, which is short whatever the schema is.
 */
export function check(value: unknown, schema: Schema, name: string): void {
  const own: Schema = {__proto__: null, ...schema}
  // In draft-07, a `$ref` replaces the keywords next to it.
  if (own.$ref || own.prefixItems) return
  // Its type, how the keywords end that bound it, as in `minLength`, and its size. A text counts code points.
  const [kind, unit, size = NaN]: [string, string?, number?] = Array.isArray(value)
    ? ['array', 'Items', value.length]
    : typeof value === 'string'
      ? ['string', 'Length', [...value].length]
      : typeof value === 'number'
        ? ['number', 'imum', value]
        : [value === null ? 'null' : typeof value]
  const parts: Record<string, unknown> = typeof value === 'object' ? Object(value) : {}
  for (const keyword in own) {
    const isRequired = keyword === 'required'
    // Of those that are required, only the missing ones are named.
    const limit = isRequired ? own.required?.filter((key) => !Object.hasOwn(parts, key)) : own[keyword]
    if (
      keyword === 'type'
        ? // One type or a list. No name of a type contains another one.
          !`${limit}`.replace('integer', Number.isInteger(value) ? 'number' : '').includes(kind)
        : keyword === 'enum'
          ? Object(value) !== value && !own.enum?.includes(value)
          : isRequired
            ? kind === 'object' && Object(limit).length > 0
            : keyword === `min${unit}`
              ? size < Number(limit)
              : keyword === `max${unit}` && size > Number(limit)
    ) {
      const problem = `Invalid ${name}: it must match "${keyword}": ${JSON.stringify(limit)}.`
      throw new Error(problem.length > LONGEST ? `${problem.slice(0, LONGEST)}…` : problem)
    }
  }
  const {items, properties = {}} = own
  for (const key of Object.keys(parts)) {
    const inner = kind === 'array' ? items : Object.hasOwn(properties, key) && properties[key]
    if (inner) check(parts[key], inner, `${name}.${key}`)
  }
}
