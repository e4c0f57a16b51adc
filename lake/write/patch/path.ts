import {
  type ComparisonNode,
  type ExprNode,
  type PathNode,
  parsePath,
  type SubscriptElementNode,
} from '@sanity/json-match'
import {isJsonObject} from '../../../common/json.ts'

/** Maximum length of a path. Studio's have about 50 characters for each level. */
const MAX_PATH_LENGTH = 1024

/** What a step of a path selects in a list or an object. */
export type Selector =
  | {readonly kind: 'name'; readonly name: string}
  /** Negative indexes count from the end. */
  | {readonly kind: 'index'; readonly index: number}
  | {readonly kind: 'range'; readonly start: number | undefined; readonly end: number | undefined}
  | {readonly kind: 'filter'; matches(item: unknown): boolean}

/** One level of a path. A recursive step matches at every level below, too. */
export type Step = {readonly selectors: readonly Selector[]; readonly recursive: boolean}

/**
 * Parses a path of a patch, such as `body[_key=="a"].title`.
 * https://www.sanity.io/docs/content-lake/json-match
 * @throws Error for a path that is invalid or not supported
 */
export function parsePatchPath(text: string): readonly Step[] {
  if (text.length > MAX_PATH_LENGTH)
    throw new Error(`A path can have at most ${MAX_PATH_LENGTH} characters; this one has ${text.length}`)
  const steps: Step[] = []
  for (let node = pathOf(parsePath(withSlices(text)), text); node !== undefined; node = node.base) {
    const {segment, recursive = false} = node
    if (segment.type === 'Identifier') {
      steps.unshift({selectors: [{kind: 'name', name: segment.name}], recursive})
    } else if (segment.type === 'Subscript') {
      steps.unshift({selectors: segment.elements.map((element) => selectorOf(element, text)), recursive})
    } else if (segment.type !== 'This' || recursive || node.base !== undefined) {
      throw unsupported(text)
    }
  }
  if (steps.length === 0) throw unsupported(text)
  return steps
}

/** Replaces `[*]`, which the parser does not know, by `[:]`. Quoted text stays as it is. */
function withSlices(text: string): string {
  return text.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\[\*\]/g, (part) =>
    part === '[*]' ? '[:]' : part,
  )
}

function selectorOf(element: SubscriptElementNode, text: string): Selector {
  switch (element.type) {
    case 'Number':
      if (!Number.isInteger(element.value)) throw unsupported(text)
      return {kind: 'index', index: element.value}
    case 'Slice':
      return {kind: 'range', start: element.start, end: element.end}
    case 'Comparison': {
      const names = namesOf(pathOf(element.left, text), text)
      const {right, operator} = element
      if (right.type === 'Path') throw unsupported(text)
      const expected = right.type === 'Null' ? null : right.value
      return {kind: 'filter', matches: (item) => compare(primitiveAt(item, names), operator, expected)}
    }
    case 'Existence': {
      const names = namesOf(element.base, text)
      return {kind: 'filter', matches: (item) => primitiveAt(item, names) !== undefined}
    }
    case 'Path': {
      const {segment, base, recursive} = element
      if (base !== undefined || recursive) throw unsupported(text)
      if (segment.type === 'Identifier') return {kind: 'name', name: segment.name}
      // The parser returns a wildcard for `[:]`.
      if (segment.type === 'Wildcard') return {kind: 'range', start: undefined, end: undefined}
      throw unsupported(text)
    }
    default:
      throw unsupported(text)
  }
}

function pathOf(node: ExprNode | undefined, text: string): PathNode | undefined {
  if (node?.type === 'Path') return node
  throw unsupported(text)
}

/** The attribute names on the left side of a filter; none for `@`. */
function namesOf(path: PathNode | undefined, text: string): readonly string[] {
  const names: string[] = []
  for (let node = path; node !== undefined; node = node.base) {
    if (node.recursive) throw unsupported(text)
    if (node.segment.type === 'Identifier') names.unshift(node.segment.name)
    else if (node.segment.type !== 'This') throw unsupported(text)
  }
  return names
}

/** The scalar at a path of attributes; undefined if there is none. */
function primitiveAt(item: unknown, names: readonly string[]): unknown {
  let value = item
  for (const name of names) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return typeof value === 'object' && value !== null ? undefined : value
}

function compare(value: unknown, operator: ComparisonNode['operator'], expected: unknown): boolean {
  if (value === undefined) return false
  if (operator === '==') return value === expected
  if (operator === '!=') return value !== expected
  if (typeof value === 'number' && typeof expected === 'number') return isOrdered(value, operator, expected)
  if (typeof value === 'string' && typeof expected === 'string') return isOrdered(value, operator, expected)
  return false
}

function isOrdered<T extends number | string>(
  value: T,
  operator: Exclude<ComparisonNode['operator'], '==' | '!='>,
  expected: T,
): boolean {
  switch (operator) {
    case '<':
      return value < expected
    case '<=':
      return value <= expected
    case '>':
      return value > expected
    case '>=':
      return value >= expected
  }
}

function unsupported(text: string): Error {
  return new Error(
    `"${text.slice(0, 100)}" is not a path that this lake supports: use attributes, and indexes, ranges and filters in brackets`,
  )
}
