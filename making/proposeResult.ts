import {isRecord} from '../schemas/record.ts'
import {secretKindOf} from '../schemas/rules/names/secrets.ts'
import {wordsOf} from '../schemas/rules/names/toolName.ts'
import {singularOf} from './names.ts'
import {ENVELOPED, type ProposedResult, resultOf, type TreeRow, treeOf, wideTreeOf} from './tree.ts'
import {isMap} from './values.ts'

/** What was asked for an answer. */
export type Asked = {
  readonly method: string
  /** Without a query. A value that differs from call to call stands in braces, such as `/orders/{id}`. */
  readonly path: string
  /** What a description says that the operation does: its summary, and its id. */
  readonly says?: readonly string[]
  /** What a description calls its subject: tags. */
  readonly about?: readonly string[]
}

/**
 * What of an answer to return if a person has not chosen. The answer to a request for one thing is that thing, and the lists in it
 * keep their place; any other has a main list, or is returned as a whole. Nothing secret is returned.
 */
export function proposeResult(answer: unknown, asked?: Asked): ProposedResult {
  if (answer === undefined || answer === null) return DONE
  if (typeof answer !== 'object') return {kind: 'text'}
  const nouns = nounsOf(asked)
  const thing = thingIn(answer, [], [...nouns.subject, ...nouns.said])
  const isShown = shownOf(asked, nouns)
  const columns = columnsIn(answer).filter(({path}) => isShown(path))
  const paths =
    columns.length > 1
      ? mostTelling(columns, OF_ENTRY)
      : isAboutOne(thing.value, asked, nouns)
        ? valuesOfThing(thing, isShown)
        : valuesOfList(answer, nouns, asked, isShown)
  // A description that says no more than that all went well leaves out what comes.
  const isBare = paths.length > 0 && paths.every((path) => BESIDES.test(path))
  if (isBare && asked?.says) return {kind: 'object', path: '', members: []}
  const whole = paths.length > 0 ? paths : valuesOfThing({value: answer, path: []}, isShown)
  const isSecret = whole.length === 0 && treeOf(answer).rows.some(({kind}) => kind === 'value')
  return resultOf(whole, answer) ?? (isSecret ? DONE : {kind: 'text'})
}

const DONE = {kind: 'message', message: 'Done.'} as const

/** A thing, and where it is in an answer. */
type Thing = {readonly value: unknown; readonly path: readonly string[]}

/** Members that come with what was asked for. */
const BESIDES =
  /^(?:_?links?|_?meta(?:data)?|jsonapi|included|relationships|errors?|problems?|warnings?|messages?|status|success|ok|code|took|extensions|kind|pagination|paging|page_?info|debug|@.*|(?:api_?|schema_?)?version|(?:request|trace)_?id|timestamp)$/i

/** What is usually besides, and has all of it in some APIs. */
const META = /^_?meta$/i

/** Lists that describe the main one. */
const DESCRIBING = /^(?:fields|columns|facets?(?:_?counts)?|aggregations)$/i

/** Members by which a server says that more of a list can be had. */
const PAGING =
  /^(?:total|count|found|out_of|page|limit|offset|skip|cursor|(?:total|num|nb|estimated)_?(?:count|found|results|items|hits|pages|elements|records|matched)|(?:current|last)_?page|per_?page|page_?(?:size|number|count|info|token)|(?:next|prev|previous)(?:_?(?:page|cursor|token|link|url|page_?token))?|has_?(?:more|next|next_?page)|more_?\w*|pagination|paging|@odata\.(?:count|nextLink)|(?:start|max)_?(?:at|results))$/i

const IDS = /^(?:_?id|uuid|gid|guid|slug|sku|key|number|token|reference|\w+(?:_id|Id|Reference))$/
const NAMES = /^(?:name|title|label)$/

/** Members that people ask for, where there are more than an agent needs. */
const TELLING =
  /^(?!meta)(?:_?id|\w*(?:name|title|label|status|state|number|reference|code|total|amount|price|currency|quantity|date|time|url|email|address|description|summary)|\w+(?:_at|At))$/i

/** Values of a thing itself and in each of its lists, and of an entry of a list: more than these is more than an agent needs. */
const OF_THING = 20
const IN_THING = {lists: 3, values: 4}
const OF_ENTRY = 10
const OF_SEVERAL = 3

/** Levels below a thing that its values are in; of a large one, fewer. */
const LEVELS = [4, 2]

/** Words by which an answer may call what was asked for: `GET /api/orders/{id}` asks for an order. */
type Nouns = {readonly subject: readonly string[]; readonly said: readonly string[]}

function nounsOf({path = '', says = [], about = []}: Partial<Asked> = {}): Nouns {
  const last = segmentsIn(path).findLast((one) => !one.includes('{') && !VERB.test(one)) ?? ''
  const plain = (words: readonly string[]) => words.map(plainWord).filter((word) => word.length > 2)
  return {subject: plain([last, ...about]), said: plain(says.flatMap((text) => wordsOf(text).slice(1)))}
}

/** Ends a path that says what is done with what stands before it. */
const VERB = /^(?:get|list|create|update|fetch|retrieve)$/i

/** The parts of a path, without the extension of the last one. */
function segmentsIn(path: string): string[] {
  return path
    .replace(/\.\w+$/, '')
    .split('/')
    .filter(Boolean)
}

/** “line_items” and “lineItem” are the same word. */
function plainWord(name: string): string {
  return singularOf(name.replace(/[^A-Za-z0-9]/g, '').toLowerCase())
}

/** Whether a name is a noun, or ends with one, as “catalog_object” with “object”. */
function isCalled(name: string, nouns: readonly string[]): boolean {
  return [name, ...wordsOf(name).slice(-1)].some((word) => nouns.includes(plainWord(word)))
}

/** Opens what only wraps a thing: `data`, the only member, or the one that is called as what was asked for. */
function thingIn(value: unknown, path: readonly string[], nouns: readonly string[]): Thing {
  const [groups, isOnly] = isRecord(value) ? groupsIn(value) : [[], false]
  const [name, inner] =
    groups.find(([name]) => name === 'data') ??
    groups.find(([name, one]) => isRecord(one) && isCalled(name, nouns)) ??
    (groups.length === 1 ? groups : []).flat()
  return isOnly && typeof name === 'string' && isRecord(inner) && !isMap(inner)
    ? thingIn(inner, [...path, name], nouns)
    : {value, path}
}

/** The columns of the first table that an answer has, unless it is about a thing with a name. */
function columnsIn(answer: object): TreeRow[] {
  const own = Object.keys(answer)
  const rows = wideTreeOf(answer)
  const from = rows.findIndex(({path}) => path.endsWith('[]'))
  const to = rows.findIndex(({path}, at) => at > from && !path.endsWith('[]'))
  const isNamed = own.some((name) => IDS.test(name)) && own.some((name) => NAMES.test(name))
  return from < 0 || isNamed ? [] : rows.slice(from, to < 0 ? undefined : to)
}

type Members = readonly (readonly [name: string, value: unknown])[]

/** The groups and lists of an object, and whether it has nothing else: what comes besides is a group if it is the only one. */
function groupsIn(value: Readonly<Record<string, unknown>>): readonly [groups: Members, isOnly: boolean] {
  const all = Object.entries(value)
  const members = all.filter(([name]) => !BESIDES.test(name))
  const groups = (members.length > 0 ? members : all).filter(([, one]) => typeof one === 'object' && one)
  return [groups, groups.length >= members.length]
}

const LISTS =
  /^(?:(?:list|search|find|browse|query|filter|lookup|suggest)s?(?! \w+ by (?:id|slug|name)\b)\b|(?:get|retrieve|return|fetch|show|read)s? (?:(?:a |the )?(?:list|page|collection) of|all|many|multiple|several)\b)/i
const SEARCHES = /(?:search|query|graphql|list|find|filter|lookup|batch|suggest(?:ions)?|autocomplete)$/i

/** Whether an answer is one thing, whose lists are parts of it, and not what has a list. */
function isAboutOne(value: unknown, asked: Asked | undefined, nouns: Nouns): boolean {
  if (!isRecord(value)) return false
  const [groups, isOnly] = groupsIn(value)
  const own = Object.entries(value).filter(([, one]) => typeof one !== 'object' || one === null)
  const has = (pattern: RegExp) => own.some(([name]) => pattern.test(name))
  const isNamed = has(IDS) && has(NAMES)
  if (asked === undefined) return isNamed
  if (!treeOf(value).rows.some(({kind}) => kind === 'list')) return true
  const isThing = has(IDS) || Object.hasOwn(value, 'attributes')
  if (!isThing && isPaged(value)) return false
  const {method, path, says = []} = asked
  const last = segmentsIn(path).at(-1) ?? ''
  const lists = groups.filter(([, one]) => Array.isArray(one))
  const isMain = ([name, one]: Members[number]) =>
    Array.isArray(one) && (ENVELOPED.test(name) || nouns.subject.includes(plainWord(name)))
  const hasMain =
    lists.some(isMain) || groups.some(([, one]) => isPaged(one) && Object.entries(one).some(isMain))
  const isWhole = !isOnly || groups.length - lists.length > 1
  const isMany = SEARCHES.test(last) || says.some(isListing)
  const isOfParts = isOnly && isWhole && !hasMain
  // A cart has a total, but no limit.
  const isOfPages =
    hasMain && Object.keys(value).some((name) => PAGING.test(name) && !/^(?:total|count|found)$/i.test(name))
  if (method === 'GET' && !last.endsWith('}')) {
    if (isMany || singularOf(last) !== last) return isNamed ? !lists.some(isMain) : isOfParts
    return (isThing && !isOfPages) || isOfParts || (!hasMain && own.length > FEWEST_OWN)
  }
  return (isThing || isWhole) && !isOfPages && !(isMany && (method === 'GET' || method === 'POST'))
}

/** Values of its own that tell a thing with lists from what has a list. */
const FEWEST_OWN = 3

function isPaged(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && Object.keys(value).some((name) => PAGING.test(name))
}

function isListing(text: string): boolean {
  return LISTS.test(wordsOf(text).join(' '))
}

/** The values of a thing: its own ones, and some in each of its lists. */
function valuesOfThing({value, path}: Thing, isShown: (path: string) => boolean): string[] {
  const whole = isRecord(value) ? without(value) : value
  const rows = wideTreeOf(whole, path, LEVELS)
  const values = rows.filter(({kind, path}) => kind === 'value' && isShown(path))
  const own = mostTelling(
    values.filter(({path}) => !path.includes('[]')),
    OF_THING,
  )
  const lists = Map.groupBy(
    values.filter(({path}) => path.includes('[]')),
    ({path}) => path.slice(0, path.indexOf('[]')),
  )
  const inside = [...lists.values()]
    .slice(0, IN_THING.lists)
    .flatMap((list) => mostTelling(list, IN_THING.values))
  return [...own, ...inside]
}

function without(value: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(value).filter(([name, member]) => typeof member !== 'object' || !BESIDES.test(name)),
  )
}

/** Says what is not a secret: also what agents pass, and the id of what was asked for, whatever it is called. */
function shownOf(asked: Asked | undefined, {subject}: Nouns) {
  const passed = (asked?.path.match(/(?<=\{)\w+(?=\})/g) ?? []).map((name) => name.toLowerCase())
  return (path: string): boolean => {
    const [of = '', name = ''] = path.split('.').slice(-2)
    const isPassed = passed.includes((name || of).toLowerCase())
    return secretKindOf(path) === undefined || isPassed || (OWN_ID.test(name) && isCalled(of, subject))
  }
}

const OWN_ID = /^(?:_?id|g?uid|gid|sid|uuid)$/i

/** Paths of the values that tell most, in the order of the answer. @param of what they are entries of, whose own id may be called so */
function mostTelling(rows: readonly TreeRow[], most: number, of = ''): string[] {
  const isOwn = (name: string) => OWN_ID.test(name) || plainWord(name) === `${plainWord(of)}id`
  const rankOf = ({name, depth}: TreeRow) => depth + (isOwn(name) ? -1 : TELLING.test(name) ? 0 : 1.5)
  const kept = new Set(rows.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, most))
  return rows.filter((row) => kept.has(row)).map(({path}) => path)
}

/**
 * The values of an entry of the main list: the one that is called as what was asked for, else the one that can be paged, or is an
 * envelope, and is not far down. Of several alike, such as those of a search in everything, a few of each.
 */
function valuesOfList(
  answer: object,
  nouns: Nouns,
  asked: Asked | undefined,
  isShown: (path: string) => boolean,
): string[] {
  const segments = segmentsIn(asked?.path ?? '')
  const last = segments.at(-1) ?? ''
  // `/tag/{name}` lists what has the tag, and `/users/{name}` may list users.
  const isByOther = last.endsWith('}') && !segments.some((part) => singularOf(part) !== part && part !== last)
  const rows = wideTreeOf(answer)
  const values = rows.filter(({kind, path}) => kind === 'value' && isShown(path))
  const lists = rows
    .filter(({kind}) => kind === 'list')
    .map((list) => ({
      list,
      rank: rankOfList(list, rows, isByOther ? nounsOf() : nouns),
      within: values.filter(({path}) => path.startsWith(`${list.path}[]`)),
    }))
    .toSorted((one, other) => one.rank - other.rank || other.within.length - one.within.length)
  const outermost = lists.filter(({list, rank}) => list.depth === 0 && rank < IN_ENTRIES)
  const isInAll =
    SEARCHES.test(last) && outermost.length > 1 && outermost.some(({within}) => within.length === 0)
  // What is known of no entry is a list only if its name says so.
  const known = lists.filter(({within, rank}) => (within.length > 0 && rank < IN_ENTRIES) || rank < 0)
  const [main] = known.map(({list}) => list)
  const groupOf = ({path, name}: TreeRow) => path.slice(0, -name.length - 1)
  const isOfSubject = main && nouns.subject.includes(plainWord(groupOf(main).split('.').at(-1) ?? ''))
  const alike = isInAll
    ? outermost
    : known.filter(
        ({rank, list}) =>
          rank === known[0]?.rank &&
          (list.name === main?.name || (isOfSubject && groupOf(list) === groupOf(main))),
      )
  if (alike.length < 2)
    return alike.flatMap(({list, within}) =>
      within.length > 0 ? mostTelling(within, OF_ENTRY, list.name) : [`${list.path}[]`],
    )
  return alike.flatMap(({list, within}) =>
    within.length > 0 ? mostTelling(within, OF_SEVERAL, list.name) : [list.path],
  )
}

/** From this rank on, a list is in the entries of another one. */
const IN_ENTRIES = 500

/** The lowest one is the main list. */
function rankOfList({name, path, depth}: TreeRow, rows: readonly TreeRow[], {subject, said}: Nouns): number {
  const steps = path.split(/(?:\[\])?\.|\[\]/)
  const above = path.slice(0, Math.max(0, path.length - name.length - 1))
  const siblings = rows.filter((row) => row.path === [above, row.name].filter(Boolean).join('.'))
  const outer = path.lastIndexOf('[]')
  // In entries of another list, which are only its envelopes: these have no name.
  const entry = path.slice(0, outer + 2)
  const isWrapped =
    outer >= 0 &&
    path.split(/(?:\[\])?\./).every((step) => ENVELOPED.test(step)) &&
    !rows.some(({path, name}) => path === `${entry}.${name}` && (IDS.test(name) || NAMES.test(name)))
  // The parts of a thing, which has a name.
  const has = (pattern: RegExp) =>
    above !== '' && siblings.some((row) => row.kind === 'value' && pattern.test(row.name))
  const isPart = has(IDS) && has(NAMES)
  const isSubject = steps.some((step) => subject.includes(plainWord(step)))
  return (
    (isWrapped ? -1 : depth * 2) +
    (steps.some((step) => !META.test(step) && (BESIDES.test(step) || DESCRIBING.test(step)))
      ? IN_ENTRIES
      : 0) +
    (steps.some((step) => META.test(step)) ? 100 : 0) +
    ((outer >= 0 && !isWrapped) || isPart ? IN_ENTRIES : 0) -
    (isSubject ? 40 : 0) -
    (siblings.some((row) => PAGING.test(row.name)) ? 20 : 0) -
    (said.includes(plainWord(name)) ? 15 : 0) -
    (ENVELOPED.test(name) ? 10 : 0)
  )
}
