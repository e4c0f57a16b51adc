import {MAX_COLUMNS, MAX_HEADS, MAX_READ, MAX_ROWS} from '../bounds.ts'
import {isShown, textOf} from './texts.ts'

/** Finds tables, and grids of scripts, which are boxes with roles. */
export const TABLE = 'table, [role=table], [role=grid], [role=treegrid]'

/** Ends the name of a column with where the links of another one lead. */
export const ADDRESS = ' (address)'

/** What people fill in. */
export const FIELD =
  'select, textarea, input:not([type=hidden], [type=password], [type=checkbox], [type=radio])'

const CELL = '[role=cell], [role=gridcell], [role=rowheader], [role=columnheader]'

/** A row, its own cells, and those that stand in its columns, which may be of rows above. */
type Row = {readonly row: Element; readonly own: readonly Element[]; readonly across: (Element | undefined)[]}

/** The members that a row gets of a cell. @param text undefined: the column says nothing */
type MembersOf = (
  name: string,
  text: string | undefined,
  cell: Element | undefined,
) => readonly (readonly [name: string, value: string])[]

/** All columns, without where their links lead. */
export const allColumns: MembersOf = (name, text) => (text === undefined ? [] : [[name, text]])

/** @param keptAs the name that a column gets, or the column of where its links lead; undefined: none */
export function chosenColumns(keptAs: (name: string) => string | undefined): MembersOf {
  const known = new Map<Element | undefined, HTMLAnchorElement | null | undefined>()
  return (name, text, cell) => {
    // A cell that spans several is looked through once.
    if (!known.has(cell)) known.set(cell, cell?.querySelector('a[href]'))
    const [own, address] = [keptAs(name), keptAs(name + ADDRESS)]
    const href = known.get(cell)?.href
    return [
      ...(own && text !== undefined ? [[own, text] as const] : []),
      ...(address && href ? [[address, href] as const] : []),
    ]
  }
}

/**
 * The rows of a table as objects, by the headings of its columns; without headings, as lists. A cell that spans several is in each of them.
 * Those that are not read are null: they are only counted.
 */
export function readTable(
  element: Element,
  membersOf: MembersOf,
  rowsOf: (element: Element) => Rows = rowsIn,
): (object | null)[] {
  const all = rowsOf(element)
  const grid = gridOf(all)
  const known = new Map<Element | undefined, string>()
  // Each cell is read once.
  const textIn = (cell: Element | undefined) => {
    const text = known.get(cell) ?? (cell ? cellText(cell) : '')
    known.set(cell, text)
    return text
  }
  // The corner above the labels of rows may be an empty cell.
  const isHead = ({own}: Row) =>
    own.length > 0 &&
    own.every((cell, at) => cell.matches('th, thead td, [role=columnheader]') || !(at || textIn(cell)))
  const data = grid.findIndex((one) => !isHead(one))
  const heads = grid.slice(0, data < 0 ? 1 : Math.min(data, MAX_HEADS))
  // What stands over the whole table is the name of a group, or loads more of it. Some tables have their headings again at the end.
  const rows = grid
    .slice(heads.length)
    .filter(
      (one) =>
        isShown(one.row) &&
        !one.row.matches('[aria-hidden=true]') &&
        (one.own[1] || one.across[0] !== one.across[1] || !heads.some(({own}) => own[1])) &&
        !(one.row.closest('tfoot') && isHead(one)),
    )
  const width = Math.max(...heads.map(({across}) => across.length))
  const headings: string[] = []
  // Boxes to tick, and empty columns, say nothing.
  const said = Array.from({length: MAX_COLUMNS}, (_, at) => {
    const above = new Set(heads.map(({across}) => across[at]))
    // A heading over the whole table is its title.
    const own = [...above].filter((cell) => cell && (heads.length === 1 || columnsOf(cell) < width))
    const heading = own.map(textIn).filter(Boolean).join(' ')
    headings.push(heading && !headings.includes(heading) ? heading : `Column ${at + 1}`)
    return heading
      ? ![...above].some((cell) => cell?.querySelector('[type=checkbox]'))
      : rows.some(({across}) => textIn(across[at]))
  })
  const read = rows
    .map(({across}, at) =>
      at >= MAX_READ
        ? null
        : heads[0]
          ? Object.fromEntries(
              Array.from(across, (cell, at) =>
                membersOf(headings[at] ?? '', said[at] ? textIn(cell) : undefined, cell),
              ).flat(),
            )
          : Array.from(across, textIn),
    )
    .filter((row) => !row || Object.keys(row)[0])
  return [...read, ...all.slice(MAX_ROWS).map(() => null)]
}

function columnsOf(cell: Element): number {
  return Object(cell).colSpan ?? 1
}

function gridOf(all: ReturnType<typeof rowsIn>): Row[] {
  const grid = all
    .slice(0, MAX_ROWS)
    .map(([row, own]): Row => ({row, own: [...own].slice(0, MAX_COLUMNS), across: []}))
  const widest = Math.max(...grid.map(({own}) => own.length))
  for (const [y, {own, across}] of grid.entries()) {
    for (const cell of own) {
      const x = [...across, undefined].indexOf(undefined)
      if (x === MAX_COLUMNS) break
      const end = Math.max(x + 1, Math.min(x + columnsOf(cell), widest))
      const height = (Object(cell).rowSpan ?? 1) || grid.length
      for (const {across} of grid.slice(y, y + height)) for (let at = x; at < end; at += 1) across[at] = cell
    }
  }
  return grid
}

type Rows = [row: Element, cells: Iterable<Element>][]

/** The rows of a table of HTML; of anything else, none. */
function rowsIn(table: Element | null): Rows {
  return Array.from<HTMLTableRowElement, Rows[0]>(Object(table).rows ?? [], (row) => [row, row.cells])
}

/** The rows of a table or grid around an element or in it. Columns of a grid that stand still have rows of their own. */
export function rowsOfAny(element: Element): Rows {
  const table = element.closest(TABLE) ?? element.querySelector(TABLE)
  if (!table || Object(table).rows) return rowsIn(table)
  const rows = Map.groupBy(table.querySelectorAll('[role=row]'), (row) => row.ariaRowIndex ?? row)
  // Each cell is in one row. What is in a cell is its text.
  const cellsOf = Map.groupBy(table.querySelectorAll(CELL), (cell) =>
    table.contains(cell.parentElement?.closest(CELL) ?? null) ? undefined : cell.closest('[role=row]'),
  )
  return [...rows.values()].flatMap((same): Rows => {
    const [row] = same
    const cells = same.flatMap((row) => cellsOf.get(row) ?? [])
    return row && cells.length > 0
      ? [[row, cells.sort((one, other) => Number(one.ariaColIndex) - Number(other.ariaColIndex))]]
      : []
  })
}

/** An icon or a picture says its label, and a field what is in it. */
function cellText(cell: Element): string {
  const {selectedOptions, value} = Object(cell.querySelector(FIELD))
  if (selectedOptions) return selectedOptions[0]?.text ?? value
  return (
    textOf(cell) ||
    (value ??
      Array.from(
        cell.querySelectorAll('[alt], [aria-label]'),
        (element) => element.ariaLabel || element.getAttribute('alt'),
      ).join(' '))
  )
}
