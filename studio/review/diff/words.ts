import {describeField} from '../../../schemas/document.ts'
import type {Field} from '../../../schemas/field.ts'
import {DECLARATIONS} from '../../../schemas/index.ts'
import {isRecord} from '../../../schemas/record.ts'
import type {FieldChange} from '../changes.ts'

/** A part of a field that changes, in words. Undefined: it is not there. */
export type WordRow = {
  /** Which part of the field. Empty: all of it. */
  readonly label: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** No field of one type has the name of one that is described in other words. */
const FIELDS: ReadonlyMap<string, Field> = new Map(
  DECLARATIONS.flatMap(({fields}) => fields.map((field) => [field.name, field])),
)

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
  const json = (value: unknown) => JSON.stringify(value) ?? ''
  return rows.length > 0 ? rows : [{label: 'As JSON', before: json(before), after: json(after)}]
}

function partsOf(
  name: string,
  value: unknown,
  siteNames: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> | undefined {
  if (isRecord(value) && typeof value._ref === 'string')
    return new Map([['', siteNames.get(value._ref) ?? value._ref]])
  const field = FIELDS.get(name)
  // An action is described by the field of its name.
  const rows = field && describeField(field, value, {action: name})
  return (
    rows &&
    new Map(rows.map(({title, part, text}) => [part === undefined ? title : `${title} “${part}”`, text]))
  )
}
