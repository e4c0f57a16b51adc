import {readingOf} from '../../actions/onPage.ts'
import {findDeep, readParts} from '../../actions/run/html/parts.ts'
import {readNow} from '../../actions/run/html/reading.ts'
import {chosenColumns, readTable, rowsOfAny} from '../../actions/run/html/tables.ts'
import type {ProposedPart} from '../../making/picked.ts'
import {isRecord} from '../../schemas/record.ts'

/** What an agent gets of parts of the page as it is. @throws Error with what the agent reads */
export function readPage(parts: readonly ProposedPart[]): unknown {
  return readNow(readingOf(parts))
}

/** What a tool reads of a part of the page, with a list as long as it is. */
export function readPart(part: ProposedPart, page = document): unknown {
  const call = readingOf([part])
  return readParts({...call, document: page})[part.name]
}

/** The headings of a table, by which its rows are returned; none if its first row is data. */
export function headingsOf({kind, selector}: ProposedPart): string[] {
  const element = kind === 'table' && findDeep(document, selector)[0]
  const rows: readonly unknown[] = element
    ? readTable(
        element,
        chosenColumns((name) => name),
        rowsOfAny,
      )
    : []
  return [...new Set(rows.flatMap((row) => (isRecord(row) ? Object.keys(row) : [])))]
}
