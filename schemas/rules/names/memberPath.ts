/** The way to a member of JSON: names, positions in lists, and `EACH` for every entry of a list. */
export type MemberPath = readonly (string | number | typeof EACH)[]

/** Every entry of a list, written as `[]`. */
export const EACH = Symbol('each entry')

const STEP = /([^.[\]"]+)|\[(\d{1,9})\]|(\[\])|\["((?:[^"\\]|\\.)+)"\]/y

/** The steps of a path; where it cannot be read, the position of the character. */
export function stepsOf(text: string): MemberPath | number {
  const steps: (string | number | typeof EACH)[] = []
  for (let at = 0; at < text.length; ) {
    // A dot stands before a name, unless it is the first one, and nowhere else.
    const hasDot = text[at] === '.'
    STEP.lastIndex = hasDot ? at + 1 : at
    const [found, name, position, each, quoted] = STEP.exec(text) ?? []
    if (found === undefined || hasDot !== (at > 0 && name !== undefined)) return at
    at = STEP.lastIndex
    if (position !== undefined) steps.push(Number(position))
    else if (each !== undefined) steps.push(EACH)
    else steps.push(quoted?.replace(/\\(.)/g, '$1') ?? name ?? '')
  }
  return steps
}

/** The way to one value, such as `data[0].title`; undefined: it cannot be read, or leads to none. */
export function plainStepsOf(text: string): (string | number)[] | undefined {
  const steps = stepsOf(text.trim())
  if (typeof steps === 'number' || steps.length === 0) return undefined
  const plain = steps.filter((step) => step !== EACH)
  return plain.length === steps.length ? plain : undefined
}

/** Writes a path as {@link stepsOf} reads it. */
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

/** Whether a path is another one, or leads into it. */
export function startsWith(path: MemberPath, start: MemberPath): boolean {
  return start.every((step, at) => path[at] === step)
}
