import {
  type ComparisonNode,
  type ExprNode,
  type PathNode,
  parsePath,
  type SubscriptNode,
} from '@sanity/json-match'
import {isJsonObject} from '../../../common/json.ts'

/** Maximum length of a path. Studio's have about 50 characters for each level. */
const MAX_PATH_LENGTH = 1024

/** The first of some places in a list, and the one after the last. Both can be outside of the list. */
type Range = readonly [start: number, end: number]

/** One level of a path: the members of an object, and the places in a list. */
export type Step = {
  readonly names: readonly string[]
  readonly ranges: readonly ((items: readonly unknown[]) => Iterable<Range>)[]
  /** Whether it matches at every level below, too. */
  readonly recursive: boolean
}

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
    if (segment.type === 'Identifier') steps.unshift({names: [segment.name], ranges: [], recursive})
    else if (segment.type === 'Subscript') steps.unshift({...selected(segment, text), recursive})
    else if (segment.type !== 'This' || recursive || node.base !== undefined) throw unsupported(text)
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

/** What is selected in brackets. */
function selected({elements}: SubscriptNode, text: string): Pick<Step, 'names' | 'ranges'> {
  const names: string[] = []
  const ranges = elements.flatMap((element): Step['ranges'] => {
    switch (element.type) {
      case 'Number': {
        const {value} = element
        if (!Number.isInteger(value)) throw unsupported(text)
        return [(items) => [placeAt(value < 0 ? value + items.length : value)]]
      }
      case 'Slice':
        return [(items) => [sliceOf(items.length, element.start, element.end)]]
      case 'Comparison': {
        const path = namesOf(pathOf(element.left, text), text)
        const {right, operator} = element
        if (right.type === 'Path') throw unsupported(text)
        const expected = right.type === 'Null' ? null : right.value
        return [(items) => filtered(items, (item) => compare(scalarAt(item, path), operator, expected))]
      }
      case 'Existence': {
        const path = namesOf(element.base, text)
        return [(items) => filtered(items, (item) => scalarAt(item, path) !== undefined)]
      }
      case 'Path': {
        const {segment, base, recursive} = element
        if (base !== undefined || recursive) throw unsupported(text)
        // The parser returns a wildcard for `[:]`.
        if (segment.type === 'Wildcard') return [(items) => [[0, items.length]]]
        if (segment.type !== 'Identifier') throw unsupported(text)
        names.push(segment.name)
        return []
      }
      default:
        throw unsupported(text)
    }
  })
  return {names, ranges}
}

function placeAt(index: number): Range {
  return [index, index + 1]
}

/** Clamped, so that no loop runs beyond the ends of the list. */
function sliceOf(length: number, from = 0, to = length): Range {
  const clamp = (index: number) =>
    Math.max(0, Math.min(length, Math.trunc(index < 0 ? index + length : index)))
  return [clamp(from), Math.max(clamp(from), clamp(to))]
}

function filtered(items: readonly unknown[], matches: (item: unknown) => boolean): Range[] {
  return items.flatMap((item, index) => (matches(item) ? [placeAt(index)] : []))
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
function scalarAt(item: unknown, names: readonly string[]): unknown {
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
  const order = orderOf(value, expected)
  if (order === undefined) return false
  return {'<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0}[operator]
}

/** Below 0 if the first is less; undefined for values that have no order. */
function orderOf(one: unknown, other: unknown): number | undefined {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one !== 'string' || typeof other !== 'string') return undefined
  return one < other ? -1 : one === other ? 0 : 1
}

function unsupported(text: string): Error {
  return new Error(
    `"${text.slice(0, 100)}" is not a path that this lake supports: use attributes, and indexes, ranges and filters in brackets`,
  )
}
