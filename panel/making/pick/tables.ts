import {ADDRESS} from '../../../actions/run/html/tables.ts'
import {freeName, nameFromWords} from '../../../making/names.ts'
import type {ProposedField} from '../../../making/picked.ts'
import {textOf} from '../../forms/controls.ts'
import {namesIn, rowsHere} from '../run.ts'
import {chosenNames} from './chosenNames.ts'
import {type EntryFields, entryFieldsOf} from './entryFields.ts'

/**
 * The entries of a table whose rows are none, by what finds them in it: those of several rows, each with the heading over it, and
 * rows without headings that lead to what they are about.
 */
export function linesOf(table: HTMLTableElement): (EntryFields & {readonly entry: string}) | undefined {
  const heads = [...table.rows].filter(({children}) => [...children].every((cell) => cell.matches('th')))
  const bodies = [...table.tBodies].filter((body) => !body.querySelector('th'))
  const headings = heads.flatMap(({cells}) => Array.from(cells, textOf).filter(Boolean))
  const [{cells: {length: width = 0} = {}} = {}] = heads
  const hasLines = ({rows}: HTMLTableSectionElement) =>
    rows.length === heads.length && [...rows].every(({cells}) => cells.length === width)
  const areLines = !table.tHead && bodies.length > 0 && bodies.every(hasLines)
  if (heads.length > 1 && areLines && new Set(headings).size === headings.length) {
    const names = new Set<string>()
    const fields = heads.flatMap(({cells}, row) =>
      Array.from(cells, (cell, at): ProposedField => {
        const name = freeName(nameFromWords(textOf(cell).replace(/^#$/, 'number')) || 'text', names)
        names.add(name)
        return {name, selector: `tr:nth-child(${row + 1}) > :nth-child(${at + 1})`, kind: 'text'}
      }),
    )
    const linked = fields.find(({selector}) => bodies[0]?.querySelector(`${selector} a[href]`))
    const address = linked && {name: 'address', selector: `${linked.selector} a`, kind: 'address' as const}
    const isSaid = ({selector}: ProposedField) =>
      bodies.some((body) => textOf(body.querySelector(selector)) !== '')
    return {
      entry: 'tbody:not(:has(th))',
      fields: [...fields.filter(isSaid), ...(address ? [address] : [])],
      same: [],
    }
  }
  const rows = [...table.rows].filter((row) => row.querySelector('a[href]'))
  const isPlain = rows.every(
    (row) => row.cells.length === rows[0]?.cells.length && chosenNames(row).length === 0,
  )
  const areMost = rows.length > 1 && rows.length * 2 > table.rows.length
  if (!areMost || !isPlain || table.querySelector('th')) return undefined
  return {entry: 'tbody > tr:has(a[href])', ...entryFieldsOf(rows)}
}

/** Rows that say what one thing is: more of them list several things. */
const MAX_FACTS = 40

/**
 * How many of a list’s entries are a label and its value, as in “<b>Price</b>: €12”, if all of them are, and no two have the same label.
 * @param areBoxes whether each begins with an element that is its label, and may have no value
 */
export function labelledIn(entries: readonly Element[], areBoxes: boolean): number {
  const labels = new Set<string>()
  if (entries.length > MAX_FACTS) return 0
  let valued = 0
  for (const entry of entries) {
    const [, label, value] = /^(\P{P}{1,40}?)\s*[:：]\s*(\S?)/u.exec(textOf(entry)) ?? []
    const isLabelled = areBoxes ? /[:：]$/.test(textOf(entry.firstElementChild)) : value
    if (!label || !isLabelled || labels.has(label)) return 0
    labels.add(label)
    if (value) valued += 1
  }
  return valued
}

/**
 * The rows of a table that are headings or labels, each with a value, if all of its rows are, or are one cell. Labels are words, and
 * each of them is another one: numbers, dates, links and what is there twice are data.
 */
export function termsOf(table: Element, rows: readonly Element[]): number {
  const lines = rows.map(({children}) => [...children]).filter((cells) => cells.length > 1)
  const isOf = (cells: readonly Element[], term: string) =>
    cells.length % 2 === 0 && cells.every((cell, at) => cell.matches(at % 2 === 0 ? term : 'td'))
  const labelsIn = (cells: readonly Element[]) => cells.filter((_, at) => at % 2 === 0)
  const isLabelled = (cells: readonly Element[]) =>
    isOf(cells, 'td') && (cells.length === 2 || labelsIn(cells).every((cell) => textOf(cell).endsWith(':')))
  if (!lines.every((cells) => isOf(cells, 'th') || isLabelled(cells))) return 0
  const headings = lines.flatMap((cells) => (isOf(cells, 'td') ? labelsIn(cells) : []))
  if (headings.length > MAX_FACTS) return 0
  const labels = headings.map(textOf)
  const areLabels =
    new Set(labels).size === labels.length &&
    labels.every((label) => /^[^\p{L}\p{N}]*\p{L}.{0,39}$/u.test(label)) &&
    !headings.some((label) => label.querySelector('a[href], img')) &&
    !table.querySelector('thead, input, select, textarea')
  return areLabels || labels.length === 0 ? lines.length : 0
}

/**
 * With where the links of its first column of links lead, which other tools may need, and without columns of buttons. Undefined:
 * all that have a heading.
 */
export function columnsOf(element: Element): string[] | undefined {
  const rows = rowsHere(element)
  const whole = namesIn(rows)
  const isSame = (name: string) => rows.length > 1 && rows.every((row) => row[name] === rows[0]?.[name])
  const headings = whole.filter((name) => !/^Column \d+$/.test(name) || !isSame(name))
  const hasLinks = element.querySelector(':is(td, [role=gridcell], [role=cell], tbody th) a[href]')
  const address = hasLinks && headings.find((heading) => heading.endsWith(ADDRESS))
  if (!address && headings.length === whole.length) return undefined
  // The rules refuse longer headings, and characters that are not seen.
  if (headings.length > 50 || headings.some((one) => /^.{200}|\p{C}/u.test(one))) return undefined
  return headings.filter((heading) => heading === address || !heading.endsWith(ADDRESS))
}
