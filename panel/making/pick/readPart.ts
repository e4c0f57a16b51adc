import {MAX_TEXT} from '../../../actions/code/reading.ts'
import type {ProposedField, ProposedPart} from '../../../making/picked.ts'
import {USUAL_PAGE_LIMIT} from '../../../schemas/actions/parts/names.ts'
import {isRecord} from '../../../schemas/record.ts'
import {
  all,
  definitionsOf,
  entriesOf,
  entryText,
  first,
  inItem,
  isShown,
  linksIn,
  rowsOf,
  textOf,
} from '../reading.generated.ts'

/** What an agent gets of a part of the page. */
export function readPart({kind, selector, columns, fields = []}: ProposedPart): unknown {
  switch (kind) {
    case 'text':
      return first(selector, textOf)?.slice(0, MAX_TEXT)
    case 'table':
      return first(selector, (element: Element) => rowsOf(element, USUAL_PAGE_LIMIT, columns))
    case 'list':
      return all(selector).flatMap(entriesOf).filter(isShown).slice(0, USUAL_PAGE_LIMIT).map(entryText)
    case 'items':
      return all(selector)
        .filter(isShown)
        .slice(0, USUAL_PAGE_LIMIT)
        .map((item: Element) =>
          Object.fromEntries(fields.map((field) => [field.name, readField(item, field)])),
        )
    case 'definitions':
      return first(selector, definitionsOf)
    case 'links':
      return all(selector).flatMap(linksIn).slice(0, USUAL_PAGE_LIMIT)
  }
}

function readField(item: Element, {selector, kind, attribute = ''}: ProposedField): unknown {
  const read = {
    text: selector === '' ? entryText : textOf,
    address: (element: Element) => ('href' in element ? element.href : null),
    attribute: (element: Element) => element.getAttribute(attribute),
  }
  return inItem(item, selector, read[kind])
}

/** Ends the name of a column with what links of another one lead to (actions/code/reading.ts). */
export const ADDRESS = ' (address)'

/** The headings of a table, by which its rows are returned; none if its first row is data. */
export function headingsOf(part: ProposedPart): string[] {
  const rows: unknown =
    part.kind === 'table' &&
    first(part.selector, (element: Element) => rowsOf(element, USUAL_PAGE_LIMIT, undefined, true))
  const list: readonly unknown[] = Array.isArray(rows) ? rows : []
  return [...new Set(list.flatMap((row) => (isRecord(row) ? Object.keys(row) : [])))]
}
