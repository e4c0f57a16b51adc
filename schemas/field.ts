import type {Context} from './query.ts'
import {type Fields, isRecord} from './record.ts'
import {accept, type Parsed, refuse} from './rules/parsed.ts'
import type {Row} from './rules/text.ts'

/** A JSON Schema of draft-07, the one that editors complete best. */
export type JsonSchema = {readonly [keyword: string]: unknown}

/** What a form is shown with. */
type Shown = {readonly document?: Fields | undefined; readonly parent?: unknown; readonly value?: unknown}

/** What only Studio's form of a field says, as Sanity names it. */
type Form = {
  readonly group?: string
  readonly fieldset?: string
  readonly fieldsets?: readonly object[]
  readonly rows?: number
  readonly options?: object
  readonly to?: readonly {readonly type: string}[]
  readonly preview?: object
  readonly initialValue?: unknown
  readonly hidden?: (shown: Shown) => boolean
  readonly readOnly?: (shown: Shown) => boolean
}

/** A value that can be chosen, and what people read. */
type Choice = {readonly value: string; readonly title: string}

/** A member of an object in a document. A missing value is `undefined` or `null`. */
export type Member = {
  readonly name: string
  readonly type: 'string' | 'text' | 'number' | 'boolean' | 'datetime' | 'reference' | 'array' | 'object'
  readonly title: string
  readonly description?: string
  /** For those who write files: what the description, which is for forms, does not say. */
  readonly inFiles?: string
  readonly isRequired?: boolean
  /** Counts only while another member of the same object has one of these values; `null`: while it is missing. */
  readonly only?: {readonly member: string; readonly is: readonly (string | null)[]}
  readonly choices?: readonly Choice[]
  /** Of an object. */
  readonly members?: readonly Member[]
  /** Of a list. */
  readonly entry?: Entry
  /** Whether it is the name of a parameter of the tool, or a text with such names in braces: both follow a new name. */
  readonly names?: 'parameter' | 'in braces'
  /** What JSON Schema can say of the rule besides. */
  readonly schema?: JsonSchema
  readonly form?: Form
}

/** An entry of a list: an object with a type of its own, or a text. */
type Entry = {
  readonly type: string
  readonly title?: string
  readonly members?: readonly Member[]
  readonly schema?: JsonSchema
  readonly preview?: object
}

/** What a page gets of a field. */
type Answer<Value> = {
  /** The place of the member in the answer. Later ones come last, so that answers of before keep their bytes. */
  readonly at?: number
  /** Undefined: no member. Missing: the value. */
  as?(value: Value, document: Fields): unknown
}

/** A field of a document: all that it is. What knows fields is derived from this. */
export type Field<Name extends string = string, Value = unknown> = Member & {
  readonly name: Name
  /** Accepts a value, or refuses it with a sentence. */
  parse(value: unknown, document: Fields): Parsed<Value>
  /** What the rule is about and JSON Schema cannot say, as docs/git.md lists it. */
  readonly beyond?: readonly string[]
  /** What Studio finds out by asking the lake. */
  readonly checks?: readonly ((value: unknown, context: Context) => Promise<true | string>)[]
  /** The service reads it. Without, it is for people only, and a broken one removes nothing from pages. */
  readonly isServed?: true
  readonly answer?: Answer<Value>
  /** A change of it decides which code runs, where, or for whom: a review of scripts counts it. */
  readonly decidesCode?: true
  /** A page may hand it over to Studio, in a tool that somebody shows there. */
  readonly isHandedOver?: true
  /** In content repositories its text has a file of its own, with this extension. */
  readonly file?: string
  /** What people compare. Missing: a choice, a number or a switch in one row, a text line by line. */
  rows?(value: Value, document: Fields): Row[]
}

/** Declares a field. */
export function field<const Name extends string, Value>(declared: Field<Name, Value>): Field<Name, Value> {
  return declared
}

/** What a member of an object can say besides its name, type and title. */
type More = Partial<Omit<Member, 'name' | 'type' | 'title' | 'description'>>

/** A member of which the name is known. */
type Named<Name extends string> = Member & {readonly name: Name}

/** A line of text. */
export function line<const Name extends string>(
  name: Name,
  title: string,
  description?: string,
  more: More = {},
): Named<Name> {
  return {name, type: 'string', title, ...(description && {description}), ...more}
}

/** Several lines of text. */
export function lines<const Name extends string>(
  name: Name,
  title: string,
  rows: number,
  description?: string,
  {form, ...more}: More = {},
): Named<Name> {
  return {name, type: 'text', title, ...(description && {description}), ...more, form: {rows, ...form}}
}

/** A choice of values, which have titles for people. */
export function choice<Value extends string>(
  name: string,
  title: string,
  titles: Readonly<Record<Value, string>>,
  {form, ...more}: More & {readonly description?: string} = {},
): Member {
  const options = {layout: 'dropdown', direction: 'vertical', ...form?.options}
  return {name, type: 'string', title, choices: choicesOf(titles), ...more, form: {...form, options}}
}

/** Values and their titles. */
export function choicesOf<Value extends string>(titles: Readonly<Record<Value, string>>): Choice[] {
  return Object.entries<string>(titles).map(([value, title]) => ({value, title}))
}

/** A group of fields that a form shows when somebody asks for it. Studio also opens that of a tool if it has a value. */
export function folded(name: string, title: string, description?: string) {
  return {name, title, ...(description && {description}), options: {collapsible: true, collapsed: true}}
}

/** A list of objects. */
export function list<const Name extends string>(
  name: Name,
  title: string,
  entry: Entry,
  description?: string,
  more: More = {},
): Named<Name> {
  return {name, type: 'array', title, ...(description && {description}), entry, ...more}
}

/** An object with members, such as an entry of a list. */
export function entry(type: string, title: string, members: readonly Member[], preview?: object): Entry {
  return {type, title, members, ...(preview && {preview})}
}

/** A member with its rule. @param of what it belongs to, as problems name it: `of the test “Finds ropes”` */
type Ruled<Name extends string = string, Value = unknown> = Named<Name> & {
  parse(value: unknown, of: string): Parsed<Value>
}

/** Declares a member with its rule. */
export function ruled<const Name extends string, Value>(
  member: Named<Name>,
  parse: (value: unknown, of: string) => Parsed<Value>,
): Ruled<Name, Value> {
  return {...member, parse}
}

type ValueOf<One extends Ruled> = One extends Ruled<string, infer Value> ? Value : never

/** The values of members. Those that may be undefined may be missing. */
export type ValuesOf<Members extends readonly Ruled[]> = {
  readonly [One in Members[number] as undefined extends ValueOf<One> ? never : One['name']]: ValueOf<One>
} & {
  readonly [One in Members[number] as undefined extends ValueOf<One> ? One['name'] : never]?: Exclude<
    ValueOf<One>,
    undefined
  >
}

/**
 * The values of an object by the rules of its members.
 * @param missing what is said of something that is not an object
 * @param of what the first member belongs to. The others belong to what `label` makes of its value.
 */
export function parseMembers<const Members extends readonly Ruled[]>(
  members: Members,
  value: unknown,
  {missing, of = '', label = () => of}: {missing: string; of?: string; label?: (first: unknown) => string},
): Parsed<ValuesOf<Members>> {
  if (!isRecord(value)) return refuse(missing)
  // TypeScript knows no names of what a loop collects.
  const values: unknown[][] = []
  let whose = of
  for (const [at, member] of members.entries()) {
    const parsed = member.parse(value[member.name], whose)
    if (!parsed.ok) return parsed
    if (at === 0) whose = label(parsed.value)
    if (parsed.value !== undefined) values.push([member.name, parsed.value])
  }
  return accept(Object.fromEntries(values))
}

/** Counts only for these kinds of an object. */
export function onlyFor(...is: readonly string[]): Pick<Member, 'only'> {
  return {only: {member: 'kind', is}}
}

/** Whether a member counts, as the other members of its object are. */
export function counts({only}: Member, others: Fields): boolean {
  if (only === undefined) return true
  const value = others[only.member] ?? null
  return only.is.some((one) => one === value)
}

/** A rule for a switch, which is off if it is missing. */
export function parseSwitch(value: unknown): Parsed<boolean> {
  if (value === undefined || value === null) return accept(false)
  if (typeof value === 'boolean') return accept(value)
  return refuse('The value must be true or false, without quotation marks.')
}

const KINDS = {
  string: 'text',
  text: 'text',
  datetime: 'text',
  number: 'a number',
  boolean: 'true or false, without quotation marks',
  array: 'a list',
  object: 'an object',
  reference: 'a reference',
}

/**
 * What is wrong with a value that a rule accepts without looking at all of it: it is not what the declaration says.
 * @param isCounting of one that does not count, only the kinds are wrong: Studio refuses these, too
 */
export function misfit(member: Member, value: unknown, isCounting = true): Parsed<unknown> {
  if (value === undefined || value === null)
    return member.isRequired && isCounting ? refuse(`“${member.title}” is missing.`) : accept(value)
  const {type, title, choices, members, entry} = member
  if (!isOfType(type, value)) return refuse(`“${title}” must be ${KINDS[type]}.`)
  if (choices?.every((known) => known.value !== value))
    return refuse(`“${title}” must be one of: ${choices.map((known) => known.value).join(', ')}.`)
  if (members !== undefined && isRecord(value)) return misfitInside(members, value, isCounting)
  if (entry === undefined || !Array.isArray(value)) return accept(value)
  for (const [at, one] of value.entries()) {
    const isFit = entry.members === undefined ? typeof one === 'string' : isRecord(one)
    if (!isFit)
      return refuse(`“${title}” has an entry that is not ${entry.members ? 'an object' : 'text'}.`, [at])
    const inside = isRecord(one) ? misfitInside(entry.members ?? [], one, isCounting) : accept(one)
    if (!inside.ok) return refuse(inside.problem, [at, ...(inside.path ?? [])])
  }
  return accept(value)
}

function misfitInside(members: readonly Member[], value: Fields, isCounting: boolean): Parsed<unknown> {
  for (const member of members) {
    const inside = misfit(member, value[member.name], isCounting && counts(member, value))
    if (!inside.ok) return refuse(inside.problem, [member.name, ...(inside.path ?? [])])
  }
  return accept(value)
}

function isOfType(type: Member['type'], value: unknown): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object' || type === 'reference') return isRecord(value)
  return typeof value === (type === 'text' || type === 'datetime' ? 'string' : type)
}
