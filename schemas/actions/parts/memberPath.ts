import {EACH, type MemberPath, stepsOf} from '../../rules/names/memberPath.ts'
import {accept, type Parsed, refuse} from '../../rules/parsed.ts'
import {parseVisibleText} from '../../rules/text.ts'

/** More than any API nests what people need. */
const MAX_STEPS = 20

/**
 * A path such as `data.items`, `rows[0].title`, `authors[].name` or `["first.name"]`. Empty: the whole.
 * @param what names it in problems
 */
export function parseMemberPath(value: unknown, what: string): Parsed<MemberPath> {
  if (value === undefined || value === null) return accept([])
  if (typeof value === 'string' && value.trim() === '') return accept([])
  const text = parseVisibleText(value, what, 500)
  if (!text.ok) return text
  const steps = stepsOf(text.value.trim())
  if (typeof steps === 'number')
    return refuse(
      `${what} cannot be read at character ${steps + 1}. Write it like “data.items” or “authors[0].name”.`,
    )
  const common = steps.find((step) => typeof step === 'string' && step in {})
  if (common !== undefined)
    return refuse(`${what} cannot contain “${String(common)}”, because every object has such a member.`)
  if (steps.length > MAX_STEPS) return refuse(`${what} has ${steps.length} steps: ${MAX_STEPS} are the most.`)
  return accept(steps)
}

/** A path to one value. */
export function parsePlainPath(value: unknown, what: string): Parsed<MemberPath> {
  const path = parseMemberPath(value, what)
  if (path.ok && path.value.includes(EACH))
    return refuse(`${what} contains “[]”: write a position instead, as in “items[0].id”.`)
  return path
}

/** Whether two paths differ first where one has a position and the other a name. */
export function isMixed(one: MemberPath, other: MemberPath): boolean {
  const at = one.findIndex((step, place) => step !== other[place])
  return at >= 0 && typeof one[at] !== typeof other[at] && other[at] !== undefined
}
