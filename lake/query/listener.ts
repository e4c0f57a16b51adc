import type {Document, JsonObject} from '../documents/document.ts'
import type {View} from '../documents/view.ts'
import type {Node} from './ast.ts'
import {compile, outerFilters} from './compile.ts'
import {QueryParseError} from './errors.ts'
import {rewrite} from './rewrite.ts'
import {type Environment, evaluateTree} from './run.ts'
import {QuerySource} from './source.ts'

/** Tells whether a document is one that a listener's query selects, be it the one that is or the one that was. */
export type Matcher = (document: Document, view: View) => Promise<boolean>

/**
 * Makes a matcher from the filter of a listener's query: what comes after the filter is ignored, as Sanity does
 * (https://www.sanity.io/docs/http-reference/listen). Subqueries in it see the documents as they are now.
 * @throws QueryParseError
 */
export function matcher(query: string, params: JsonObject, environment: Environment): Matcher {
  const filters = outerFilters(compile(query, params).source)
  if (filters === undefined)
    throw new QueryParseError('a listener needs a filter, such as *[_type == "post"]', query)
  const candidate: Document[] = []
  let tree: Node = {type: 'Value', value: candidate}
  for (const filter of filters) tree = {type: 'Filter', base: tree, expr: filter}
  const rewritten = rewrite(tree)
  return async (document, view) => {
    candidate[0] = document
    const source = new QuerySource(view, rewritten)
    const result = await evaluateTree(rewritten.tree, params, source, environment)
    return Array.isArray(result) && result.length > 0
  }
}
