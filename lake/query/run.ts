import {setImmediate} from 'node:timers/promises'
import type {JsonObject} from '../../common/json.ts'
import type {View} from '../../content/view.ts'
import {Budget, SliceOverError, tooSlow} from './budget.ts'
import type {QueryCompiler} from './compile.ts'
import {QueryError} from './errors.ts'
import {type Code, type Environment, type Evaluation, inSlices, Scope, type Slices} from './evaluate/code.ts'
import {serialize} from './evaluate/serialize.ts'
import {Patterns} from './evaluate/textMatch.ts'
import {QuerySource} from './source.ts'
import type {SyncTag} from './tags.ts'

/** What queries of a lake need, besides its documents. */
export type QueryEnvironment = Environment & {readonly compiler: QueryCompiler}

/** Limits of one query. */
type Bounds = {
  /** Milliseconds of processor time, over all slices. */
  readonly milliseconds: number
  /** Estimated upper bound of the bytes of the values that it builds. */
  readonly bytes: number
  /** Maximum length of the response in characters. */
  readonly characters: number
}

/**
 * Milliseconds of a query's first slice. Lookups and Studio's queries need less; slower ones wait in a queue.
 */
const FIRST_SLICE = 20

/** Milliseconds of each slice of a query that needs several: other requests are handled in between. */
const SLICE = 10

/** What one query may use. Sites of a thousand tools need a hundredth of each bound. */
const QUERY_BOUNDS: Bounds = {milliseconds: 5_000, bytes: 64 * 2 ** 20, characters: 32 * 2 ** 20}

/** A result: JSON values, the sync tags that say when it may change, and how many documents were examined. */
export type Answer = {readonly result: unknown; readonly syncTags: SyncTag[]; readonly examined: number}

/** A response: JSON text, and the tags that say when it may change. */
export type Response = {readonly json: string; readonly syncTags: SyncTag[]}

/** Work that runs at once if it is short, and otherwise in slices. */
export type SlicedWork<T> = {
  /**
   * Runs the work without interruption; undefined if it takes longer than {@link FIRST_SLICE}. Its state is
   * discarded then.
   */
  atOnce(): {readonly value: T} | undefined
  /** Runs the work from the start, one slice per step. */
  inSlices(): Generator<undefined, T>
}

/**
 * Prepares a query whose result is sent as JSON. Its methods throw QueryParseError and QueryError.
 */
export function prepareResponse(
  query: string,
  params: JsonObject,
  view: View,
  environment: QueryEnvironment,
  bounds = QUERY_BOUNDS,
): SlicedWork<Response> {
  return slicedWork(bounds, function* (budget, isSliced) {
    const source = new QuerySource(view, budget)
    const result = yield* evaluate(query, params, source, budget, environment, isSliced)
    const json = yield* serialize(result, bounds.characters, budget)
    return {json, syncTags: source.tags.list()}
  })
}

/**
 * Evaluates a query over the documents of a view, and yields to other work while it runs.
 * @throws QueryParseError, QueryError
 */
export async function run(
  query: string,
  params: JsonObject,
  view: View,
  environment: QueryEnvironment,
  bounds = QUERY_BOUNDS,
): Promise<Answer> {
  const work = slicedWork<Answer>(bounds, function* (budget, isSliced) {
    const source = new QuerySource(view, budget)
    const result = yield* evaluate(query, params, source, budget, environment, isSliced)
    return {result, syncTags: source.tags.list(), examined: source.examined}
  })
  const done = work.atOnce()
  if (done !== undefined) return done.value
  const slices = work.inSlices()
  for (;;) {
    await setImmediate()
    const {done, value} = slices.next()
    if (done === true) return value
  }
}

/**
 * Makes a function that evaluates the queries of one transaction, which share one time limit.
 * @throws QueryParseError, QueryError
 */
export function finder(view: () => View, environment: QueryEnvironment) {
  let left = QUERY_BOUNDS.milliseconds
  return async (query: string, params: JsonObject): Promise<unknown> => {
    if (left <= 0) throw tooSlow()
    const start = performance.now()
    try {
      return (await run(query, params, view(), environment, {...QUERY_BOUNDS, milliseconds: left})).result
    } finally {
      left -= performance.now() - start
    }
  }
}

/**
 * Evaluates compiled code for a listener, synchronously.
 * @throws QueryError, also if it takes longer than uninterruptible work may
 */
export function evaluateAtOnce(
  code: Code,
  params: JsonObject,
  view: View,
  environment: Environment,
  bytes: number,
): unknown {
  const budget = new Budget(bytes)
  budget.beginSlice(SLICE)
  return guarded(() =>
    code.now(new Scope(evaluationOf(params, new QuerySource(view, budget), budget, environment), null)),
  )
}

function* evaluate(
  query: string,
  params: JsonObject,
  source: QuerySource,
  budget: Budget,
  environment: QueryEnvironment,
  isSliced: boolean,
): Slices {
  const {code} = environment.compiler.compile(query, params)
  const scope = new Scope(evaluationOf(params, source, budget, environment), null)
  return isSliced ? yield* inSlices(code, scope) : code.now(scope)
}

function evaluationOf(
  params: JsonObject,
  source: QuerySource,
  budget: Budget,
  environment: Environment,
): Evaluation {
  return {params, source, budget, patterns: new Patterns(), environment, time: new Date()}
}

function slicedWork<T>(
  {milliseconds, bytes}: Bounds,
  evaluate: (budget: Budget, isSliced: boolean) => Generator<undefined, T>,
): SlicedWork<T> {
  return {
    atOnce() {
      const budget = new Budget(bytes)
      budget.beginFirstSlice(FIRST_SLICE)
      try {
        const {done, value} = guarded(() => evaluate(budget, false).next())
        return done === true ? {value} : undefined
      } catch (error) {
        if (error instanceof SliceOverError) return undefined
        throw error
      }
    },
    *inSlices() {
      const budget = new Budget(bytes)
      const slices = evaluate(budget, true)
      let spent = 0
      for (;;) {
        // Measure processor time: on a loaded machine, wall-clock time passes while the process does not run.
        const start = process.cpuUsage()
        budget.beginSlice(SLICE)
        const {done, value} = guarded(() => slices.next())
        if (done === true) return value
        const {user, system} = process.cpuUsage(start)
        spent += (user + system) / 1_000
        if (spent > milliseconds) throw tooSlow()
        yield
      }
    },
  }
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
