import {type Kind, kindOf} from '../schemas/rules/jsonSchema/parameterKind.ts'
import {isObject, membersOf} from '../snippet/members.ts'

/** A parameter that a person fills in. */
export type Field = {
  readonly name: string
  readonly kind: Kind
  readonly description: string
  readonly isRequired: boolean
  /** What can be chosen, of the kind `choice`. */
  readonly choices: readonly unknown[]
  readonly examples: readonly string[]
  /** The text that is there at first. */
  readonly initial: string
  /** The members, of the kind `group`. */
  readonly fields: readonly Field[]
}

/** What was typed, by the names that lead to a field, such as `address.city`. */
export type Typed = Readonly<Record<string, string>>

/** The arguments that were typed, or what is wrong with a field. */
type Read =
  | {readonly ok: true; readonly args: Record<string, unknown>}
  | {readonly ok: false; readonly at: string; readonly problem: string}

/** The fields of a tool's input schema. */
export function fieldsOf(schema: unknown): Field[] {
  const {properties, required} = membersOf(schema)
  return Object.entries(membersOf(properties)).map(([name, property]) => {
    const {description, title, default: initial, examples, enum: listed} = membersOf(property)
    const choices = Array.isArray(listed) ? listed : []
    const isChoice = choices.length > 0 && !choices.some(isObject)
    const kind = isChoice ? 'choice' : kindOf(property)
    return {
      name,
      kind,
      description: String(description ?? title ?? ''),
      isRequired: Array.isArray(required) && required.includes(name),
      choices,
      examples: Array.isArray(examples) ? examples.map((example) => show(kind, example)) : [],
      initial: initial === undefined ? '' : show(kind, initial),
      fields: kind === 'group' ? fieldsOf(property) : [],
    }
  })
}

/** The text for a value in the input of a kind. */
export function show(kind: Kind, value: unknown): string {
  if (kind === 'texts' && Array.isArray(value)) return value.join('\n')
  return typeof value === 'string' && kind !== 'other' ? value : JSON.stringify(value, null, 2)
}

/** Reads what was typed. Fields without a text are left out. */
export function readFields(fields: readonly Field[], typed: Typed, above = ''): Read {
  const args: Record<string, unknown> = {}
  for (const field of fields) {
    const at = above + field.name
    const value = readField(field, typed, at)
    if (!value.ok) return value
    if (value.value !== undefined) args[field.name] = value.value
    else if (field.isRequired) return {ok: false, at, problem: 'This parameter is required.'}
  }
  return {ok: true, args}
}

type Value = {readonly ok: true; readonly value: unknown} | Extract<Read, {ok: false}>

function readField(field: Field, typed: Typed, at: string): Value {
  const {kind, choices, fields} = field
  const text = typed[at] ?? field.initial
  if (kind === 'group') {
    // An optional group without any text is left out, with what it requires.
    if (!field.isRequired && !isTouched(fields, typed, `${at}.`)) return {ok: true, value: undefined}
    const inner = readFields(fields, typed, `${at}.`)
    return inner.ok ? {ok: true, value: inner.args} : inner
  }
  if (text.trim() === '') return {ok: true, value: undefined}
  switch (kind) {
    case 'number':
    case 'integer':
      return Number.isFinite(Number(text))
        ? {ok: true, value: Number(text)}
        : {ok: false, at, problem: 'This is not a number.'}
    case 'boolean':
      return {ok: true, value: text === 'true'}
    case 'choice':
      return {ok: true, value: choices.find((choice) => show(kind, choice) === text) ?? text}
    case 'texts':
      return {ok: true, value: text.split('\n').filter((line) => line.trim() !== '')}
    case 'other':
      try {
        return {ok: true, value: JSON.parse(text)}
      } catch {
        return {ok: false, at, problem: 'This is not valid JSON.'}
      }
    default:
      return {ok: true, value: text}
  }
}

function isTouched(fields: readonly Field[], typed: Typed, above: string): boolean {
  return fields.some(
    (field) =>
      (typed[above + field.name] ?? field.initial).trim() !== '' ||
      isTouched(field.fields, typed, `${above}${field.name}.`),
  )
}
