import {MAX_TEXT} from '../../../../schemas/actions/code/reading.ts'
import {USUAL_PAGE_LIMIT} from '../../../../schemas/actions/parts/names.ts'
import type {ProposedPart} from '../../../../schemas/making/picked.ts'
import {all, definitionsOf, entriesOf, first, isShown, linksIn, rowsOf, textOf} from './reading.generated.ts'

/** What an agent gets of a part of the page. */
export function readPart({kind, selector, columns}: ProposedPart): unknown {
  switch (kind) {
    case 'text':
      return first(selector, textOf)?.slice(0, MAX_TEXT)
    case 'table':
      return first(selector, (element: Element) => rowsOf(element, USUAL_PAGE_LIMIT, columns))
    case 'list':
      return all(selector).flatMap(entriesOf).filter(isShown).slice(0, USUAL_PAGE_LIMIT).map(textOf)
    case 'definitions':
      return first(selector, definitionsOf)
    case 'links':
      return all(selector).flatMap(linksIn).slice(0, USUAL_PAGE_LIMIT)
  }
}

/** The headings of a table, by which its rows are returned; none if its first row is data. */
export function headingsOf(part: ProposedPart): string[] {
  const {columns: _, ...whole} = part
  const rows = part.kind === 'table' ? readPart(whole) : []
  const [row]: unknown[] = Array.isArray(rows) ? rows : []
  return typeof row === 'object' && row !== null && !Array.isArray(row) ? Object.keys(row) : []
}
