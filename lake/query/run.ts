import type {JsonObject} from '../../common/json.ts'
import type {View} from '../../content/view.ts'
import {Budget, tooSlow} from './budget.ts'
import type {QueryCompiler} from './compile.ts'
import {QueryError} from './errors.ts'
import {type Code, type Environment, type Evaluation, Scope} from './evaluate/code.ts'
import {serialize} from './evaluate/serialize.ts'
import {Patterns} from './evaluate/textMatch.ts'
import {QuerySource} from './source.ts'
import type {SyncTag} from './tags.ts'
import {threadTime} from './timedText.ts'

/** What queries of a lake need, besides its documents. */
export type QueryEnvironment = Environment & {readonly compiler: QueryCompiler}

/** Limits of one query. */
type Bounds = {
  /** Milliseconds of processor time. Other requests wait as long. */
  readonly milliseconds: number
  /** Estimated upper bound of the bytes of the values that it builds. */
  readonly bytes: number
  /** Maximum length of the response in characters. */
  readonly characters: number
}

/** What one query may use. Sites of a thousand tools need a tenth of each bound. */
const QUERY_BOUNDS: Bounds = {milliseconds: 250, bytes: 64 * 2 ** 20, characters: 32 * 2 ** 20}

/** Milliseconds for a listener's filter of one document. */
const LISTENER_TIME = 100

/** A result: JSON values, the sync tags that say when it may change, and how many documents were examined. */
type Answer = {readonly result: unknown; readonly syncTags: SyncTag[]; readonly examined: number}

/** A response: JSON text, and the tags that say when it may change. */
type Response = {readonly json: string; readonly syncTags: SyncTag[]}

/**
 * Evaluates a query over the documents of a view, and writes its result as JSON.
 * @throws QueryParseError, QueryError
 */
export function respond(
  query: string,
  params: JsonObject,
  view: View,
  environment: QueryEnvironment,
  bounds = QUERY_BOUNDS,
): Response {
  return guarded(() => {
    const budget = new Budget(bounds)
    const {result, syncTags} = evaluate(query, params, view, environment, budget)
    return {json: serialize(result, bounds.characters, budget), syncTags}
  })
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
): Answer {
  return guarded(() => evaluate(query, params, view, environment, new Budget(bounds)))
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

/** Evaluates compiled code for a listener. @throws QueryError */
export function evaluateFor(
  code: Code,
  params: JsonObject,
  view: View,
  environment: Environment,
  bytes: number,
): unknown {
  const budget = new Budget({bytes, milliseconds: LISTENER_TIME})
  const source = new QuerySource(view, budget)
  return guarded(() => code.now(new Scope(evaluationOf(params, source, budget, environment), null)))
}

function evaluate(
  query: string,
  params: JsonObject,
  view: View,
  environment: QueryEnvironment,
  budget: Budget,
): Answer {
  const {code} = environment.compiler.compile(query, params)
  const source = new QuerySource(view, budget)
  const result = code.now(new Scope(evaluationOf(params, source, budget, environment), null))
  return {result, syncTags: source.tags.list(), examined: source.examined}
}

function evaluationOf(
  params: JsonObject,
  source: QuerySource,
  budget: Budget,
  environment: Environment,
): Evaluation {
  return {params, source, budget, patterns: new Patterns(), environment, time: new Date()}
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
