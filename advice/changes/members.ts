import {type Declaration, describeField, parseField} from '../../schemas/document.ts'
import {pagesFieldOf, type ToolType} from '../../schemas/documents.ts'
import {counts, type Field} from '../../schemas/field.ts'
import type {Fields} from '../../schemas/record.ts'
import {type Row, textOf} from '../../schemas/rules/text.ts'

/** A part of a document that changes, in words. Undefined: it is not there. */
export type MemberChange = {
  readonly field: string
  /** What it is, and the name in it, such as that of a parameter. */
  readonly title: string
  readonly part?: string
  readonly before: string | undefined
  readonly after: string | undefined
}

type Member = Row & {readonly field: string}

/** The pattern of a tool or form tool. */
export function patternOf(type: ToolType, document: Fields): string {
  return textOf(document[pagesFieldOf(type)])
}

/** What people compare of a document, in words. Titles and hints that are not set are as visitors get them. */
export function membersOf(declaration: Declaration, document: Fields): Member[] {
  return comparedIn(declaration, document).flatMap((field) =>
    rowsOf(field, document).map((row) => ({...row, field: field.name, title: row.title || field.title})),
  )
}

function comparedIn({name: type, fields: all}: Declaration, document: Fields): Field[] {
  // Other settings of a site change nothing for visitors.
  const fields = type === 'site' ? all.filter(({isServed}) => isServed === true) : all
  return fields.filter(
    (field) => field.name !== 'enabled' && field.type !== 'reference' && counts(field, document),
  )
}

function rowsOf(field: Field, document: Fields): Row[] {
  const value = document[field.name]
  const parsed = parseField(field, document)
  if (!parsed.ok) return [{title: '', text: parsed.problem}]
  if (field.rows !== undefined) return field.rows(parsed.value, document)
  // As if they were not there.
  if (value === false || (Array.isArray(value) && value.length === 0)) return []
  return (
    describeField(field, field.choices ? parsed.value : value, document) ?? [{title: '', text: textOf(value)}]
  )
}

/** What differs in a document. @param before undefined: it is new */
export function compareDocuments(
  declaration: Declaration,
  before: Fields | undefined,
  after: Fields,
): MemberChange[] {
  const earlier = before === undefined ? [] : membersOf(declaration, before)
  const changes = compareMembers(earlier, membersOf(declaration, after))
  // Members of objects that have no words of their own are shown as JSON.
  const silent = comparedIn(declaration, after).flatMap((field): MemberChange[] => {
    const isNested = field.members !== undefined || field.entry?.members !== undefined
    if (before === undefined || !isNested || changes.some((change) => change.field === field.name)) return []
    const [was, is] = [before, after].map((document) => {
      const parsed = parseField(field, document)
      return parsed.ok ? JSON.stringify(parsed.value) : parsed.problem
    })
    return was === is ? [] : [{field: field.name, title: field.title, before: was, after: is}]
  })
  return [...changes, ...silent]
}

/** The members that differ, in the order in which they were first. */
function compareMembers(before: readonly Member[], after: readonly Member[]): MemberChange[] {
  const keyOf = ({field, title, part}: Member) => JSON.stringify([field, title, part])
  const [earlier, later] = [before, after].map((members) => new Map(members.map((one) => [keyOf(one), one])))
  const all = new Map([...(earlier ?? []), ...(later ?? [])])
  return [...all].flatMap(([key, {text: _, ...member}]) => {
    const change = {...member, before: earlier?.get(key)?.text, after: later?.get(key)?.text}
    return change.before === change.after ? [] : [change]
  })
}
