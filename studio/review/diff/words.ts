import {type ActionKind, parseActionKind} from '../../../schemas/actions/action.ts'
import {ACTION_TITLES, describeAction, labelOfRow} from '../../../schemas/actions/describe.ts'
import {parseAction} from '../../../schemas/actions/parseAction.ts'
import {problemOfAction} from '../../../schemas/actions/problem.ts'
import {ANNOTATION_TITLES} from '../../../schemas/fields/annotations.ts'
import {
  describeTexts,
  nameOfLanguage,
  parseLanguageTexts,
} from '../../../schemas/rules/conditions/languageTexts.ts'
import {describeConditions, parseOfferedWhile} from '../../../schemas/rules/conditions/offeredWhile.ts'
import {ASK_TITLES} from '../../../schemas/rules/hints/askBefore.ts'
import {isRecord} from '../../../schemas/rules/json.ts'
import {DATE_PATTERN, kindOf} from '../../../schemas/rules/jsonSchema/parameterKind.ts'
import {REVIEW_TITLES} from '../../../schemas/site.ts'
import {KIND_TITLES} from '../../inputs/parameterKinds.ts'
import {readSchema, rowsOf} from '../../inputs/parameters/table.ts'
import type {FieldChange} from '../changes.ts'

/** A part of a field that changes, in words. Undefined: it is not there. */
export type WordRow = {
  /** Which part of the field. Empty: all of it. */
  readonly label: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** The parts of a value in words, by their labels. */
type Parts = ReadonlyMap<string, string>

/**
 * What changes in a field, in words. Undefined: the field is text or code, and is compared line by line. If the words
 * are the same, such as after a change of the order, there is one row with the values as JSON.
 * @param siteNames the names of sites by their ids
 */
export function wordRows(
  {field, before, after}: FieldChange,
  siteNames: ReadonlyMap<string, string>,
): WordRow[] | undefined {
  const [earlier, later] = [partsOf(field, before, siteNames), partsOf(field, after, siteNames)]
  if (earlier === undefined || later === undefined) return undefined
  const labels = [...new Set([...earlier.keys(), ...later.keys()])]
  const rows = labels
    .map((label) => ({label, before: earlier.get(label), after: later.get(label)}))
    .filter((row) => row.before !== row.after)
  return rows.length > 0 ? rows : [{label: 'As JSON', before: json(before), after: json(after)}]
}

function partsOf(field: string, value: unknown, siteNames: ReadonlyMap<string, string>): Parts | undefined {
  if (value === undefined || value === null) return new Map()
  switch (field) {
    case 'annotations':
      return isRecord(value) ? hintsOf(value) : undefined
    case 'inputSchema':
      return typeof value === 'string' ? parametersOf(value) : undefined
    case 'fields':
      return Array.isArray(value) ? formFieldsOf(value) : undefined
    case 'action':
      return whole(ACTION_TITLES[kindOfAction(value)])
    case 'request':
    case 'reading':
    case 'link':
      return actionParts(field, value)
    case 'offeredWhile':
      return conditionsOf(value)
    case 'texts':
      return textsOf(value)
    case 'pollInterval':
      return whole(`${Number(value).toLocaleString('en-US')} seconds`)
    case 'askBefore':
      return whole(ASK_TITLES.get(String(value)) ?? json(value))
    case 'review':
      return whole(REVIEW_TITLES.get(String(value)) ?? json(value))
    default:
      return simpleParts(value, siteNames)
  }
}

function kindOfAction(value: unknown): ActionKind {
  const kind = parseActionKind(value)
  return kind.ok ? kind.value : 'script'
}

/** The rows of an action; as JSON if it breaks a rule. */
function actionParts(field: string, value: unknown): Parts {
  const tool = {action: field, [field]: value}
  if (problemOfAction(tool) !== undefined) return whole(json(value))
  const action = parseAction(tool, undefined)
  return new Map(
    (action === undefined ? [] : describeAction(action)).map(({id, text}) => {
      const {title, part} = labelOfRow(id)
      return [part === undefined ? title : `${title} “${part}”`, text]
    }),
  )
}

function simpleParts(value: unknown, siteNames: ReadonlyMap<string, string>): Parts | undefined {
  if (typeof value === 'boolean') return whole(value ? 'Yes' : 'No')
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return whole(value.join('\n') || 'None')
  if (isRecord(value) && typeof value._ref === 'string') return whole(siteNames.get(value._ref) ?? value._ref)
  return undefined
}

const SETTINGS: ReadonlyMap<string, string> = new Map([
  ['auto', 'Auto: the name of the tool decides'],
  ['true', 'Yes'],
  ['false', 'No'],
])

function hintsOf(annotations: Record<string, unknown>): Parts {
  return new Map(
    Object.entries(annotations).map(([hint, setting]) => [
      ANNOTATION_TITLES.get(hint) ?? hint,
      SETTINGS.get(String(setting)) ?? json(setting),
    ]),
  )
}

function conditionsOf(value: unknown): Parts {
  const conditions = parseOfferedWhile(value)
  return conditions.ok ? new Map(describeConditions(conditions.value)) : whole(json(value))
}

function textsOf(value: unknown): Parts {
  const texts = parseLanguageTexts(value)
  if (!texts.ok) return whole(json(value))
  return new Map(
    texts.value.flatMap((entry) =>
      describeTexts(entry).map(([what, text]): [string, string] => [
        `${nameOfLanguage(entry.language)}, ${what}`,
        text,
      ]),
    ),
  )
}

function parametersOf(text: string): Parts | undefined {
  const schema = readSchema(text)
  if (schema === undefined) return undefined
  const {type, properties, required, ...others} = schema
  const rows = rowsOf(schema).map((row): [string, string] => [
    `Parameter “${row.name}”`,
    lines(
      `${KIND_TITLES[row.kind]}${row.required ? ', required' : ''}`,
      row.description,
      ...keywordsOf(row.schema),
    ),
  ])
  return new Map([
    ...rows,
    ...Object.entries(others).map(([name, value]): [string, string] => [name, json(value)]),
  ])
}

/** The keywords of a parameter that its kind and its description do not say. */
function keywordsOf(schema: unknown): string[] {
  const kind = kindOf(schema)
  if (!isRecord(schema) || kind === 'other' || kind === 'group') return [json(schema)]
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === 'type' || keyword === 'description') return []
    if (keyword === 'pattern' && value === DATE_PATTERN) return []
    if (keyword === 'items' && json(value) === '{"type":"string"}') return []
    if (keyword === 'enum' && Array.isArray(value)) return [`One of: ${value.map(String).join(', ')}`]
    return [`${keyword}: ${json(value)}`]
  })
}

function formFieldsOf(fields: readonly unknown[]): Parts | undefined {
  const parts = new Map<string, string>()
  for (const item of fields) {
    if (!isRecord(item) || typeof item.name !== 'string') return undefined
    const {name, title, description, _key, _type, ...others} = item
    const label = `Field “${name}”`
    if (parts.has(label)) return undefined
    const texts = [title, description].map((text) => (typeof text === 'string' ? text : ''))
    const rest = Object.entries(others).map(([key, value]) => `${key}: ${json(value)}`)
    parts.set(label, lines(...texts, ...rest) || 'No texts')
  }
  return parts
}

function whole(text: string): Parts {
  return new Map([['', text]])
}

function lines(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n')
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? ''
}
