import {GroqSyntaxError, parse} from 'groq-js'
import {LRUCache} from 'lru-cache'
import type {JsonObject} from '../documents/document.ts'
import {child, isNode, type Node, unwrap, walk} from './ast.ts'
import {within} from './deadline.ts'
import {QueryError, QueryParseError} from './errors.ts'
import {type Rewritten, rewrite} from './rewrite.ts'

/** Milliseconds for a query to be parsed: groq-js 2.0.0 takes time by the square of its length. */
const maxParsing = 1_000

/** Longer queries are refused. Studio's longest are some 10,000 characters. */
export const maxQueryLength = 200_000

/** A query ready to run. */
export type Compiled = Rewritten & {
  /** As it was parsed. */
  readonly source: Node
  /** The parameters that it needs. */
  readonly parameters: ReadonlySet<string>
}

const compiled = new LRUCache<string, Compiled | 'depends on parameters'>({
  max: 2_000,
  maxSize: 8_000_000,
  sizeCalculation: (_compiled, key) => key.length + 1,
})

/**
 * Parses a query and prepares its lookups; what was compiled lately is kept.
 * @throws QueryParseError
 */
export function compile(query: string, params: JsonObject): Compiled {
  const known = compiled.get(query)
  const result = known === undefined ? compileAny(query) : known
  if (result !== 'depends on parameters') return complete(result, query, params)
  const key = `${query}\0${JSON.stringify(params)}`
  const inlined = compiled.get(key)
  if (inlined !== undefined && inlined !== 'depends on parameters') return complete(inlined, query, params)
  const fresh = build(parseQuery(query, params))
  compiled.set(key, fresh)
  return complete(fresh, query, params)
}

/** Compiles for any parameters, where the meaning of the query is the same for all. */
function compileAny(query: string): Compiled | 'depends on parameters' {
  const result = tryWithout(query)
  compiled.set(query, result)
  return result
}

function tryWithout(query: string): Compiled | 'depends on parameters' {
  let source: Node
  try {
    source = parseQuery(query)
  } catch (error) {
    // `[0...$n]` only parses with the parameter known.
    if (query.includes('$') && !(error instanceof QueryError)) return 'depends on parameters'
    throw error
  }
  return parametersDecide(source) ? 'depends on parameters' : build(source)
}

function build(source: Node): Compiled {
  const parameters = new Set<string>()
  walk(source, (node) => {
    if (node.type === 'Parameter' && typeof node.name === 'string') parameters.add(node.name)
  })
  return {...rewrite(source), source, parameters}
}

function complete(result: Compiled, query: string, params: JsonObject): Compiled {
  for (const name of result.parameters) {
    if (Object.hasOwn(params, name)) continue
    const start = Math.max(0, query.indexOf(`$${name}`))
    throw new QueryParseError(
      `param $${name} referenced, but not provided`,
      query,
      start,
      start + name.length + 1,
    )
  }
  return result
}

/** In square brackets a constant number is an index and a constant string an attribute: a parameter decides which. */
function parametersDecide(source: Node): boolean {
  let decide = false
  walk(source, (node) => {
    const filter = node.type === 'Filter' ? child(node, 'expr') : undefined
    if (filter !== undefined && isConstant(filter)) decide = true
  })
  return decide
}

function isConstant(node: Node): boolean {
  const inner = unwrap(node)
  if (inner.type === 'Value' || inner.type === 'Parameter') return true
  if (!['Pos', 'Neg', 'OpCall'].includes(inner.type)) return false
  const parts = ['base', 'left', 'right'].map((key) => child(inner, key)).filter((part) => part !== undefined)
  return parts.every(isConstant)
}

function parseQuery(query: string, params?: JsonObject): Node {
  if (query.length > maxQueryLength) {
    throw new QueryParseError(`longer than ${maxQueryLength} characters`, query.slice(0, 100))
  }
  // groq-js 2.0.0 goes on from the start of the query when such an escape is not closed.
  const open = /\\u\{(?![0-9a-fA-F]+\})/.exec(query)
  if (open !== null)
    throw new QueryParseError('not a valid unicode escape', query, open.index, open.index + 3)
  try {
    const tree: unknown = within(maxParsing, () =>
      params === undefined ? parse(query) : parse(query, {params}),
    )
    if (isNode(tree)) return tree
  } catch (error) {
    throw error instanceof QueryError ? error : describe(error, query)
  }
  throw new QueryParseError('not a query', query)
}

function describe(error: unknown, query: string): QueryParseError {
  if (error instanceof RangeError) return new QueryParseError('nested too deeply', query)
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof GroqSyntaxError) {
    // The end of the query is told by its last character.
    const position = Math.max(0, Math.min(Number(error.position), query.length - 1))
    const description = message.replace(/^Syntax error in GROQ query at position \d+: /, '')
    return new QueryParseError(description, query, position, position + 1)
  }
  // Errors about names carry no position: `Undefined function: nope`.
  const name = /: (\w+)$/.exec(message)?.[1]
  const start = name === undefined ? -1 : query.search(new RegExp(`\\b${name}\\b`))
  if (name === undefined || start === -1) return new QueryParseError(message, query)
  return new QueryParseError(message, query, start, start + name.length)
}

/** The filters that a query applies to every document, innermost first; undefined when it does not start from them. */
export function outerFilters(source: Node): Node[] | undefined {
  let node: Node | undefined = unwrap(source)
  let filters: Node[] = []
  while (node !== undefined && node.type !== 'Everything') {
    const base: Node | undefined = child(node, 'base')
    const filter = node.type === 'Filter' ? child(node, 'expr') : undefined
    filters = filter === undefined ? [] : [filter, ...filters]
    node = base && unwrap(base)
  }
  return node === undefined ? undefined : filters
}
