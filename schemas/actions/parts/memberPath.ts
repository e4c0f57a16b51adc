import {accept, type Parsed, refuse} from '../../rules/parsed.ts'
import {hiddenCharacterProblem} from '../../rules/text.ts'

/** The way to a member of JSON: names, positions in lists, and `EACH` for every entry of a list. */
export type MemberPath = readonly (string | number | typeof EACH)[]

/** Every entry of a list, written as `[]`. */
export const EACH = Symbol('each entry')

/** More than any API nests what people need. */
const MAX_STEPS = 20

const STEP = /([^.[\]"]+)|\[(\d{1,4})\]|(\[\])|\["((?:[^"\\]|\\.)+)"\]/y

/**
 * A path such as `data.items`, `rows[0].title`, `authors[].name` or `["first.name"]`. Empty: the whole.
 * @param what names it in problems
 */
export function parseMemberPath(value: unknown, what: string): Parsed<MemberPath> {
  if (value === undefined || value === null || value === '') return accept([])
  if (typeof value !== 'string') return refuse(`${what} must be text.`)
  const text = value.trim()
  if (text.length > 500) return refuse(`${what} has ${text.length} characters: shorten it to 500 or fewer.`)
  const hidden = hiddenCharacterProblem(text, what)
  if (hidden !== undefined) return refuse(hidden)
  const steps: (string | number | typeof EACH)[] = []
  for (let at = 0; at < text.length; ) {
    // A dot stands before a name, unless it is the first one, and nowhere else.
    const hasDot = text[at] === '.'
    STEP.lastIndex = hasDot ? at + 1 : at
    const [found, name, position, each, quoted] = STEP.exec(text) ?? []
    if (found === undefined || hasDot !== (at > 0 && name !== undefined))
      return refuse(
        `${what} cannot be read at character ${at + 1}. Write it like “data.items” or “authors[0].name”.`,
      )
    at = STEP.lastIndex
    if (position !== undefined) steps.push(Number(position))
    else if (each !== undefined) steps.push(EACH)
    else {
      const member = quoted?.replace(/\\(.)/g, '$1') ?? name ?? ''
      if (member in {})
        return refuse(`${what} cannot contain “${member}”, because every object has such a member.`)
      steps.push(member)
    }
  }
  if (steps.length > MAX_STEPS) return refuse(`${what} has ${steps.length} steps: ${MAX_STEPS} are the most.`)
  return accept(steps)
}

/** Writes a path as {@link parseMemberPath} reads it. */
export function formatMemberPath(path: MemberPath): string {
  return path
    .map((step, at) => {
      if (step === EACH) return '[]'
      if (typeof step === 'number') return `[${step}]`
      if (/^[^.[\]"\s]+$/.test(step)) return at === 0 ? step : `.${step}`
      return `["${step.replace(/["\\]/g, '\\$&')}"]`
    })
    .join('')
}
