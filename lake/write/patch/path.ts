import {type ExprNode, type PathNode, parsePath, type SubscriptNode} from '@sanity/json-match'
import {isJsonObject} from '../../../common/json.ts'

/** Maximum length of a path. Studio's have about 50 characters for each level. */
const MAX_PATH_LENGTH = 1024

/** The first of some places in a list, and the one after the last. Both can be outside of the list. */
export type Range = readonly [start: number, end: number]

/** One level of a path: a member of an object, or places in a list. */
export type Step =
  | {readonly name: string}
  | {readonly rangesIn: (items: readonly unknown[]) => readonly Range[]}

/**
 * Parses a path of a patch, such as `body[_key=="a"].title`.
 * https://www.sanity.io/docs/content-lake/json-match
 * @throws Error for a path that is invalid or not supported
 */
export function parsePatchPath(text: string): readonly Step[] {
  if (text.length > MAX_PATH_LENGTH)
    throw new Error(`A path can have at most ${MAX_PATH_LENGTH} characters; this one has ${text.length}`)
  const steps: Step[] = []
  for (let node: PathNode | undefined = pathOf(parsePath(withSlices(text)), text); node; node = node.base) {
    const {segment, base, recursive} = node
    if (recursive) throw unsupported(text)
    if (segment.type === 'Identifier') steps.unshift({name: segment.name})
    else if (segment.type === 'Subscript') steps.unshift(selected(segment, text))
    else if (segment.type !== 'This' || base !== undefined) throw unsupported(text)
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
function selected({elements: [element, ...others]}: SubscriptNode, text: string): Step {
  if (element === undefined || others.length > 0) throw unsupported(text)
  switch (element.type) {
    case 'Number': {
      const {value} = element
      if (!Number.isInteger(value)) throw unsupported(text)
      return {rangesIn: (items) => [placeAt(value < 0 ? value + items.length : value)]}
    }
    case 'Slice':
      return {rangesIn: (items) => [sliceOf(items.length, element.start, element.end)]}
    case 'Comparison': {
      const {segment, base, recursive} = pathOf(element.left, text)
      const {right, operator} = element
      const name = segment.type === 'Identifier' ? segment.name : undefined
      const isSimple = base === undefined && !recursive && (name !== undefined || segment.type === 'This')
      if (!isSimple || operator !== '==' || right.type === 'Path') throw unsupported(text)
      const expected = right.type === 'Null' ? null : right.value
      return {rangesIn: (items) => filtered(items, (item) => memberOf(item, name) === expected)}
    }
    case 'Path': {
      const {segment, base, recursive} = element
      if (base !== undefined || recursive) throw unsupported(text)
      // The parser returns a wildcard for `[:]`.
      if (segment.type === 'Wildcard') return {rangesIn: (items) => [[0, items.length]]}
      if (segment.type === 'Identifier') return {name: segment.name}
      throw unsupported(text)
    }
    default:
      throw unsupported(text)
  }
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

function pathOf(node: ExprNode | undefined, text: string): PathNode {
  if (node?.type === 'Path') return node
  throw unsupported(text)
}

/** What an item is compared by: a member of it, or the item itself. */
function memberOf(item: unknown, name: string | undefined): unknown {
  if (name === undefined) return item
  return isJsonObject(item) && Object.hasOwn(item, name) ? item[name] : undefined
}

function unsupported(text: string): Error {
  return new Error(
    `"${text.slice(0, 100)}" is not a path that this lake supports: use attributes, and in brackets an index, a range, or a filter such as _key == "a"`,
  )
}
