/** The result of a rule: the parsed value, or the problem with it. */
export type Parsed<T> = {readonly ok: true; readonly value: T} | Refusal

/** A problem is one sentence for the person who typed the value: what is wrong, and how to fix it. */
type Refusal = {readonly ok: false; readonly problem: string; readonly path?: Path | undefined}

/** The part of a value that a problem is about, such as `['query', 0, 'name']`. Missing: all of it. */
type Path = readonly (string | number)[]

/** The value is valid. */
export function accept<T>(value: T): Parsed<T> {
  return {ok: true, value}
}

/** The value is invalid. */
export function refuse(problem: string, path?: Path): Refusal {
  return {ok: false, problem, ...(path && {path})}
}

/**
 * A list of at most so many entries. A missing one is empty.
 * @param what names the list in problems, in the plural
 * @param parse gets each entry, and its number, counted from 1
 * @param nameOf what two entries cannot have in common
 */
export function parseEach<T>(
  value: unknown,
  what: string,
  most: number,
  parse: (entry: unknown, number: number) => Parsed<T>,
  nameOf?: (entry: T) => string,
): Parsed<T[]> {
  if (value === undefined || value === null) return accept([])
  if (!Array.isArray(value)) return refuse(`${what} must be a list.`)
  if (value.length > most)
    return refuse(`${what} must be a list of at most ${most} entries, and it has ${value.length}.`)
  const entries: T[] = []
  const names = new Set<string | undefined>()
  for (const [at, entry] of value.entries()) {
    const parsed = parse(entry, at + 1)
    if (!parsed.ok) return parsed
    const name = nameOf?.(parsed.value)
    if (name !== undefined && names.has(name))
      return refuse(`${what} have “${name}” twice: rename or remove one of them.`)
    names.add(name)
    entries.push(parsed.value)
  }
  return accept(entries)
}

/** A list of texts that keep a rule, each there once. */
export function parseDistinct(
  value: unknown,
  what: string,
  parse: (entry: unknown) => Parsed<string>,
  most = Number.POSITIVE_INFINITY,
): Parsed<string[]> {
  return parseEach(value, what, most, parse, (text) => text)
}

/** A value that may be missing. */
export function parseOptional<T>(
  value: unknown,
  parse: (value: unknown) => Parsed<T>,
): Parsed<T | undefined> {
  return value === undefined || value === null ? accept(undefined) : parse(value)
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

/** A document breaks the rule of one of its fields. The message is for the editor. */
export class BrokenRule extends Error {
  readonly field: string

  constructor(field: string, problem: string) {
    super(problem)
    this.field = field
  }
}

/** @throws BrokenRule if the value was refused */
export function checked<T>(field: string, parsed: Parsed<T>): T {
  if (!parsed.ok) throw new BrokenRule(field, parsed.problem)
  return parsed.value
}

/** What a function reads, or the rule that is broken. @throws any other error */
export function orBrokenRule<T>(read: () => T): T | BrokenRule {
  try {
    return read()
  } catch (error) {
    return brokenRuleIn(error)
  }
}

/** @throws any other error */
export function brokenRuleIn(error: unknown): BrokenRule {
  if (error instanceof BrokenRule) return error
  throw error
}
