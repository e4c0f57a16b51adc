import type {Part, ReadingAction} from '../reading.ts'
import {jsonCode, objectCode, textCode, throwCode} from './text.ts'

/** Characters of a text: more is never useful to an agent. */
const MAX_TEXT = 2_000

const ALL = 'const all = (selector) => [...document.querySelectorAll(selector)]'

const TEXT_OF =
  "const textOf = (element) => (element.innerText ?? element.textContent).trim().replace(/\\s+/g, ' ')"

const ROWS_OF = `// The rows of a table as objects, by the headings of its columns.
const rowsOf = (element, columns) => {
  const table = element.closest('table') ?? element.querySelector('table')
  const [head, ...rows] = table?.rows ?? []
  if (!head || [...head.cells].some(({tagName}) => tagName !== 'TH')) {
    return [...(table?.rows ?? [])].map((row) => Array.from(row.cells, textOf))
  }
  const headings = Array.from(head.cells, textOf)
  const names = headings.map((heading, at) => headings.indexOf(heading) === at && heading ? heading : \`Column \${at + 1}\`)
  return rows.map((row) => {
    const cells = Array.from(row.cells, (cell, at) => [names[at] ?? \`Column \${at + 1}\`, textOf(cell)])
    return Object.fromEntries(columns ? cells.filter(([name]) => columns.includes(name)) : cells)
  })
}`

const DEFINITIONS_OF = `// The texts of a definition list, by their terms.
const definitionsOf = (list) => {
  const definitions = {__proto__: null}
  let term = ''
  for (const element of list.querySelectorAll('dt, dd')) {
    if (element.tagName === 'DT') term = textOf(element)
    else definitions[term] = definitions[term] ? \`\${definitions[term]}; \${textOf(element)}\` : textOf(element)
  }
  return definitions
}`

const LINKS_IN = `const linksIn = (element) => {
  const links = element.matches('a[href]') ? [element] : [...element.querySelectorAll('a[href]')]
  return links.filter(({href}) => /^https?:/.test(href)).map((link) => ({text: textOf(link), address: link.href}))
}`

const ENTRIES_OF =
  "const entriesOf = (element) => element.matches('ul, ol, menu') ? [...element.children] : [element]"

/** The script that reads parts of the page. */
export function compileReading({parts, nothing}: ReadingAction): string {
  const kinds = new Set(parts.map(({kind}) => kind))
  const statements = [
    ALL,
    ...(kinds.size === 1 && kinds.has('attribute') ? [] : [TEXT_OF]),
    ...(kinds.has('table') ? [ROWS_OF] : []),
    ...(kinds.has('list') ? [ENTRIES_OF] : []),
    ...(kinds.has('definitions') ? [DEFINITIONS_OF] : []),
    ...(kinds.has('links') ? [LINKS_IN] : []),
    '',
    `const found = ${objectCode(parts.map((part) => [part.name, partCode(part)]))}`,
    throwCode(
      'Object.values(found).every((part) => Object.keys(part ?? {}).length === 0)',
      textCode(nothing ?? NOTHING),
    ),
    'return found',
  ]
  return `${statements.join('\n')}\n`
}

const NOTHING = 'This page does not have what the tool reads. Open another page and try again.'

function partCode(part: Part): string {
  const elements = `all(${textCode(part.selector)})`
  switch (part.kind) {
    case 'text':
      return `${elements}.map(textOf)[0]?.slice(0, ${MAX_TEXT})`
    case 'attribute':
      return `${elements}[0]?.getAttribute(${textCode(part.attribute)}) ?? undefined`
    case 'table': {
      const columns = part.columns.length === 0 ? '' : `, ${jsonCode(part.columns)}`
      return `${elements}.map((element) => rowsOf(element${columns}))[0]?.slice(0, ${part.limit})`
    }
    case 'list':
      return `${elements}.flatMap(entriesOf).slice(0, ${part.limit}).map(textOf)`
    case 'definitions':
      return `${elements}.map(definitionsOf)[0]`
    case 'links':
      return `${elements}.flatMap(linksIn).slice(0, ${part.limit})`
  }
}
