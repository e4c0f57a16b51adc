import type {ProposedPart} from '../../../../schemas/actions/propose/picked.ts'
import {visibleText} from './outline.ts'

// As schemas/actions/code/reading.ts reads it. The page's policy may forbid to run that text here.

/** Rows or entries, as a tool returns them unless an editor changes it. */
const LIMIT = 30

/** What an agent would get of a part of the page. */
export function readPart({kind, selector, columns = []}: ProposedPart): unknown {
  const elements = [...document.querySelectorAll<HTMLElement>(selector)]
  const [first] = elements
  if (!first) return undefined
  switch (kind) {
    case 'text':
      return visibleText(first)
    case 'table':
      return rowsOf(first, columns).slice(0, LIMIT)
    case 'list': {
      const entries = elements.flatMap((element) =>
        element.matches('ul, ol, menu') ? [...element.children] : [element],
      )
      return entries
        .filter((entry) => entry instanceof HTMLElement)
        .slice(0, LIMIT)
        .map(visibleText)
    }
    case 'definitions':
      return definitionsOf(first)
    case 'links':
      return elements
        .flatMap((element) =>
          element instanceof HTMLAnchorElement
            ? [element]
            : [...element.querySelectorAll<HTMLAnchorElement>('a[href]')],
        )
        .filter(({href}) => /^https?:/.test(href))
        .slice(0, LIMIT)
        .map((link) => ({text: visibleText(link), address: link.href}))
  }
}

function rowsOf(element: HTMLElement, columns: readonly string[]): unknown[] {
  const table = element.closest('table') ?? element.querySelector('table')
  const [head, ...rows] = table?.rows ?? []
  const headings = [...(head?.cells ?? [])]
  if (!head || headings.some(({tagName}) => tagName !== 'TH'))
    return [...(table?.rows ?? [])].map((row) => [...row.cells].map(visibleText))
  const texts = headings.map(visibleText)
  const names = texts.map((text, at) => (texts.indexOf(text) === at && text ? text : `Column ${at + 1}`))
  return rows.map((row) => {
    const cells = [...row.cells].map((cell, at) => [names[at] ?? `Column ${at + 1}`, visibleText(cell)])
    return Object.fromEntries(
      columns.length > 0 ? cells.filter(([name = '']) => columns.includes(name)) : cells,
    )
  })
}

function definitionsOf(list: HTMLElement): unknown {
  const definitions: Record<string, string> = {}
  let term = ''
  for (const element of list.querySelectorAll<HTMLElement>('dt, dd')) {
    const text = visibleText(element)
    if (element.localName === 'dt') term = text
    else definitions[term] = definitions[term] ? `${definitions[term]}; ${text}` : text
  }
  return definitions
}
