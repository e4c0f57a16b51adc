import {isObject, type Members, membersOf} from '../members.ts'

/** Characters of a message, and of the argument in it. */
const LONGEST = 300
const LONGEST_VALUE = 100

/**
 * Checks an argument against the keywords that most tools use, at any depth. Others, such as `anyOf` and
 * `pattern`, are ignored: what the schema allows is never refused.
 *
 * Models often send `null` for what they leave out: an optional member that is null counts as missing, unless its schema
 * allows null.
 *
 * Only own members count, of the argument and of the schema: a page may add others to every object and list.
 * @param name of the argument.
 * @returns the argument as the script gets it.
 * @throws a sentence for the agent, which is short whatever the schema is.
 */
export function check(value: unknown, schema: unknown, name: string): unknown {
  const own: Members = {__proto__: null, ...membersOf(schema)}
  // In draft-07, a `$ref` replaces the keywords next to it.
  if (own.$ref || own.prefixItems) return value
  const isList = Array.isArray(value)
  // Its type, how the keywords end that bound it, as in `minLength`, and its size. A text counts code points.
  const [kind, unit, size = NaN]: [string, string?, number?] = isList
    ? ['array', 'Items', value.length]
    : typeof value === 'string'
      ? ['string', 'Length', [...value].length]
      : typeof value === 'number'
        ? ['number', 'imum', value]
        : [value === null ? 'null' : typeof value]
  // A copy: what the agent passed stays as it is.
  const parts: Record<string, unknown> = Object(isList ? [...value] : {...membersOf(value)})
  const refuse = (rule: string, limit: unknown) => {
    const came = shorten(JSON.stringify(value), LONGEST_VALUE)
    throw new Error(shorten(`Invalid ${name}: ${came} ${rule} ${JSON.stringify(limit)}.`, LONGEST))
  }
  for (const keyword in own) {
    const limit = own[keyword]
    if (
      keyword === 'type'
        ? // One type or a list. No name of a type contains another one.
          !`${limit}`.replace('integer', Number.isInteger(value) ? 'number' : '').includes(kind)
        : keyword === 'enum'
          ? !isObject(value) && Array.isArray(limit) && !limit.includes(value)
          : keyword === `min${unit}`
            ? size < Number(limit)
            : keyword === `max${unit}` && size > Number(limit)
    )
      refuse(`must match "${keyword}":`, limit)
  }
  const required: unknown[] = kind === 'object' && Array.isArray(own.required) ? own.required : []
  const missing = required.filter((key) => !Object.hasOwn(parts, `${key}`))
  if (missing.length) refuse('lacks', missing)
  const {items} = own
  const properties = membersOf(own.properties)
  // Patterns may allow more names.
  const isClosed = kind === 'object' && own.additionalProperties === false && !own.patternProperties
  for (const key of Object.keys(parts)) {
    const isKnown = Object.hasOwn(properties, key)
    if (isClosed && !isKnown) refuse('must not have', key)
    const inner = isList ? items : isKnown && properties[key]
    try {
      if (inner) parts[key] = check(parts[key], inner, `${name}.${key}`)
    } catch (error) {
      if (parts[key] !== null || isList || required.includes(key)) throw error
      delete parts[key]
    }
  }
  return isObject(value) ? parts : value
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}
