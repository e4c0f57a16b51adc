import type {Action, LinkAction} from '../schemas/actions/action.ts'
import {parameterUses} from '../schemas/actions/parameters.ts'
import {fixedText, parametersIn, type Template, templateText} from '../schemas/actions/parts.ts'
import type {Part, ReadingAction} from '../schemas/actions/reading.ts'
import type {RequestAction, SentRow} from '../schemas/actions/request.ts'
import {isInColumns, type Result} from '../schemas/actions/result.ts'
import type {RowValue} from '../schemas/actions/row.ts'
import {isRecord} from '../schemas/record.ts'
import type {ObjectSchema} from '../schemas/rules/inputSchema.ts'
import {EACH, formatMemberPath, type MemberPath} from '../schemas/rules/names/memberPath.ts'
import {secretKindOf} from '../schemas/rules/names/secrets.ts'
import type {Path} from './run/json.ts'
import {NO_ENTRIES} from './run/outcome.ts'
import type {AddressPlan, Pair, PartPlan, ReadingPlan, RequestPlan, ResultPlan, Tree} from './run/plan.ts'

// What runs of an action: its data, and the names of the functions that they need (actions/run/all.ts).

/** The functions of an action (`actions/run/all.ts`) by what they are for. */
export type Features = {readonly [what: string]: string}

/** An action that can run. */
export type Planned =
  | {readonly run: 'runLink'; readonly plan: AddressPlan; readonly features: Features}
  | {readonly run: 'runRequest'; readonly plan: RequestPlan; readonly features: Features}
  | {readonly run: 'runReading'; readonly plan: ReadingPlan; readonly features: Features}

/** @param schema the parameters */
export function planOf(action: Action, schema: ObjectSchema): Planned {
  switch (action.kind) {
    case 'link':
      return planOfLink(action, schema)
    case 'request':
      return planOfRequest(action, schema)
    case 'reading':
      return planOfReading(action)
  }
}

function planOfLink(action: LinkAction, schema: ObjectSchema): Planned {
  const {features, ...plan} = addressOf(action, [], schema)
  return {run: 'runLink', plan, features: {...features, ...valueFeatures(plan.query)}}
}

/** @param rows more of its query */
function addressOf(action: LinkAction | RequestAction, rows: readonly Pair[], schema: ObjectSchema) {
  const {origin, path, query, fragment} = action.address
  const pairs = [
    ...query.map(({name, value}): Pair => [name, valueOfTemplate(value)]),
    ...rows.map(([name, value]): Pair => [name, textOf(value)]),
  ]
  const fixed = fixedIn(pairs)
  const asked = pairs.filter((pair) => !isFixed(pair))
  const template: Template = [
    ...path,
    ...(fixed.length > 0 ? [`?${new URLSearchParams(fixed)}`] : []),
    ...(fragment.length > 0 ? ['#', ...fragment] : []),
  ]
  const dates = datesOf(action, schema)
  const plan: AddressPlan = {
    ...(origin !== undefined && {origin}),
    address: templateText(template),
    ...(asked.length > 0 && {query: asked}),
    ...(dates.length > 0 && {dates}),
  }
  return {
    ...plan,
    features: {
      ...(parametersIn(template).length > 0 && {filledIn: 'fill'}),
      ...(asked.length > 0 && {addQuery: 'addQuery'}),
      ...(dates.length > 0 && {checkDates: 'checkDates'}),
    },
  }
}

function datesOf(action: Action, {properties}: ObjectSchema): string[] {
  const used = parameterUses(action).map(({parameter}) => parameter)
  return [...new Set(used)].filter((name) => {
    const property = properties[name]
    return isRecord(property) && property.format === 'date' && property.type === 'string'
  })
}

function valueOfTemplate(template: Template): Tree {
  const [only, another] = template
  if (parametersIn(template).length === 0) return {fixed: template.join('')}
  return another === undefined && typeof only === 'object'
    ? only.parameter
    : {template: templateText(template)}
}

/** A value where all values are texts. */
function textOf(value: Tree): Tree {
  return typeof value === 'object' && 'fixed' in value ? {fixed: fixedText(value)} : value
}

function planOfRequest(action: RequestAction, schema: ObjectSchema): Planned {
  const {method, encoding, body, changes, result, error} = action
  const query = gathered(action.query).map(({name, value}): Pair => [name, value])
  const {features: ofAddress, ...address} = addressOf(action, query, schema)
  const headers = action.headers.map(({name, value}): Pair => [name, textOf(rowValue(value))])
  const all = {...headersOf(action), ...Object.fromEntries(fixedIn(headers))}
  const asked = headers.filter((pair) => !isFixed(pair))
  const rows = gathered(body)
  const form = rows.map(({name, value}): Pair => [name, textOf(value)])
  const isPage = result.kind === 'parts'
  const nothing =
    isPage || (!changes && result.kind !== 'message') ? (action.nothing ?? usualNothing(action, schema)) : []
  const sendsPage = [...action.headers, ...action.query, ...body].some(({value}) => 'page' in value)
  const init: RequestPlan['init'] = {
    ...((method !== 'GET' || sendsPage) && {method}),
    ...(sendsPage && {mode: 'same-origin'}),
    ...(Object.keys(all).length > 0 && {headers: all}),
  }
  const plan: RequestPlan = {
    ...address,
    ...(Object.keys(init).length > 0 && {init}),
    ...(asked.length > 0 && {askedHeaders: asked}),
    ...(body.length > 0 &&
      (encoding === 'json' ? {body: bodyTree(rows)} : {form: encoding === 'form' ? fixedFirst(form) : form})),
    ...(isLookup(action) && {isLookup: true}),
    ...(error.length > 0 && !isPage && {error: pathOf(error)}),
    ...(nothing.length > 0 && {nothing: templateText(nothing)}),
    ...planOfResult(result),
  }
  const isJson = result.kind === 'list' || result.kind === 'object'
  const hasLists =
    isJson && [result.path, ...result.members.map(({path}) => path)].some((path) => path.includes(EACH))
  return {
    run: 'runRequest',
    plan,
    features: {
      said: isPage ? 'saysNothing' : error.length > 0 ? 'saidAt' : 'saidIn',
      ...(isJson && {valueIn: hasLists ? 'valueInLists' : 'valueAt'}),
      result: isInColumns(result) ? 'columns' : result.kind,
      column: changes ? (error.some(isOfErrors) ? 'changesAt' : 'changes') : 'reads',
      ...ofAddress,
      ...valueFeatures(
        [...(plan.query ?? []), ...(plan.askedHeaders ?? []), ...(plan.form ?? [])],
        plan.body,
      ),
      ...(asked.length > 0 && {asked: 'askedHeaders'}),
      ...(body.length > 0 && {sent: SENT[encoding]}),
      ...(parametersIn(nothing).length > 0 && {named: 'asText'}),
      ...(isPage && {...partFeatures(result.parts), ...(result.pages > 1 && {readMore: 'readMore'})}),
    },
  }
}

/** The functions that make a body. */
const SENT = {json: 'sentJson', form: 'sentForm', multipart: 'sentInParts'} as const

function fixedIn(pairs: readonly Pair[]): [name: string, text: string][] {
  return pairs.flatMap(([name, value]) =>
    typeof value === 'object' && 'fixed' in value ? [[name, String(value.fixed)]] : [],
  )
}

function isFixed(pair: Pair): boolean {
  return fixedIn([pair]).length > 0
}

function fixedFirst(pairs: readonly Pair[]): Pair[] {
  return pairs.toSorted((one, other) => Number(isFixed(other)) - Number(isFixed(one)))
}

/** The headers that a tool sets. The page's own are never among them. */
function headersOf({body, encoding, result}: RequestAction): Readonly<Record<string, string>> {
  return {
    ...(/^(?:list|object)$/.test(result.kind) && {Accept: 'application/json'}),
    ...(encoding === 'json' && body.length > 0 && {'Content-Type': 'application/json'}),
  }
}

/** Whether status 404 says that what the agent looks for does not exist. */
function isLookup(action: RequestAction): boolean {
  if (action.changes) return false
  return action.result.kind === 'object'
    ? parameterUses(action).length > 0
    : action.address.path.some((part) => typeof part !== 'string')
}

/** Names of what people look for. */
export const SEARCHED =
  /^(?:(?:free|search)[-_]?)?(?:q|s|kw|query|search|term|keywords?|text|words|suche|such(?:begriff|wort)|recherche|buscar?|ricerca|cerca|zoek|szukaj)$/i

/** Names that are for the server, and that no agent sets. */
export const TECHNICAL =
  /^(?:\/.*|page|page_?size|page_?number|per_?page|limit|offset|skip|take|size|rows|start|first|after|before|cursor|sort(?:_?by)?|order(?:_?by)?|select|out_?fields|_(?:count|data|embed|fields|rsc)|dir(?:ection)?|lang(?:uage)?|locale|hl|format|fields|include|expand|callback|v|version|api-version|client|source|type|utm_.*)$/i

/** Names the words that are searched, or the only text that the agent passes; none of several others, and no key or language. */
function usualNothing(action: RequestAction, schema: ObjectSchema): Template {
  const rows = [...action.query, ...action.body]
  const sent = [
    ...rows.flatMap((row) =>
      'parameter' in row.value ? [{...row.value, name: lastName(row.inside?.member ?? row.name)}] : [],
    ),
    ...action.address.query.flatMap(({name, value}) =>
      parametersIn(value).map((parameter) => ({parameter, name: lastName(name)})),
    ),
    ...parameterUses(action).map(({parameter}) => ({parameter, name: parameter})),
  ]
  const isOther = (parameter: string) =>
    sent.some((one) => one.parameter === parameter && (TECHNICAL.test(one.name) || secretKindOf(one.name)))
  const names = [...new Set(sent.map(({parameter}) => parameter))].filter((name) => {
    const property = schema.properties[name]
    const isText = isRecord(property) && property.type === 'string' && !property.enum && !property.format
    return isText && !isOther(name)
  })
  const words = sent.find(({parameter, name}) => names.includes(parameter) && SEARCHED.test(name))
  const [parameter, ...others] = names
  const named = words?.parameter ?? (others.length === 0 ? parameter : undefined)
  return named === undefined ? [] : ['Nothing was found for “', {parameter: named}, '”.']
}

/** Such as `q` of `filter.q` and `search[q]`. */
function lastName(name: string): string {
  return /[^.$[\]]*(?=[[\]]*$)/.exec(name)?.[0] ?? name
}

function planOfResult(result: Result): ResultPlan {
  switch (result.kind) {
    case 'message':
      return {message: result.message}
    case 'text':
      return {}
    case 'parts':
      return {parts: result.parts.map(partPlan), ...(result.pages > 1 && {pages: result.pages})}
    case 'object':
    case 'list': {
      const members = Object.fromEntries(result.members.map(({name, path}) => [name, pathOf(path)]))
      const path = pathOf(result.path)
      return {
        ...(path.length > 0 && {path}),
        ...(result.members.length > 0 && {members}),
        ...(result.kind === 'list' && {limit: result.limit}),
      }
    }
  }
}

/** Whether a member has only errors. A text of a `message` may be of what is done. */
function isOfErrors(step: MemberPath[number]): boolean {
  return typeof step === 'string' && /err|fault|fail|fehler|problem/i.test(step)
}

/** A path as data. */
function pathOf(path: MemberPath): Path {
  return path.map((step) => (typeof step === 'symbol' ? null : step))
}

function partPlan(part: Part): PartPlan {
  if (part.kind === 'items') {
    const fields = part.fields.map(({selector: within, ...field}) => ({...field, within}))
    return {...part, fields}
  }
  if (part.kind !== 'table') return part
  const {columns, ...plan} = part
  return columns.length === 0 ? plan : {...plan, columns}
}

/** What agents read if the page has none of these parts; undefined: it is another page. An empty list looks like one that is missing. */
function usualNothingOf(parts: readonly {readonly kind: Part['kind']}[]): string | undefined {
  return parts.every(({kind}) => /^(?:list|links|items)$/.test(kind)) ? NO_ENTRIES : undefined
}

/** What runs of a reading. */
export function planOfReading({
  parts,
  nothing = usualNothingOf(parts),
  pages,
}: Omit<ReadingAction, 'kind' | 'parts'> & {readonly parts: readonly Part[]}) {
  const grows = pages > 1 && parts.some((part) => 'limit' in part)
  return {
    run: 'runReading',
    plan: {parts: parts.map(partPlan), ...(nothing !== undefined && {nothing}), ...(grows && {pages})},
    features: {...partFeatures(parts), ...(grows && {grow: 'grow'})},
  } as const satisfies Planned
}

/** The functions that read parts. */
const READERS: Readonly<Record<Part['kind'], string>> = {
  text: 'readText',
  attribute: 'readAttribute',
  table: 'readRows',
  items: 'readItems',
  list: 'readList',
  definitions: 'readDefinitions',
  links: 'readLinks',
}

function partFeatures(parts: readonly Part[]): Features {
  // What is not named as a table may be a grid, or have one in it.
  const hasGrid = parts.some(
    ({kind, selector}) => kind === 'table' && !/(?:^|[\s>+~])table[^\s>+~,]*$/.test(selector),
  )
  const isDeep = /"\+ |>>>/.test(JSON.stringify(parts))
  const names = parts.some((part) => part.kind === 'table' && part.columns.length > 0)
  const readers = parts.map(({kind}) => [kind, kind === 'table' && names ? 'readColumns' : READERS[kind]])
  return {
    findAll: isDeep ? 'findDeep' : 'find',
    ...(hasGrid && {rowsOf: 'rowsOfAny'}),
    ...Object.fromEntries(readers),
  }
}

/** The functions that values need. */
function valueFeatures(pairs: readonly Pair[] = [], json?: Tree): Features {
  const left: Tree[] = [...pairs.map(([, value]) => value), ...(json ? [json] : [])]
  const names = new Set<string>()
  // The loop reaches values that it adds.
  for (const value of left) {
    if (typeof value === 'string') continue
    names.add(Object.keys(value)[0] ?? '')
    if ('json' in value) left.push(value.json)
    if ('pairs' in value) left.push(...value.pairs.map(([, one]) => one))
    if ('several' in value) left.push(...value.several)
    if ('group' in value) left.push(...Object.values(value.group))
  }
  return Object.fromEntries([...names].map((name) => [name, VALUE_READERS[name] ?? '']))
}

/** The functions that read values, by the first name in these. */
const VALUE_READERS: Readonly<Record<string, string>> = {
  fixed: 'fixed',
  several: 'inList',
  group: 'inGroup',
  field: 'onPage',
  cookie: 'ofCookie',
  json: 'asJson',
  pairs: 'asQuery',
  template: 'asText',
}

function rowValue(value: RowValue): Tree {
  if ('parameter' in value) return value.parameter
  if ('fixed' in value) return value
  const {page} = value
  if ('cookie' in page) return page
  const {selector: field, attribute} = page
  return {field, ...(attribute !== undefined && {attribute})}
}

type Gathered = Pick<SentRow, 'path' | 'name'> & {readonly value: Tree}

/** Rows, with those inside one text as one row in the place of the first. */
function gathered(rows: readonly SentRow[]): Gathered[] {
  const inner = Map.groupBy(rows, ({path, inside}, at) => (inside ? formatMemberPath(path) : at))
  return [...inner.values()].flatMap((same): Gathered[] => {
    const [first] = same
    if (first === undefined) return []
    const {name, path, inside, value} = first
    if (inside === undefined) return [{name, path, value: rowValue(value)}]
    const parts = same.flatMap(({inside, value}) =>
      inside ? [{path: inside.path, name: inside.member, value: rowValue(value)}] : [],
    )
    const text =
      inside.text === 'json'
        ? {json: bodyTree(parts)}
        : {pairs: parts.map(({name, value}): Pair => [name, textOf(value)])}
    return [{name, path, value: text}]
  })
}

type Branch = Map<string | number, Tree | Branch>

/** A tree of what is sent as JSON. */
function bodyTree(rows: readonly Pick<Gathered, 'path' | 'value'>[]): Tree {
  const root: Branch = new Map()
  for (const {path, value} of rows) {
    if (path.length === 0) return value
    let branch = root
    for (const [at, step] of path.entries()) {
      if (typeof step === 'symbol') continue
      if (at === path.length - 1) branch.set(step, value)
      else {
        const next = branch.get(step)
        const inner: Branch = next instanceof Map ? next : new Map()
        branch.set(step, inner)
        branch = inner
      }
    }
  }
  return treeOf(root)
}

function treeOf(branch: Branch): Tree {
  const members = [...branch].map(([step, one]) => [step, one instanceof Map ? treeOf(one) : one] as const)
  if (!members.some(([step]) => typeof step === 'number')) return {group: Object.fromEntries(members)}
  return {several: members.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, one]) => one)}
}
