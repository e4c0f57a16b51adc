import {MAX_CHARACTERS, MAX_COLUMNS, MAX_HEADS, MAX_ROWS} from '../bounds.ts'
import {isShown, textOf} from './texts.ts'

/** Finds tables, and grids of scripts, which are boxes with roles. */
export const TABLE = 'table, [role=table], [role=grid], [role=treegrid]'

/** Ends the name of a column with where the links of another one lead. */
export const ADDRESS = ' (address)'

const FIELD = 'select, textarea, input:not([type=hidden], [type=password], [type=checkbox], [type=radio])'

const CELL = '[role=cell], [role=gridcell], [role=rowheader], [role=columnheader]'

type Row = {readonly row: Element; readonly own: readonly Element[]; readonly cells: (Element | undefined)[]}

/**
 * The rows of a table as objects, by the headings of its columns; without headings, as lists. A cell that spans several is in each of them.
 * Those that are not read are null: they are only counted.
 * @param keptAs the name that a column gets, or the column of where its links lead; empty: none
 */
export function readTable(
  element: Element,
  keptAs: (name: string) => string,
): (string[] | Record<string, string> | null)[] {
  const all = rowsIn(element.closest(TABLE) ?? element.querySelector(TABLE))
  const grid = gridOf(all)
  const known = new Map<Element | undefined, readonly [text: string, link?: HTMLAnchorElement | null]>()
  // Each cell is read once.
  const readOf = (cell: Element | undefined) => {
    const read = known.get(cell) ?? (cell ? [cellText(cell), cell.querySelector('a[href]')] : [''])
    known.set(cell, read)
    return read
  }
  const textIn = (cell: Element | undefined) => readOf(cell)[0]
  // The corner above the labels of rows may be an empty cell.
  const isHead = ({own}: Row) =>
    own.length > 0 &&
    own.every((cell, at) => cell.matches('th, thead td, [role=columnheader]') || !(at || textIn(cell)))
  const data = grid.findIndex((one) => !isHead(one))
  const heads = grid.slice(0, data < 0 ? 1 : Math.min(data, MAX_HEADS))
  // A button over the whole table loads more of it, and some tables have their headings again at the end.
  const isRow = (one: Row) =>
    isShown(one.row) &&
    !one.row.matches('[aria-hidden=true], :has(> [colspan]:only-child button)') &&
    !(isHead(one) && one.row.closest('tfoot'))
  const rows = grid.slice(heads.length).filter(isRow)
  let left = MAX_CHARACTERS
  // A long text may be in each row.
  const counted = <T extends object>(read: T[]) => [
    ...read.map((row) => {
      if (left > 0) left -= JSON.stringify(row).length
      return left > 0 ? row : null
    }),
    ...all.slice(MAX_ROWS).map(() => null),
  ]
  if (heads.length === 0) return counted(rows.map(({cells}) => Array.from(cells, textIn)))
  const width = Math.max(...heads.map(({cells}) => cells.length))
  // A heading over the whole table is its title.
  const headings = Array.from({length: width}, (_, at) => {
    const above = heads
      .map(({cells}) => cells[at])
      .filter((cell) => cell && (heads.length === 1 || columnsOf(cell) < width))
    return [...new Set(above)].map(textIn).filter(Boolean).join(' ')
  })
  // Boxes to tick, and empty columns, say nothing.
  const said = Array.from({length: MAX_COLUMNS}, (_, at) =>
    headings[at]
      ? !heads.some(({cells}) => cells[at]?.querySelector('[type=checkbox]'))
      : rows.some(({cells}) => textIn(cells[at])),
  )
  const nameOf = (at: number) =>
    headings[at] && headings.indexOf(headings[at]) === at ? headings[at] : `Column ${at + 1}`
  return counted(
    rows
      .map(({cells}) => {
        const row: Record<string, string> = Object.create(null)
        for (const [at, cell] of [...cells].entries()) {
          const [text, link] = readOf(cell)
          const name = keptAs(nameOf(at))
          const address = keptAs(nameOf(at) + ADDRESS)
          if (name && said[at]) row[name] = text
          if (address && link?.href) row[address] = link.href
        }
        return row
      })
      .filter((row) => Object.keys(row).length > 0),
  )
}

function columnsOf(cell: Element): number {
  return Object(cell).colSpan ?? 1
}

function gridOf(all: ReturnType<typeof rowsIn>): Row[] {
  const grid = all
    .slice(0, MAX_ROWS)
    .map(([row, own]): Row => ({row, own: own.slice(0, MAX_COLUMNS), cells: []}))
  const widest = Math.max(...grid.map(({own}) => own.length))
  for (const [y, {own, cells}] of grid.entries()) {
    for (const cell of own) {
      const x = [...cells, undefined].indexOf(undefined)
      if (x === MAX_COLUMNS) break
      const end = Math.max(x + 1, Math.min(x + columnsOf(cell), widest))
      const height = (Object(cell).rowSpan ?? 1) || grid.length
      for (const {cells} of grid.slice(y, y + height)) for (let at = x; at < end; at += 1) cells[at] = cell
    }
  }
  return grid
}

function isTable(table: Element): table is HTMLTableElement {
  return 'rows' in table
}

/** Columns of a grid that stand still have rows of their own. */
function rowsIn(table: Element | null): [row: Element, cells: Element[]][] {
  if (table === null) return []
  if (isTable(table)) return Array.from(table.rows, (row) => [row, [...row.cells]])
  const rows = Map.groupBy(table.querySelectorAll('[role=row]'), (row) => row.ariaRowIndex ?? row)
  // Each cell is in one row. What is in a cell is its text.
  const cellsOf = Map.groupBy(table.querySelectorAll(CELL), (cell) =>
    table.contains(cell.parentElement?.closest(CELL) ?? null) ? undefined : cell.closest('[role=row]'),
  )
  return [...rows.values()].flatMap((same): [Element, Element[]][] => {
    const [row] = same
    const cells = same.flatMap((row) => cellsOf.get(row) ?? [])
    return row && cells.length > 0
      ? [[row, cells.sort((one, other) => Number(one.ariaColIndex) - Number(other.ariaColIndex))]]
      : []
  })
}

/** An icon or a picture says its label, and a field what is in it. */
function cellText(cell: Element): string {
  const field = cell.querySelector<HTMLSelectElement | HTMLInputElement | HTMLTextAreaElement>(FIELD)
  const text = textOf(cell)
  if (field && 'selectedOptions' in field) return field.selectedOptions[0]?.text ?? field.value
  if (field && !text) return field.value
  return (
    text ||
    Array.from(
      cell.querySelectorAll('[alt], [aria-label]'),
      (element) => element.ariaLabel || element.getAttribute('alt'),
    ).join(' ')
  )
}
