import {counts, type Field, folded, type Member, misfit} from './field.ts'
import {type Fields, isRecord} from './record.ts'
import {accept, BrokenRule, type Parsed, refuse} from './rules/parsed.ts'
import {type Row, textOf} from './rules/text.ts'

/** A type of documents: its fields, and what only forms and lists of Studio say. */
export type Declaration = {
  readonly name: string
  readonly title: string
  readonly fields: readonly Field[]
  readonly form: object
}

/** What is wrong in a document: the field, or a part of it such as `request.query.0.name`, and a sentence. */
export type Problem = {readonly field: string; readonly problem: string}

/** A field that forms show in another group. */
export function inGroup<F extends Field>(group: string, field: F): F {
  return {...field, form: {...field.form, group}}
}

/** Where forms show other languages. */
export const LANGUAGES = folded('languages', 'Languages')

/** The value of a field, or what is wrong with it. */
export function parseField<Value>(field: Field<string, Value>, document: Fields): Parsed<Value> {
  const value = document[field.name]
  const parsed = field.parse(value, document)
  if (!parsed.ok) return parsed
  const fit = misfit(field, value)
  return fit.ok ? parsed : fit
}

/** The value of a field that counts in this document, or what is wrong with it. */
export function judgeField(field: Field, document: Fields): Parsed<unknown> {
  return counts(field, document) ? parseField(field, document) : misfit(field, document[field.name], false)
}

/** All that is wrong in a document, in the order of its fields. */
export function problemsIn({fields}: Declaration, document: Fields): Problem[] {
  return fields.flatMap((field) => {
    const parsed = judgeField(field, document)
    return parsed.ok ? [] : [{field: [field.name, ...(parsed.path ?? [])].join('.'), problem: parsed.problem}]
  })
}

/**
 * Parses what the service reads of a document.
 * @throws BrokenRule for the first field that breaks a rule
 */
export function parseDocument({fields}: Declaration, document: Fields): Fields {
  const served = fields.filter((field) => field.isServed === true)
  return Object.fromEntries(
    served.flatMap((field) => {
      const parsed = judgeField(field, document)
      if (parsed.ok) return counts(field, document) ? [[field.name, parsed.value]] : []
      throw new BrokenRule([field.name, ...(parsed.path ?? [])].join('.'), parsed.problem)
    }),
  )
}

/**
 * What pages get of a document, in the order of the answer. JSON leaves out what is undefined.
 * @param values its parsed values, by the names of its fields
 */
export function answerOf(declaration: Declaration, values: Fields, document: Fields): Fields {
  const answered = ANSWERED.get(declaration) ?? answeredIn(declaration)
  ANSWERED.set(declaration, answered)
  const members = answered.map(({name, answer}) => {
    const value = values[name]
    return [name, answer?.as === undefined ? value : answer.as(value, document)]
  })
  return Object.fromEntries(members)
}

/** The fields that pages get, in the order of the answer. To sort them again would be a tenth of the cost of a tool. */
const ANSWERED = new WeakMap<Declaration, readonly Field[]>()

function answeredIn({fields}: Declaration): Field[] {
  const place = ({answer}: Field) => answer?.at ?? fields.length
  return fields.filter(({answer}) => answer !== undefined).sort((a, b) => place(a) - place(b))
}

/** A member that no declaration knows, with the path to it. */
type UnknownMember = {readonly field: string; readonly meant: string | undefined}

/** The members of a document that are not declared, at any depth. Those of the lake begin with "_". */
export function unknownMembers({fields}: Declaration, document: Fields): UnknownMember[] {
  return unknownIn(fields, document, '')
}

function unknownIn(members: readonly Member[], value: Fields, at: string): UnknownMember[] {
  const names = members.map(({name}) => name)
  const own = Object.keys(value)
    .filter((name) => !name.startsWith('_') && !names.includes(name))
    .map((name) => ({field: `${at}${name}`, meant: nearest(name, names)}))
  const inside = members.flatMap((member) => {
    const inner = counts(member, value) ? value[member.name] : undefined
    const path = `${at}${member.name}.`
    // All members of a reference begin with "_".
    const declared = member.type === 'reference' ? [] : member.members
    if (declared !== undefined && isRecord(inner)) return unknownIn(declared, inner, path)
    const entries = member.entry?.members
    if (entries === undefined || !Array.isArray(inner)) return []
    return inner.flatMap((one: unknown, index) =>
      isRecord(one) ? unknownIn(entries, one, `${path}${index}.`) : [],
    )
  })
  return [...own, ...inside]
}

/**
 * Refuses an object with a member that is not declared: ignored, it would change for whom, or how, a tool is offered.
 * @param what such a member is
 */
export function refuseUnknown(members: readonly Member[], value: unknown, what: string): Parsed<unknown> {
  const names = members.map(({name}) => name)
  const unknown = Object.keys(isRecord(value) ? value : {}).find(
    (name) => !name.startsWith('_') && !names.includes(name),
  )
  if (unknown === undefined) return accept(value)
  const meant = nearest(unknown, names)
  const advice = meant === undefined ? `write one of ${names.join(', ')}.` : `did you mean “${meant}”?`
  return refuse(`There is no ${what} “${unknown}”: ${advice}`, [unknown])
}

/** The name that somebody probably meant. */
function nearest(typed: string, names: readonly string[]): string | undefined {
  const most = typed.length < 4 ? 1 : 2
  const [best] = names
    .filter(({length}) => Math.abs(typed.length - length) <= most)
    .map((name) => ({name, edits: editsBetween(typed.toLowerCase(), name.toLowerCase())}))
    .filter(({edits}) => edits <= most)
    .sort((a, b) => a.edits - b.edits)
  return best?.name
}

/** https://en.wikipedia.org/wiki/Levenshtein_distance */
function editsBetween(one: string, other: string): number {
  let row = Array.from({length: other.length + 1}, (_, at) => at)
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1]
    for (const [at, wanted] of [...other].entries())
      next.push(
        Math.min((next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1, (row[at] ?? 0) + (letter === wanted ? 0 : 1)),
      )
    row = next
  }
  return row.at(-1) ?? 0
}

/** The declared members of a value that somebody hands over, with a type and a key for each entry of their lists, as Sanity needs them. */
export function taken(members: readonly Member[], value: Fields): Fields {
  return Object.fromEntries(
    members.flatMap(({name, members: inside, entry}) => {
      const given = value[name]
      if (given === undefined) return []
      if (inside !== undefined) return isRecord(given) ? [[name, taken(inside, given)]] : []
      if (entry?.members === undefined) return [[name, given]]
      const {type, members: ofEntry} = entry
      const entries = Array.isArray(given)
        ? given.filter(isRecord).map((one) => taken(ofEntry, one))
        : undefined
      return entries === undefined ? [] : [[name, withKeys(type, entries)]]
    }),
  )
}

/** Sanity finds entries of a list by their keys. */
function withKeys(type: string, entries: readonly object[]): object[] {
  return entries.map((entry, at) => ({_key: `${type}${at + 1}`, _type: type, ...entry}))
}

/**
 * The value of a field in words. Undefined: it is a text, which people compare line by line.
 * @param document as far as it is known: a name decides about titles and hints
 */
export function describeField(field: Field, value: unknown, document: Fields): Row[] | undefined {
  if (value === undefined || value === null) return []
  const parsed = parseField(field, {...document, [field.name]: value})
  if (parsed.ok && field.rows !== undefined) return field.rows(parsed.value, document)
  const whole = wordsFor(field, value)
  if (whole !== undefined) return [{title: '', text: whole}]
  return typeof value === 'string' ? undefined : [{title: '', text: JSON.stringify(value)}]
}

function wordsFor({choices}: Member, value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join('\n') || 'None'
  return choices?.find((one) => one.value === value)?.title ?? (choices && JSON.stringify(value))
}

/**
 * How lists order and show tools or form tools.
 * @param place the field with the pages
 */
export function listing(place: 'pathPattern' | 'pagePath', title: string) {
  return {
    orderings: [
      {name: 'name', title: 'Name', by: [{field: 'name', direction: 'asc'}]},
      {name: 'lastEdited', title: 'Last edited', by: [{field: '_updatedAt', direction: 'desc'}]},
      {name: place, title, by: [{field: place, direction: 'asc'}]},
    ],
    preview: {
      select: {
        name: 'name',
        place,
        enabled: 'enabled',
        siteName: 'site.name',
        siteEnabled: 'site.enabled',
      },
      prepare: describeTool,
    },
  }
}

/**
 * A tool in lists, with a line such as `Off · /cart · Harbour Supply` under its name. Lists cut it off at its end, so the
 * most important part comes first.
 */
function describeTool({name, place, enabled, siteName, siteEnabled}: Record<string, unknown>) {
  const state = enabled !== true ? 'Off' : siteEnabled === false ? 'Site off' : ''
  const parts = [state, place || 'No pages yet', siteName]
  return {
    title: textOf(name),
    subtitle: parts.filter((part) => typeof part === 'string' && part !== '').join(' · '),
  }
}
