import {INTO} from '../../schemas/actions/parts/names.ts'
import type {ItemField, Part, Parts, ReadingAction} from '../../schemas/actions/reading.ts'
import {MORE_OF, NEXT_OF, PAGE_OF} from './otherPages.ts'
import {CUT, jsonCode, nothingCode, objectCode, textCode, throwCode} from './text.ts'

/** Characters of a text: more is never useful to an agent. */
export const MAX_TEXT = 2_000

const TEXT_OF = `// As on the screen. What is closed, or below the fold, has an empty innerText.
const textOf = (element) => {
  const isSeen = element.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true})
  const shown = element.innerText?.trim() || (isSeen && 'innerText' in element ? '' : element.textContent)
  // Elements without a space between them are words of their own, unless a sign joins them: “$” and “12”.
  const apart = shown.length > 2_000 ? [] : [...element.querySelectorAll('* + *')]
  return apart.reduce((text, {previousSibling: before, textContent: next}) => {
    const word = before.nodeType === 1 ? before.textContent.trim() : ''
    const isJoined = /[\\p{Sc}.,:/-]$/u.test(word) || /^[^\\p{L}\\p{N}\\p{Sc}(]/u.test(next.trim())
    // Letters that move one by one are one word.
    const areLetters = word.length + next.trim().length < 3
    return word && !isJoined && !areLetters ? text.replace(word + next.trim(), () => \`\${word} \${next.trim()}\`) : text
  }, shown).trim().replace(/\\s+/g, ' ')
}`

const IS_SHOWN = `// Rows and entries that a filter of the page hides are left out. A part that is closed is read as a whole.
const isShown = (element) => element.checkVisibility() || !element.parentElement?.checkVisibility()`

const FIRST = `const first = (selector, read) => {
  const found = all(selector)
  const element = found.find(isShown) ?? found[0]
  return element && read(element)
}`

const ALL = 'const all = (selector) => [...document.querySelectorAll(selector)]'

const ALL_DEEP = `// “>>>” leads from an element into its shadow root.
const within = (root, selector) => selector.split('>>>').reduce((found, step) => step.trim()
  ? found.flatMap((one) => [...(one !== root && one.shadowRoot || one).querySelectorAll(step)])
  : found.flatMap((one) => one.shadowRoot ?? []), [root])
const all = (selector) => within(document, selector)`

const ROWS_OF = `// The rows of a table as objects, by the headings of its columns. A cell that spans several is in each of them.
// Where links lead is a column of its own, if it is among the columns.
// An icon or a picture says its label, and a field what is in it.
const FIELD = 'select, textarea, input:not([type=hidden], [type=password], [type=checkbox], [type=radio])'
const cellText = (cell) => {
  const field = cell.querySelector(FIELD)
  const text = textOf(cell)
  if (field && (field.options || !text)) return field.selectedOptions?.[0]?.text ?? field.value
  return text || Array.from(cell.querySelectorAll('[alt], [aria-label]'), ({alt, ariaLabel}) => ariaLabel || alt).join(' ')
}
const TABLE = 'table, [role=table], [role=grid], [role=treegrid]'
// Grids of scripts are boxes with roles. Columns that stand still have rows of their own.
const rowsIn = (table) => {
  if (!table || table.rows) return Array.from(table?.rows ?? [], (row) => [row, [...row.cells]])
  const rows = Map.groupBy(table.querySelectorAll('[role=row]'), (row) => row.ariaRowIndex ?? row)
  const cellsOf = (row) => [...row.querySelectorAll('[role=cell], [role=gridcell], [role=rowheader], [role=columnheader]')]
  return Array.from(rows.values(), (same) =>
    [same[0], same.flatMap(cellsOf).sort((one, other) => one.ariaColIndex - other.ariaColIndex)])
}
const rowsOf = (element, limit, columns, hasAddresses = !!columns) => {
  const table = element.closest(TABLE) ?? element.querySelector(TABLE)
  // Who writes a table may be a stranger, and a cell of a few bytes can span 65,534 rows and 1,000 columns.
  const grid = rowsIn(table).slice(0, 1_000).map(([row, own]) => ({row, own: own.slice(0, 100), cells: []}))
  const widest = Math.max(...grid.map(({own}) => own.length))
  for (const [y, {own, cells}] of grid.entries()) {
    for (const cell of own) {
      const x = [...cells, undefined].indexOf(undefined)
      if (x === 100) break
      const end = Math.max(x + 1, Math.min(x + (cell.colSpan ?? 1), widest))
      for (const {cells} of grid.slice(y, y + ((cell.rowSpan ?? 1) || grid.length))) {
        for (let at = x; at < end; at++) cells[at] = cell
      }
    }
  }
  const known = new Map([[undefined, {text: ''}]])
  const readOf = (cell) => {
    if (!known.has(cell)) known.set(cell, {text: cellText(cell), link: cell.querySelector('a[href]'), box: cell.querySelector('[type=checkbox]')})
    return known.get(cell)
  }
  const textIn = (cell) => readOf(cell).text
  const isHead = ({own}) => own.length > 0 && own.every((cell) => cell.matches('th, thead td, [role=columnheader]'))
  const data = grid.findIndex((one) => !isHead(one))
  const heads = grid.slice(0, data < 0 ? 1 : Math.min(data, 10))
  // A button over the whole table loads more of it, and some tables have their headings again at the end.
  const isRow = (one) => isShown(one.row) && !one.row.matches('[aria-hidden=true]') && !(isHead(one) && one.row.closest('tfoot')) &&
    (one.own[1] || !(one.own[0]?.colSpan > 1 && one.own[0].querySelector('button')))
  const rows = grid.slice(heads.length).filter(isRow).slice(0, limit)
  if (heads.length === 0) return rows.map(({cells}) => Array.from(cells, textIn))
  const width = Math.max(...heads.map(({cells}) => cells.length))
  // A heading over the whole table is its title.
  const headings = Array.from({length: width}, (_, at) => {
    const above = heads.map(({cells}) => cells[at]).filter((cell) => cell && (heads.length === 1 || cell.colSpan < width))
    return [...new Set(above)].map(textIn).filter(Boolean).join(' ')
  })
  // Boxes to tick, and empty columns, say nothing.
  const said = Array.from({length: 100}, (_, at) => headings[at] ? !heads.some(({cells}) => readOf(cells[at]).box)
    : rows.some(({cells}) => textIn(cells[at])))
  const nameOf = (at) => headings[at] && headings.indexOf(headings[at]) === at ? headings[at] : \`Column \${at + 1}\`
  return rows.map(({cells}) => {
    const named = Array.from(cells, (cell, at) => [nameOf(at), textIn(cell)]).filter((_, at) => said[at])
    const addresses = Array.from(cells, (cell, at) => [\`\${nameOf(at)} (address)\`, readOf(cell).link?.href])
    if (hasAddresses) named.push(...addresses.filter(([, address]) => address))
    return Object.fromEntries(columns ? named.filter(([name]) => columns.includes(name)) : named)
  }).filter((row) => Object.keys(row).length > 0)
}`

const inItemCode = (found: string) => `// A field of an entry; null where an entry lacks it.
const inItem = (item, selector, read) => {
  const element = selector === '' ? item : ${found}
  return element ? read(element) : null
}`
const IN_ITEM = inItemCode('item.querySelector(selector)')
const IN_ITEM_DEEP = inItemCode('within(item, selector)[0]')

const DEFINITIONS_OF = `// The texts of a definition list, of a table with a heading or a label in each row, or of a list whose entries begin with one, by their
// terms. Links to change them are none.
const definitionsOf = (element) => {
  const definitions = {__proto__: null}
  for (const {firstElementChild: first, textContent: whole} of element.matches('ul, ol') ? element.children : []) {
    const term = first?.textContent.trim() ?? ''
    const [label, ...rest] = whole.trim().split(term)
    if (term && label === '') definitions[term.replace(/\\s*:$/, '')] = rest.join(term).replace(/^\\s*:|\\s+/g, ' ').trim()
  }
  let terms = []
  let isAfterTerm = false
  for (const part of (element.closest('dl') ?? element).querySelectorAll(
    'dt, dd:not([class*=action]), :is(th, td):not([colspan]:only-child)')) {
    const isTerm = part.matches('dt, th, td:first-child:nth-last-child(2)')
    const text = textOf(part).replace(isTerm ? /\\s*[:：]$/ : '', '')
    // Each description is repeated for each of its terms.
    if (isTerm) terms = isAfterTerm ? [...terms, text].slice(-10) : [text]
    else for (const term of terms) definitions[term] = definitions[term] ? \`\${definitions[term]}; \${text}\` : text
    isAfterTerm = isTerm
  }
  return definitions
}`

const LINKS_IN = `const linksIn = (element) => {
  const links = element.matches('a[href]') ? [element] : [...element.querySelectorAll('a[href]')]
  return links.filter((link) => /^https?:/.test(link.href) && isShown(link))
    .map((link) => ({text: textOf(link), address: link.href}))
}`

const ENTRIES_OF =
  "const entriesOf = (element) => element.matches('ul, ol, menu') ? [...element.children] : [element]"

const ENTRY_TEXT = `// The text of an entry, without what visitors press and what is only drawn.
const entryText = (entry) => {
  const other = 'button, [role=button], [aria-hidden=true], select, svg'
  const textIn = (node) => node.nodeType === 3 ? node.data
    : node !== entry && (node.nodeType !== 1 || node.matches(other) || !isShown(node)) ? ''
    : node.querySelector(other) ? Array.from(node.childNodes, textIn).join(' ') : textOf(node)
  return textIn(entry).trim().replace(/\\s+/g, ' ').replace(/(?<=[(\\[„“]) | (?=[)\\].,;:!?])/g, '') || textOf(entry)
}`

/**
 * What readings are made of, as a module. The panel has it in its bundle (cli/schema/typegen.ts), because a page's policy may forbid
 * to run a text: what it shows is what an agent gets.
 */
export function readingModule(): string {
  const functions = [
    TEXT_OF,
    IS_SHOWN,
    FIRST,
    ALL_DEEP,
    ROWS_OF,
    ENTRIES_OF,
    ENTRY_TEXT,
    DEFINITIONS_OF,
    LINKS_IN,
    IN_ITEM_DEEP,
    NEXT_OF,
    MORE_OF,
    PAGE_OF,
  ]
  return `${functions.map((text) => text.replaceAll(/^const /gm, 'export const ')).join('\n\n')}\n`
}

/** Whether all parts are lists: an empty one looks like one that is missing. */
function areLists(parts: Parts): boolean {
  return parts.every(({kind}) => isOfMany(kind))
}

/** The script that reads parts of the page. */
export function compileReading({parts, nothing, pages}: ReadingAction): string {
  const lists = parts.flatMap((part) => ('limit' in part ? [part.selector] : []))
  const statements = [
    ...functionsCode(parts),
    ...(parts.some((part) => 'limit' in part) ? [CUT] : []),
    ...(pages > 1 && lists.length > 0 ? [MORE_OF, growCode(lists, pages - 1)] : []),
    '',
    `const found = ${foundCode(parts)}`,
    nothing !== undefined || areLists(parts)
      ? nothingCode(IS_EMPTY, textCode(nothing ?? NO_ENTRIES))
      : throwCode(IS_EMPTY, textCode(NOTHING)),
    'return found',
  ]
  return `${statements.join('\n')}\n`
}

/** Seconds until a button has loaded what it loads. */
const PRESS_SECONDS = 5

/** Statements that press the buttons under lists, as a visitor does who wants more of them. */
function growCode(selectors: readonly string[], presses: number): string {
  return `for (const selector of ${jsonCode(selectors)}) {
  const size = () => all(selector).flatMap((one) => [one, ...one.querySelectorAll('*')]).filter((one) => one.checkVisibility()).length
  for (let press = 0, grew = true; press < ${presses} && grew; press++) {
    const until = Date.now() + ${PRESS_SECONDS}_000
    const before = size()
    const button = moreOf(all(selector).at(-1))
    button?.click()
    while (button && size() <= before && Date.now() < until) {
      signal.throwIfAborted()
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    grew = size() > before
  }
}`
}

/** The functions that read these parts of `document`. */
export function functionsCode(parts: Parts): string[] {
  const kinds = new Set(parts.map(({kind}) => kind))
  const readsFirst = [...kinds].some((kind) => !isOfMany(kind))
  return [
    ...(kinds.size === 1 && kinds.has('attribute') ? [] : [TEXT_OF]),
    IS_SHOWN,
    isDeep(parts) ? ALL_DEEP : ALL,
    ...(readsFirst ? [FIRST] : []),
    ...(kinds.has('table') ? [ROWS_OF] : []),
    ...(kinds.has('list') ? [ENTRIES_OF] : []),
    ...(kinds.has('list') || kinds.has('items') ? [ENTRY_TEXT] : []),
    ...(kinds.has('items') ? [isDeep(parts) ? IN_ITEM_DEEP : IN_ITEM] : []),
    ...(kinds.has('definitions') ? [DEFINITIONS_OF] : []),
    ...(kinds.has('links') ? [LINKS_IN] : []),
  ]
}

function isDeep(parts: Parts): boolean {
  return JSON.stringify(parts).includes(INTO)
}

/** An object with the parts of `document`. */
export function foundCode(parts: readonly Part[], indent = ''): string {
  return objectCode(
    parts.map((part) => [part.name, partCode(part, indent)]),
    indent,
  )
}

/** Whether all elements that a selector finds are read. */
function isOfMany(kind: Part['kind']): boolean {
  return kind === 'list' || kind === 'links' || kind === 'items'
}

/** Whether `found` has nothing. */
export const IS_EMPTY = 'Object.values(found).every((part) => Object.keys(part ?? {}).length === 0)'

const NOTHING = 'This page does not have what the tool reads. Open another page and try again.'

/** An empty list looks like one that is missing. */
const NO_ENTRIES = 'There are no entries on this page now.'

function partCode(part: Part, indent: string): string {
  const selector = textCode(part.selector)
  switch (part.kind) {
    case 'text':
      return `first(${selector}, textOf)?.replace(/^(.{${MAX_TEXT}}).+$/su, '$1… (the text is longer)') ?? null`
    case 'attribute':
      return `first(${selector}, (element) => element.getAttribute(${textCode(part.attribute)})) ?? null`
    case 'table': {
      const columns = part.columns.length === 0 ? '' : `, ${jsonCode(part.columns)}`
      return `first(${selector}, (element) => cut(rowsOf(element, Infinity${columns}), ${part.limit})) ?? null`
    }
    case 'list':
      return `cut(all(${selector}).flatMap(entriesOf).filter(isShown).map(entryText), ${part.limit})`
    case 'items': {
      const fields = part.fields.map((field) => [field.name, fieldCode(field)] as const)
      return `cut(all(${selector}).filter(isShown).map((item) => (${objectCode(fields, `${indent}  `)})), ${part.limit})`
    }
    case 'definitions':
      return `first(${selector}, definitionsOf) ?? null`
    case 'links':
      return `cut(all(${selector}).flatMap(linksIn), ${part.limit})`
  }
}

function fieldCode(field: ItemField): string {
  const read = {
    text: field.selector === '' ? 'entryText' : 'textOf',
    address: '(element) => element.href ?? null',
    attribute: `(element) => element.getAttribute(${'attribute' in field ? textCode(field.attribute) : "''"})`,
  }
  return `inItem(item, ${textCode(field.selector)}, ${read[field.kind]})`
}
