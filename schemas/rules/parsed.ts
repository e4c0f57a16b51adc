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
