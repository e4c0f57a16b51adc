import type {JsonObject} from '../../common/json.ts'
import type {Document} from '../../content/document.ts'
import type {View} from '../../content/view.ts'
import type {Node} from './ast.ts'
import {outerFilters} from './compile.ts'
import {QueryParseError} from './errors.ts'
import {compileCode} from './evaluate/evaluator.ts'
import {rewrite} from './plan/rewrite.ts'
import {evaluateFor, type QueryEnvironment} from './run.ts'

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
    const result = evaluateFor(code, params, view, environment, BOUNDS)
    return Array.isArray(result) && result.length > 0
  }
}
