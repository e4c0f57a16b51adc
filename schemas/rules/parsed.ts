/** What a rule makes of a value: the value in the shape that code relies on, or the problem with it. */
export type Parsed<T> = {ok: true; value: T} | Refusal

/** A problem is one sentence for the person who typed the value: what is wrong, and how to mend it. */
export type Refusal = {ok: false; problem: string}

/** The value kept the rule. */
export function accept<T>(value: T): Parsed<T> {
  return {ok: true, value}
}

/** The value broke the rule. */
export function refuse(problem: string): Refusal {
  return {ok: false, problem}
}
