import {isObject, type Members, membersOf} from '../members.ts'

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
export function check(value: unknown, schema: unknown, name: string): void {
  const own: Members = {__proto__: null, ...membersOf(schema)}
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
  const parts = membersOf(value)
  for (const keyword in own) {
    const isRequired = keyword === 'required'
    // Of those that are required, only the missing ones are named.
    const limit =
      isRequired && Array.isArray(own.required)
        ? own.required.filter((key) => !Object.hasOwn(parts, key))
        : own[keyword]
    if (
      keyword === 'type'
        ? // One type or a list. No name of a type contains another one.
          !`${limit}`.replace('integer', Number.isInteger(value) ? 'number' : '').includes(kind)
        : keyword === 'enum'
          ? !isObject(value) && Array.isArray(limit) && !limit.includes(value)
          : isRequired
            ? kind === 'object' && Array.isArray(limit) && limit.length > 0
            : keyword === `min${unit}`
              ? size < Number(limit)
              : keyword === `max${unit}` && size > Number(limit)
    ) {
      const problem = `Invalid ${name}: it must match "${keyword}": ${JSON.stringify(limit)}.`
      throw new Error(problem.length > LONGEST ? `${problem.slice(0, LONGEST)}…` : problem)
    }
  }
  const {items} = own
  const properties = membersOf(own.properties)
  for (const key of Object.keys(parts)) {
    const inner = kind === 'array' ? items : Object.hasOwn(properties, key) && properties[key]
    if (inner) check(parts[key], inner, `${name}.${key}`)
  }
}
