/** The result of a rule: the parsed value, or the problem with it. */
export type Parsed<T> = {ok: true; value: T} | Refusal

/** A problem is one sentence for the person who typed the value: what is wrong, and how to fix it. */
export type Refusal = {ok: false; problem: string}

/** The value is valid. */
export function accept<T>(value: T): Parsed<T> {
  return {ok: true, value}
}

/** The value is invalid. */
export function refuse(problem: string): Refusal {
  return {ok: false, problem}
}
