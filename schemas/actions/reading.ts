import type {Fields} from '../record.ts'
import {accept, BrokenRule, checked, type Parsed, parseDistinct} from '../rules/parsed.ts'
import {parseSelector} from '../rules/selector.ts'
import {
  INTO,
  namedEntriesOf,
  parseAttribute,
  parseLimit,
  parseName,
  parseOptionalText,
  parsePages,
  USUAL_PAGE_LIMIT,
} from './parts.ts'

const MOST_ROOTS = 6

/** Selectors of which each but the first finds something in the shadow root of what the one before finds: `my-app >>> .card`. */
function parseDeepSelector(value: unknown, isInEntry = false): Parsed<string> {
  const steps = typeof value === 'string' ? value.split(INTO) : []
  // “+ dd .author” is in the element after an entry.
  const isAfter = isInEntry && steps[0]?.startsWith('+ ')
  const after = isAfter ? parseSelector(String(value).replace('+', '*')) : undefined
  if (after) return after.ok ? accept(String(value)) : after
  if (steps.length < 2 || steps.length > MOST_ROOTS) return parseSelector(value)
  for (const [at, step] of steps.entries()) {
    if (isInEntry && at === 0 && step.trim() === '') continue
    const parsed = parseSelector(step.trim())
    if (!parsed.ok) return parsed
  }
  return accept(String(value))
}

/** Parts of the page that the tool returns. */
export type ReadingAction = ReturnType<typeof parseReading>

/** What is read of the elements that a selector finds. */
export const PART_KINDS = ['text', 'attribute', 'table', 'items', 'list', 'definitions', 'links'] as const

/** What is read of an element of an item: its text, where its link leads, or an attribute. */
export const FIELD_KINDS = ['text', 'address', 'attribute'] as const

/** A part of each item. `selector`: within the item; empty for the item itself. */
export type ItemField = ReturnType<typeof parseField>

export type Part = ReturnType<typeof parsePart>

const MAX_PARTS = 20
const MAX_COLUMNS = 50
const MAX_FIELDS = 20

export type Parts = readonly [Part, ...Part[]]

/** @throws BrokenRule */
export function parseReading(reading: Fields) {
  return {
    kind: 'reading' as const,
    parts: parseParts(reading.parts, 'reading.parts'),
    /** What the agent reads if the page has none of the parts. */
    nothing: checked('reading.nothing', parseOptionalText(reading.nothing, 'The text', 300)),
    /** Of lists, those that buttons under them load are read until there are so many. */
    pages: checked('reading.pages', parsePages(reading.pages)),
  }
}

/** @throws BrokenRule */
export function parseParts(value: unknown, list: string): Parts {
  const [first, ...others] = namedEntriesOf(value, list, 'The list of parts', MAX_PARTS, parsePart)
  if (first === undefined) throw new BrokenRule(list, 'The tool reads nothing: add a part of the page.')
  return [first, ...others]
}

function parseFields(value: unknown, field: string): ItemField[] {
  const fields = namedEntriesOf(value, field, 'The list of fields', MAX_FIELDS, parseField)
  if (fields.length === 0) throw new BrokenRule(field, 'Add what each entry has, such as its title.')
  return fields
}

function parseField(entry: Fields, field: string) {
  const name = checked(`${field}.name`, parseName(entry.name, 'The name of a field'))
  const isWhole = entry.selector === undefined || entry.selector === null || entry.selector === ''
  const selector = isWhole ? '' : checked(`${field}.selector`, parseDeepSelector(entry.selector, true))
  const kind = FIELD_KINDS.find((known) => known === entry.kind)
  switch (kind) {
    case 'text':
    case 'address':
      return {name, selector, kind}
    case 'attribute':
      return {name, selector, kind, attribute: checked(`${field}.attribute`, parseAttribute(entry.attribute))}
    default:
      throw new BrokenRule(`${field}.kind`, `Choose what “${name}” is: a text, an address, or an attribute.`)
  }
}

function parsePart(entry: Fields, field: string) {
  const name = checked(`${field}.name`, parseName(entry.name, 'The name of a part'))
  const selector = checked(`${field}.selector`, parseDeepSelector(entry.selector))
  const place = {name, selector}
  const limit = () => checked(`${field}.limit`, parseLimit(entry.limit, USUAL_PAGE_LIMIT))
  const kind = PART_KINDS.find((known) => known === entry.kind)
  switch (kind) {
    case 'text':
    case 'definitions':
      return {...place, kind}
    case 'attribute':
      return {...place, kind, attribute: checked(`${field}.attribute`, parseAttribute(entry.attribute))}
    case 'list':
    case 'links':
      return {...place, kind, limit: limit()}
    // Elements of one kind, such as cards: each becomes an object.
    case 'items':
      return {
        ...place,
        kind,
        fields: parseFields(entry.fields, `${field}.fields`),
        limit: limit(),
      }
    case 'table': {
      // The headings to keep; none: all.
      const columns = checked(`${field}.columns`, parseColumns(entry.columns))
      return {...place, kind, columns, limit: limit()}
    }
    default:
      throw new BrokenRule(
        `${field}.kind`,
        `Choose what “${name}” is: a text, an attribute, a table, a list with or without fields, definitions, or links.`,
      )
  }
}

function parseColumns(value: unknown): Parsed<string[]> {
  const parseHeading = (column: unknown) => parseName(column, 'The heading of a column')
  return parseDistinct(value, 'The columns', parseHeading, MAX_COLUMNS)
}
