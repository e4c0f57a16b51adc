import {readingOf} from '../../actions/onPage.ts'
import {findDeep, readOne} from '../../actions/run/html/parts.ts'
import {resultOf} from '../../actions/run/html/reading.ts'
import {chosenColumns, readTable, rowsOfAny} from '../../actions/run/html/tables.ts'
import type {ProposedPart} from '../../making/picked.ts'
import {type Fields, isRecord} from '../../schemas/record.ts'

/** What an agent gets of parts of the page as it is. @throws Error with what the agent reads */
export function readPage(parts: readonly ProposedPart[]): unknown {
  const call = readingOf(parts)
  const found = call.parts.map((part) => [part.name, readOne(part, call)] as const)
  return resultOf(call, Object.fromEntries(found))
}

/** What a tool reads of a part of the page, with a list as long as it is. */
export function readPart(part: ProposedPart, page = document): unknown {
  const call = {...readingOf([part]), document: page}
  return call.parts.map((one) => readOne(one, call))[0]
}

/** The headings of a table, by which its rows are returned; none if its first row is data. */
export function headingsOf({kind, selector}: ProposedPart): string[] {
  const [element] = kind === 'table' ? findDeep(document, selector) : []
  return element ? namesIn(rowsHere(element)) : []
}

/** The rows of a table as objects, also with where links lead; none of a table without headings. */
export function rowsHere(table: Element): Fields[] {
  const all = chosenColumns((name) => name)
  return readTable(table, all, rowsOfAny).filter(isRecord)
}

/** The names of members that objects have. */
export function namesIn(rows: readonly Fields[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))]
}
