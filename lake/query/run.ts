import {evaluate, evaluateSync} from 'groq-js'
import {isJsonObject, type JsonObject} from '../documents/document.ts'
import type {View} from '../documents/view.ts'
import type {Node} from './ast.ts'
import {compile} from './compile.ts'
import {within} from './deadline.ts'
import {QueryError} from './errors.ts'
import {QuerySource} from './source.ts'
import type {SyncTag} from './tags.ts'

/** What functions such as `sanity::projectId()` and `identity()` answer. */
export type Environment = {readonly projectId: string; readonly dataset: string; readonly identity: string}

/** An answer: JSON, the tags that say when it may change, and how many documents were walked through for it. */
export type Answer = {readonly result: unknown; readonly syncTags: SyncTag[]; readonly examined: number}

/**
 * Answers a query over the documents of a view.
 * @throws QueryParseError, QueryError
 */
export async function run(
  query: string,
  params: JsonObject,
  view: View,
  environment: Environment,
): Promise<Answer> {
  const compiled = compile(query, params)
  const source = new QuerySource(view, compiled)
  const result = await evaluateTree(compiled.tree, params, source, environment)
  return {result, syncTags: source.tags.list(), examined: source.examined}
}

/**
 * Answers a query as JSON, or not at all where that takes longer, or more characters.
 * @throws QueryParseError, QueryError
 */
export function runWithin(
  bounds: {readonly milliseconds: number; readonly characters: number},
  query: string,
  params: JsonObject,
  view: View,
  environment: Environment,
): {readonly json: string; readonly syncTags: SyncTag[]} {
  const compiled = compile(query, params)
  const source = new QuerySource(view, compiled)
  const options = optionsFor(params, source, environment)
  try {
    const json = within(bounds.milliseconds, () =>
      JSON.stringify(evaluateNow(compiled.tree, source, options)),
    )
    if (json.length > bounds.characters) throw new QueryError('the answer is too large: narrow the filters')
    return {json, syncTags: source.tags.list()}
  } catch (error) {
    if (isSyncLimit(error)) throw new QueryError('functions of diff:: and delta:: are for who signs in')
    throw queryError(error)
  }
}

/** @throws QueryError */
export async function evaluateTree(
  tree: Node,
  params: JsonObject,
  source: QuerySource,
  environment: Environment,
) {
  const options = optionsFor(params, source, environment)
  try {
    return evaluateNow(tree, source, options)
  } catch (error) {
    if (!isSyncLimit(error)) throw queryError(error)
  }
  try {
    const evaluateLater = async (node: Node): Promise<unknown> => dataLater(await evaluate(node, options))
    source.restart()
    source.evaluate = evaluateLater
    return (await evaluateLater(tree)) ?? null
  } catch (error) {
    throw queryError(error)
  }
}

type Options = ReturnType<typeof optionsFor>

function optionsFor(
  params: JsonObject,
  {dereference}: QuerySource,
  {projectId, dataset, identity}: Environment,
) {
  return {dataset: [], params, dereference, sanity: {projectId, dataset}, identity, timestamp: new Date()}
}

/** Three times as fast as `evaluate`, and nothing changes meanwhile. */
function evaluateNow(tree: Node, source: QuerySource, options: Options): unknown {
  const evaluateOne = (node: Node): unknown => dataOf(evaluateSync(node, options))
  source.evaluate = evaluateOne
  return evaluateOne(tree) ?? null
}

function dataOf(value: unknown): unknown {
  return isJsonObject(value) ? value.data : null
}

function dataLater(value: unknown): unknown {
  return isJsonObject(value) && typeof value.get === 'function' ? value.get() : null
}

/** What groq-js 2.0.0 says when an expression is one that it evaluates asynchronously alone. */
function isSyncLimit(error: unknown): boolean {
  return error instanceof Error && /evaluteSync|evaluateSync|executeSync|synchronous/.test(error.message)
}

function queryError(error: unknown): Error {
  if (error instanceof QueryError) return error
  if (error instanceof RangeError)
    return new QueryError('the query nests too deeply, or its answer is too large')
  return new QueryError(error instanceof Error ? error.message : String(error))
}
