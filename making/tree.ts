import {isRecord} from '../schemas/record.ts'
import {
  EACH,
  formatMemberPath,
  type MemberPath,
  startsWith,
  stepsOf,
} from '../schemas/rules/names/memberPath.ts'
import {shortened} from '../schemas/rules/text.ts'
import type {ProposedPart} from './picked.ts'
import {isMap} from './values.ts'

/** A row of an answer as a tree, in which an editor ticks what a tool returns. */
export type TreeRow = {
  /** From the whole answer, such as `data.items[].title`. */
  readonly path: string
  /** As the answer has it, or its position; empty for the whole. */
  readonly name: string
  /** A value as a short text; of a list, how long it is. */
  readonly sample: string
  readonly depth: number
  /** `value` can be ticked. The others only hold rows: a group of members, or a list. */
  readonly kind: 'value' | 'group' | 'list'
}

/** The rows of an answer. */
type AnswerTree = {readonly rows: readonly TreeRow[]; readonly isCut: boolean}

const MAX_ROWS = 300
const MAX_DEPTH = 12
const MAX_PATH = 500

/** Entries of a list whose members are merged: some entries lack what others have. */
const MERGED_ENTRIES = 20

const SAMPLE_LENGTH = 60

/**
 * The rows of an answer, each list with the members of its first entries.
 * @param path of the answer, if it is a part of one
 */
export function treeOf(answer: unknown, path: MemberPath = [], maxDepth = MAX_DEPTH): AnswerTree {
  const tree = {rows: [], isCut: false, maxDepth}
  addRows(tree, {samples: [answer], path, name: String(path.at(-1) ?? ''), depth: 0})
  return tree
}

type GrowingTree = {rows: TreeRow[]; isCut: boolean; maxDepth: number}

/** What the answer has at a path: several values, if the path leads through lists. */
type Place = {
  samples: readonly unknown[]
  path: MemberPath
  name: string
  depth: number
  /** Of rows without names. */
  headings?: readonly string[]
}

/** The rows of an answer, of a large one without what is far down: otherwise its first members would be all that is seen. */
export function wideTreeOf(
  answer: unknown,
  path: MemberPath = [],
  depths = [MAX_DEPTH, 4, 3, 2],
): readonly TreeRow[] {
  const [deep = 1, ...lower] = depths
  const {rows} = treeOf(answer, path, deep)
  return rows.length < MAX_ROWS || lower.length === 0 ? rows : wideTreeOf(answer, path, lower)
}

function addRows(tree: GrowingTree, {samples, path, name, depth, headings}: Place): void {
  if (tree.rows.length >= MAX_ROWS || depth > tree.maxDepth) {
    tree.isCut = true
    return
  }
  const text = formatMemberPath(path)
  // The rules refuse members that every object has, and characters that are not seen.
  if ((name === '' && path.length > 0) || name in {} || /\p{C}/u.test(name) || text.length > MAX_PATH) return
  const row = (kind: TreeRow['kind'], sample: string) =>
    tree.rows.push({path: text, name, sample, depth, kind})
  const lists = samples.filter((sample): sample is unknown[] => Array.isArray(sample))
  const records = samples.filter(isRecord)
  if (lists.length > 0) {
    const entries = lists.flatMap((list) => list.slice(0, MERGED_ENTRIES)).slice(0, MERGED_ENTRIES)
    const inner = entries.filter(Array.isArray)
    if (inner.length === 0 && !entries.some(isRecord)) {
      row('value', sampleOf(entries.map(sampleOf).join(', ') || 'an empty list'))
      return
    }
    const deep = inner.flat()
    const areLists = inner.length === entries.length
    const areListsOfRecords = areLists && deep.length > 0 && deep.every(isRecord)
    // In an entry, or of more lists, it has a meaning only as a whole, such as the line of a route.
    if (
      areLists &&
      !areListsOfRecords &&
      (path.includes(EACH) || deep.length === 0 || deep.some(Array.isArray))
    ) {
      row('value', sampleOf(lists[0]))
      return
    }
    row('list', lengthOf(lists[0] ?? []))
    if (entries.every(isRecord)) addMembers(tree, entries, [...path, EACH], depth)
    else if (areListsOfRecords) addMembers(tree, deep, [...path, EACH, EACH], depth)
    else if (areLists) addPositions(tree, inner, [...path, EACH], depth, headings)
    // Positions mean something in a list of different things, such as `[{page: 1}, [{…}]]`.
    else addPositions(tree, lists, path, depth)
  } else if (records.length > 0 && !records.every(isMap)) {
    if (path.length > 0) row('group', '')
    addMembers(tree, records, path, path.length > 0 ? depth : depth - 1)
  } else row('value', sampleOf(samples.find((sample) => sample !== null && sample !== '') ?? samples[0]))
}

function addMembers(
  tree: GrowingTree,
  records: readonly Record<string, unknown>[],
  path: MemberPath,
  depth: number,
): void {
  const end: MemberPath = !path.includes(EACH) && records.every(areColumns) ? [EACH] : []
  const names = [...new Set(records.flatMap((record) => Object.keys(record).slice(0, MAX_ROWS + 1)))]
  for (const name of names.slice(0, MAX_ROWS + 1)) {
    const samples = records.flatMap((record) => (Object.hasOwn(record, name) ? [record[name]] : []))
    addRows(tree, {
      samples,
      path: [...path, name, ...end],
      name,
      depth: depth + 1,
      headings: headingsIn(records[0]),
    })
  }
}

/** What the columns of rows without names are called, by a list next to them: `{columns: ["id", "title"], rows: [[1, "Knots"]]}`. */
function headingsIn(record: Readonly<Record<string, unknown>> = {}): string[] {
  const [, list] = Object.entries(record).find(([name]) => HEADINGS.test(name)) ?? []
  const names = [list].flat().map((one) => (isRecord(one) ? (one.name ?? one.field) : one))
  return names.every((name) => typeof name === 'string') && new Set(names).size === names.length ? names : []
}

const HEADINGS = /^(?:columns?|cols|fields|header|headers|headings|meta)$/i

/** Whether lists are columns of one table: they are equally long, and one says of when or of what the others are. */
function areColumns(record: Readonly<Record<string, unknown>>): boolean {
  const [first, ...more] = Object.values(record)
  const isColumn = (one: unknown) =>
    Array.isArray(one) && !one.some((value) => typeof value === 'object' && value)
  return (
    Array.isArray(first) &&
    first.length > 0 &&
    more.length > 0 &&
    [first, ...more].every((one) => isColumn(one) && Object(one).length === first.length) &&
    Object.keys(record).some((name) => INDEX.test(name))
  )
}

const INDEX = /^(?:date|(?:date_?|start_?)?time|timestamp|year|month|day|hour|label|name|id|x)s?$/i

function addPositions(
  tree: GrowingTree,
  lists: readonly (readonly unknown[])[],
  path: MemberPath,
  depth: number,
  headings: readonly string[] = [],
): void {
  const length = Math.max(...lists.map((list) => list.length))
  for (let at = 0; at < Math.min(length, MERGED_ENTRIES); at += 1) {
    const samples = lists.flatMap((list) => (at < list.length ? [list[at]] : []))
    addRows(tree, {samples, path: [...path, at], name: headings[at] ?? `${at + 1}.`, depth: depth + 1})
  }
  if (length > MERGED_ENTRIES) tree.isCut = true
}

function sampleOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return shortened(text, SAMPLE_LENGTH)
}

function lengthOf(list: readonly unknown[]): string {
  return list.length === 1 ? '1 entry' : `${list.length} entries`
}

/** The field `request.result` of a tool, for a part of an answer. */
export type ProposedResult =
  | {
      readonly kind: 'list' | 'object'
      readonly path: string
      readonly members: readonly ProposedMember[]
      readonly limit?: number
    }
  | {readonly kind: 'text'}
  | {readonly kind: 'parts'; readonly parts: readonly ProposedPart[]; readonly pages?: number}
  | {readonly kind: 'message'; readonly message: string}

type ProposedMember = {readonly path: string; readonly name?: string}

/** Entries of a list that a tool returns, unless an editor changes it. */
const LIMIT = 10

/**
 * The result that has what was ticked, and nothing else.
 * @param ticked paths of rows
 * @param answer says what positions are called
 * @returns undefined if nothing was ticked
 */
export function resultOf(ticked: readonly string[], answer?: unknown): ProposedResult | undefined {
  const paths = ticked.map(pathOf)
  const [first] = paths
  if (first === undefined) return undefined
  // The innermost list that has all of it. The path of a list does not end with “[]”.
  const each = first.findLastIndex(
    (step, at) =>
      step === EACH &&
      first[at - 1] !== EACH &&
      paths.every((path) => startsWith(path, first.slice(0, at + 1))),
  )
  const isList = each >= 0
  const start = isList ? first.slice(0, each) : commonStart(paths)
  const members = paths.map((path) => path.slice(start.length + (isList ? 1 : 0)))
  const path = formatMemberPath(start)
  if (members.length === 1 && members[0]?.length === 0)
    return {kind: isList ? 'list' : 'object', path, members: [], ...(isList && {limit: LIMIT})}
  const isInColumns = !isList && members.length > 1 && members.every((path) => path.at(-1) === EACH)
  const called = new Map(treeOf(answer).rows.map(({path, name}) => [path, name]))
  const named = namedMembers(
    members,
    isList || isInColumns,
    ticked.map((path) => called.get(path)),
  )
  return isList || isInColumns
    ? {kind: 'list', path, members: named, limit: LIMIT}
    : {kind: 'object', path, members: named}
}

/** The rows of a tree that a result has. */
export function tickedIn(result: ProposedResult): string[] {
  if (result.kind !== 'list' && result.kind !== 'object') return []
  const isInColumns = result.members.length > 1 && result.members.every(({path}) => path.endsWith('[]'))
  const start = result.kind === 'list' && !isInColumns ? `${result.path}[]` : result.path
  if (result.members.length === 0) return [result.path]
  return result.members.map(({path}) =>
    [start, path].filter((part) => part !== '').join(path.startsWith('[') ? '' : '.'),
  )
}

/** The way that all paths have in common, without what lies in a list, and without the last step of any. */
function commonStart(paths: readonly MemberPath[]): MemberPath {
  const [first = []] = paths
  const longest = Math.min(...paths.map((path) => path.length)) - 1
  const differs = first.findIndex((step, at) => step === EACH || paths.some((path) => path[at] !== step))
  return first.slice(0, Math.min(longest, differs < 0 ? longest : differs))
}

/** What a list is called that is all of an answer, and of which a server sends several in one answer. */
export const ENVELOPED =
  /^(?:hits|items|results|responses|docs|documents|records|nodes|edges|entries|rows|data|json)$/i

/** A group that says nothing about what it holds. */
const WRAPPING = /^(?:node|attributes)$/i

/** Members with names that differ: of two called “name”, one is called “author name”, and so are values of a list in a thing. */
function namedMembers(
  paths: readonly MemberPath[],
  isList: boolean,
  called: readonly (string | undefined)[],
): ProposedMember[] {
  const own = new Set(paths.flatMap(([first, ...more]) => (more.length === 0 ? [first] : [])))
  const names = new Set<string>()
  return paths.map((path, index) => {
    const texts = path.filter((step) => typeof step === 'string')
    const isPosition = typeof path.at(-1) === 'number'
    const heading = called[index]?.replace(/^\d+\.$/, '') || `value${Number(path.at(-1)) + 1}`
    const last = isPosition ? heading : (texts.at(-1) ?? 'value')
    const telling = texts.filter(
      (text, at) => at === texts.length - 1 || !(ENVELOPED.test(text) || WRAPPING.test(text)),
    )
    const above = (telling.length > 1 ? telling : texts).slice(isPosition ? 0 : -2).join(' ')
    const isFree = (one: string) => one !== '' && !names.has(one) && (path.length === 1 || !own.has(one))
    const name =
      [isList || !path.includes(EACH) ? last : '', above, formatMemberPath(path)].find(isFree) ?? last
    names.add(name)
    return {path: formatMemberPath(path), ...(name !== texts.at(-1) && {name})}
  })
}

function pathOf(text: string): MemberPath {
  const steps = stepsOf(text)
  return typeof steps === 'number' ? [] : steps
}
