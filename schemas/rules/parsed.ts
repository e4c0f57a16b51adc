/** The result of a rule: the parsed value, or the problem with it. */
export type Parsed<T> = {readonly ok: true; readonly value: T} | Refusal

/** A problem is one sentence for the person who typed the value: what is wrong, and how to fix it. */
type Refusal = {readonly ok: false; readonly problem: string}

/** The value is valid. */
export function accept<T>(value: T): Parsed<T> {
  return {ok: true, value}
}

/** The value is invalid. */
export function refuse(problem: string): Refusal {
  return {ok: false, problem}
}

/** A list of at most so many texts that keep a rule, each there once. A missing list is empty. */
export function parseDistinct(
  value: unknown,
  what: string,
  parse: (entry: unknown) => Parsed<string>,
  most = Number.POSITIVE_INFINITY,
): Parsed<string[]> {
  if (value === undefined || value === null) return accept([])
  if (!Array.isArray(value)) return refuse(`${what} must be a list.`)
  if (value.length > most) return refuse(`${what} are more than ${most}: remove some of them.`)
  const found = new Set<string>()
  for (const entry of value) {
    const parsed = parse(entry)
    if (!parsed.ok) return parsed
    if (found.has(parsed.value)) return refuse(`"${parsed.value}" is listed twice: remove one of them.`)
    found.add(parsed.value)
  }
  return accept([...found])
}

/** One of the choices; without a value the first. */
export function parseChoice<Choice extends string>(
  value: unknown,
  choices: readonly [Choice, ...Choice[]],
  what: string,
): Parsed<Choice> {
  if (value === undefined || value === null) return accept(choices[0])
  const choice = choices.find((known) => known === value)
  return choice === undefined ? refuse(`${what} must be one of: ${choices.join(', ')}.`) : accept(choice)
}
