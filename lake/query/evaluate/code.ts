import type {JsonObject} from '../../../common/json.ts'
import type {Budget} from '../budget.ts'
import type {QuerySource} from '../source.ts'
import type {Patterns} from './textMatch.ts'

/** What functions such as `sanity::projectId()` and `identity()` return. */
export type Environment = {readonly projectId: string; readonly dataset: string; readonly identity: string}

/** One evaluation of a query. */
export type Evaluation = {
  readonly params: JsonObject
  readonly source: QuerySource
  readonly budget: Budget
  readonly patterns: Patterns
  readonly environment: Environment
  readonly time: Date
}

/** The scope in which an expression is evaluated: https://spec.groq.dev/GROQ-1.revision1/#sec-Scope */
export class Scope {
  readonly evaluation: Evaluation
  /** The value of `@`. */
  readonly value: unknown
  /** The scope of `^`. */
  readonly parent: Scope | undefined
  /** Whether `^` of a nested scope skips this one. */
  readonly #isHidden: boolean

  constructor(evaluation: Evaluation, value: unknown, parent?: Scope, isHidden = false) {
    this.evaluation = evaluation
    this.value = value
    this.parent = parent
    this.#isHidden = isHidden
  }

  /** Makes a nested scope. */
  nested(value: unknown, isHidden = false): Scope {
    return new Scope(this.evaluation, value, this.#isHidden ? this.parent : this, isHidden)
  }
}

/** A compiled expression. */
export type Code = (scope: Scope) => unknown

/** An expression of one part that is always evaluated. */
export function unary(part: Code, apply: (value: unknown, scope: Scope) => unknown): Code {
  return (scope) => {
    const {budget} = scope.evaluation
    budget.step(1)
    const {mark} = budget
    return budget.settle(mark, apply(part(scope), scope))
  }
}

/** An expression of two parts that are always evaluated. */
export function binary(
  left: Code,
  right: Code,
  apply: (left: unknown, right: unknown, scope: Scope) => unknown,
): Code {
  return (scope) => {
    const {budget} = scope.evaluation
    budget.step(1)
    const {mark} = budget
    return budget.settle(mark, apply(left(scope), right(scope), scope))
  }
}

/** An expression of any number of parts that are always evaluated. */
export function mapped(
  parts: readonly Code[],
  apply: (values: readonly unknown[], scope: Scope) => unknown,
): Code {
  return (scope) => {
    const {budget} = scope.evaluation
    budget.step(1 + parts.length)
    const {mark} = budget
    const values = parts.map((part) => part(scope))
    return budget.settle(mark, apply(values, scope))
  }
}
