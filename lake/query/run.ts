import type {JsonObject} from '../../common/json.ts'
import type {Document} from '../../content/document.ts'
import type {View} from '../../content/view.ts'
import type {Node} from './ast.ts'
import {Budget, type BudgetBounds, threadTime, tooSlow} from './budget.ts'
import {outerFilters, type QueryCompiler} from './compile.ts'
import {QueryError, QueryParseError} from './errors.ts'
import {type Code, type Environment, Scope} from './evaluate/code.ts'
import {compileCode} from './evaluate/evaluator.ts'
import {Patterns} from './evaluate/textMatch.ts'
import {rewrite} from './plan/rewrite.ts'
import {QuerySource} from './source.ts'

/** What queries of a lake need, besides its documents. */
export type QueryEnvironment = Environment & {readonly compiler: QueryCompiler}

/** What one query may use. Sites of a thousand tools need a tenth of each bound. */
const QUERY_BOUNDS: BudgetBounds = {milliseconds: 250, bytes: 64 * 2 ** 20}

/** Maximum length of a response in characters. */
const MAX_CHARACTERS = 32 * 2 ** 20

/**
 * Evaluates a query over the documents of a view, and writes its result as JSON.
 * @throws QueryParseError, QueryError
 */
export function respond(query: string, params: JsonObject, view: View, environment: QueryEnvironment) {
  const {result, budget} = run(query, params, view, environment)
  return guarded(() => serialize(result, MAX_CHARACTERS, budget))
}

/**
 * Evaluates a query over the documents of a view.
 * @throws QueryParseError, QueryError
 */
export function run(
  query: string,
  params: JsonObject,
  view: View,
  environment: QueryEnvironment,
  bounds = QUERY_BOUNDS,
) {
  return guarded(() => {
    const budget = new Budget(bounds)
    const {code} = environment.compiler.compile(query, params)
    return {...evaluate(code, params, view, environment, budget), budget}
  })
}

/**
 * Makes a function that evaluates the queries of one transaction, which share one time limit.
 * @throws QueryParseError, QueryError
 */
export function finder(view: () => View, environment: QueryEnvironment) {
  let left = QUERY_BOUNDS.milliseconds
  return (query: string, params: JsonObject): unknown => {
    if (left <= 0) throw tooSlow()
    const start = threadTime()
    try {
      return run(query, params, view(), environment, {...QUERY_BOUNDS, milliseconds: left}).result
    } finally {
      left -= threadTime() - start
    }
  }
}

/** The result, JSON values; and how many documents were examined. */
function evaluate(code: Code, params: JsonObject, view: View, environment: Environment, budget: Budget) {
  const source = new QuerySource(view, budget)
  const evaluation = {params, source, budget, patterns: new Patterns(), environment, time: new Date()}
  const result = code(new Scope(evaluation, null))
  return {result, examined: source.examined}
}

/** Gives every error of a query a message that its author understands. */
function guarded<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError)
      throw new QueryError('the query nests too deeply, or builds too large a value')
    throw error
  }
}

/** What one evaluation of a listener's filter may use. It runs on one document, for each change of any document. */
const BOUNDS = {milliseconds: 100, bytes: 16 * 2 ** 20}

/** Whether a listener's query selects a document, in its current or its previous state. @throws QueryError */
export type Matcher = (document: Document, view: View) => boolean

/**
 * Makes a matcher from the filter of a listener's query: what comes after the filter is ignored, as Sanity
 * does (https://www.sanity.io/docs/http-reference/listen). Subqueries in it see the documents as they are
 * now.
 * @throws QueryParseError, QueryError
 */
export function matcher(query: string, params: JsonObject, environment: QueryEnvironment): Matcher {
  const filters = outerFilters(environment.compiler.compile(query, params).source)
  if (filters === undefined)
    throw new QueryParseError('listening needs a query with a filter, such as *[_type == "post"]', query)
  const candidate: Document[] = []
  let tree: Node = {type: 'Value', value: candidate}
  for (const filter of filters) tree = {type: 'Filter', base: tree, expr: filter}
  const code = compileCode(rewrite(tree))
  return (document, view) => {
    candidate[0] = document
    const {result} = guarded(() => evaluate(code, params, view, environment, new Budget(BOUNDS)))
    return Array.isArray(result) && result.length > 0
  }
}

/**
 * Serialises a value as JSON. A value that refers to one object many times is small, but its JSON is not, so the length is
 * computed first.
 * @throws QueryError when the JSON is longer than `maxLength`
 */
function serialize(value: unknown, maxLength: number, budget: Budget): string {
  const json = lengthUpTo(maxLength, value, budget) > maxLength ? undefined : JSON.stringify(value ?? null)
  if (json === undefined || json.length > maxLength)
    throw new QueryError('the response is too large: narrow the filters, or select fewer attributes')
  return json
}

/** A lower bound of the length of a value's JSON; any number above `limit` if it is longer. */
function lengthUpTo(limit: number, value: unknown, budget: Budget): number {
  budget.step(1)
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 1
  let length = 2
  for (const [name, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    length += (typeof name === 'string' ? name.length + 4 : 1) + lengthUpTo(limit - length, item, budget)
    if (length > limit) break
  }
  return length
}
