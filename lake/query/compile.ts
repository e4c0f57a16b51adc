import {GroqSyntaxError, parse} from 'groq-js'
import {LRUCache} from 'lru-cache'
import {errorMessage} from '../../common/errorMessage.ts'
import type {JsonObject} from '../../common/json.ts'
import {child, childNodes, isNode, type Node, unwrap, walk} from './ast.ts'
import {threadTime} from './budget.ts'
import {QueryError, QueryParseError} from './errors.ts'
import type {Code} from './evaluate/code.ts'
import {compileCode} from './evaluate/evaluator.ts'
import {rewrite} from './plan/rewrite.ts'

/**
 * Milliseconds of processor time to parse a query. With groq-js 2.0.0 the time grows with the square of its length, and
 * doubles with each level of `a.b[a.b[…` if the innermost one is wrong.
 */
const MAX_PARSING = 200

/** Longer queries are refused. Studio's longest have about 10,000 characters. */
const MAX_QUERY_LENGTH = 200_000

/** Maximum depth of a syntax tree. A chain such as `a || b || c` has a level for each operator. */
const MAX_DEPTH = 500

/**
 * Maximum number of nodes of a syntax tree. Custom functions multiply them: each call is a copy of the
 * function. To compile so many takes up to 100 ms.
 */
const MAX_NODES = 50_000

/** Maximum length of a string parameter that decides what a query means: see {@link parametersDecide}. */
const MAX_NAME_LENGTH = 1_000

/** Estimated bytes of a node of a syntax tree, with its compiled code. */
const NODE_BYTES = 600

/** A query that is ready to run. */
type Compiled = {
  readonly code: Code
  /** The syntax tree. */
  readonly source: Node
  /** The parameters that it needs. */
  readonly parameters: ReadonlySet<string>
  readonly nodes: number
}

/** Compiles queries, and keeps those that were used most recently, up to 64 MB. */
export class QueryCompiler {
  readonly #now: () => number
  readonly #compiled = new LRUCache<string, Compiled | 'depends on parameters'>({
    max: 2_000,
    maxSize: 64 * 2 ** 20,
    sizeCalculation: (result, key) =>
      2 * key.length + NODE_BYTES * (typeof result === 'string' ? 1 : result.nodes),
  })

  /** @param now milliseconds of processor time */
  constructor(now: () => number = threadTime) {
    this.#now = now
  }

  /**
   * Parses a query and compiles it. Failures are not cached.
   * @throws QueryParseError, QueryError
   */
  compile(query: string, params: JsonObject): Compiled {
    if (query.length > MAX_QUERY_LENGTH)
      throw new QueryParseError(`longer than ${MAX_QUERY_LENGTH} characters`, query.slice(0, 100))
    const text = new TimedText(query, MAX_PARSING, this.#now)
    const result = this.#compiled.get(query) ?? this.#remember(query, compileAny(query, text))
    if (result !== 'depends on parameters') return complete(result, query, params)
    const names = decidingParams(params)
    const key = `${query}\0${JSON.stringify(names)}`
    const known = this.#compiled.get(key)
    const isKnown = known !== undefined && known !== 'depends on parameters'
    return complete(
      isKnown ? known : this.#remember(key, build(parseQuery(query, text, names))),
      query,
      params,
    )
  }

  #remember<T extends Compiled | 'depends on parameters'>(key: string, result: T): T {
    this.#compiled.set(key, result)
    return result
  }
}

/** Compiles independently of parameters, if the query means the same for all of them. */
function compileAny(query: string, text: TimedText): Compiled | 'depends on parameters' {
  let parsed: Parsed
  try {
    parsed = parseQuery(query, text)
  } catch (error) {
    // `[0...$n]` can only be parsed if the parameter is known.
    if (query.includes('$') && !(error instanceof QueryError)) return 'depends on parameters'
    throw error
  }
  return parametersDecide(parsed.source) ? 'depends on parameters' : build(parsed)
}

function build({source, nodes}: Parsed): Compiled {
  const parameters = new Set<string>()
  walk(source, (node) => {
    if (node.type === 'Parameter' && typeof node.name === 'string') parameters.add(node.name)
  })
  return {code: compileCode(rewrite(source)), source, parameters, nodes}
}

/** The parameters that can decide what a query means, in the form that groq-js takes them. */
function decidingParams(params: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(params).filter(
      // groq-js calls the method of this name.
      ([name, value]) => name !== 'hasOwnProperty' && (typeof value === 'number' || isShortText(value)),
    ),
  )
}

function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_NAME_LENGTH
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

/**
 * In square brackets a constant number is an index and a constant string an attribute: the type of a
 * parameter decides.
 */
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

type Parsed = {readonly source: Node; readonly nodes: number}

function parseQuery(query: string, text: TimedText, params?: JsonObject): Parsed {
  // With an unclosed escape of this kind, groq-js 2.0.0 continues at the start of the query.
  const open = /\\u\{(?![0-9a-fA-F]+\})/.exec(query)
  if (open !== null)
    throw new QueryParseError('not a valid unicode escape', query, open.index, open.index + 3)
  try {
    // Its declaration asks for a primitive text.
    const tree: unknown = Reflect.apply(parse, undefined, params === undefined ? [text] : [text, {params}])
    if (isNode(tree)) return {source: tree, nodes: countNodes(tree, query)}
  } catch (error) {
    throw error instanceof QueryParseError || error instanceof QueryError ? error : describe(error, query)
  }
  throw new QueryParseError('not a query', query)
}

/**
 * Counts the nodes of a tree, level by level: a recursive function would need a stack as deep as the tree.
 */
function countNodes(tree: Node, query: string): number {
  let nodes = 0
  let level = [tree]
  for (let depth = 0; level.length > 0; depth += 1) {
    nodes += level.length
    if (depth > MAX_DEPTH) throw new QueryParseError(`nested more than ${MAX_DEPTH} levels deep`, query)
    if (nodes > MAX_NODES) throw new QueryParseError(`more than ${MAX_NODES} expressions`, query)
    for (const {name} of level)
      if (typeof name === 'string' && name.length > MAX_QUERY_LENGTH)
        throw new QueryParseError('an attribute name is too long', query)
    level = level.flatMap(childNodes)
  }
  return nodes
}

function describe(error: unknown, query: string): QueryParseError {
  if (error instanceof RangeError) return new QueryParseError('nested too deeply', query)
  if (error instanceof TypeError) return new QueryParseError('not a query', query)
  const message = errorMessage(error)
  if (error instanceof GroqSyntaxError) {
    // An error at the end of the query is reported at its last character.
    const position = Math.max(0, Math.min(Number(error.position), query.length - 1))
    const description = message.replace(/^Syntax error in GROQ query at position \d+: /, '')
    return new QueryParseError(description, query, ...tokenAt(query, position))
  }
  // Errors about names have no position: `Undefined function: nope`.
  const name = /: (\w+)$/.exec(message)?.[1]
  const start = name === undefined ? -1 : query.search(new RegExp(`\\b${name}\\b`))
  if (name === undefined || start === -1) return new QueryParseError(message, query)
  return new QueryParseError(message, query, start, start + name.length)
}

/** The start and the end of the token at a position, or after the space there: a string, a word, or a character. */
function tokenAt(query: string, position: number): [start: number, end: number] {
  for (const {0: token, index} of query.matchAll(/"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[\w$]+|\S/gu))
    if (index + token.length > position) return [index, index + token.length]
  return [position, position + 1]
}

/**
 * The filters that a query applies to all documents, innermost first; undefined if it does not start with
 * them.
 */
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

/** Cuts between two looks at the clock: well below a millisecond, even where each copies what was parsed before. */
const CUTS_BETWEEN_LOOKS = 64

/**
 * The text of a query that may be parsed for a time. groq-js has no hook, but it cuts each token off the text with
 * `slice`: repeatedly while it goes back, and again for each call of a custom function.
 */
class TimedText extends String {
  readonly #milliseconds: number
  readonly #now: () => number
  #end = 0
  #cuts = 0

  /** @param now milliseconds of processor time; they are counted from the first cut */
  constructor(text: string, milliseconds: number, now: () => number) {
    super(text)
    this.#milliseconds = milliseconds
    this.#now = now
  }

  /** @throws QueryError when the time is up */
  override slice(start?: number, end?: number): string {
    if (this.#cuts === 0) this.#end = this.#now() + this.#milliseconds
    this.#cuts += 1
    if (this.#cuts % CUTS_BETWEEN_LOOKS === 0 && this.#now() > this.#end)
      throw new QueryError('the query takes too long to parse: make it shorter')
    return super.slice(start, end)
  }
}
