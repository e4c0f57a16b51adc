// Written by `npm run typegen` from actions/code/reading.ts. Change that, not this.
// @ts-nocheck

// As on the screen. What is closed, or below the fold, has an empty innerText.
export const textOf = (element) => {
  const isSeen = element.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true})
  const shown = element.innerText?.trim() || (isSeen && 'innerText' in element ? '' : element.textContent)
  // Elements without a space between them are words of their own, unless a sign joins them: “$” and “12”.
  const apart = shown.length > 2_000 ? [] : [...element.querySelectorAll('* + *')]
  return apart.reduce((text, {previousSibling: before, textContent: next}) => {
    const word = before.nodeType === 1 ? before.textContent.trim() : ''
    const isJoined = /[\p{Sc}.,:/-]$/u.test(word) || /^[^\p{L}\p{N}\p{Sc}(]/u.test(next.trim())
    // Letters that move one by one are one word.
    const areLetters = word.length + next.trim().length < 3
    return word && !isJoined && !areLetters ? text.replace(word + next.trim(), () => `${word} ${next.trim()}`) : text
  }, shown).trim().replace(/\s+/g, ' ')
}

// Rows and entries that a filter of the page hides are left out. A part that is closed is read as a whole.
export const isShown = (element) => element.checkVisibility() || !element.parentElement?.checkVisibility()

export const first = (selector, read) => {
  const found = all(selector)
  const element = found.find(isShown) ?? found[0]
  return element && read(element)
}

// “>>>” leads from an element into its shadow root.
export const within = (root, selector) => selector.split('>>>').reduce((found, step) => step.trim()
  ? found.flatMap((one) => [...(one !== root && one.shadowRoot || one).querySelectorAll(step)])
  : found.flatMap((one) => one.shadowRoot ?? []), [root])
export const all = (selector) => within(document, selector)

// The rows of a table as objects, by the headings of its columns. A cell that spans several is in each of them.
// Where links lead is a column of its own, if it is among the columns.
// An icon or a picture says its label, and a field what is in it.
export const FIELD = 'select, textarea, input:not([type=hidden], [type=password], [type=checkbox], [type=radio])'
export const cellText = (cell) => {
  const field = cell.querySelector(FIELD)
  const text = textOf(cell)
  if (field && (field.options || !text)) return field.selectedOptions?.[0]?.text ?? field.value
  return text || Array.from(cell.querySelectorAll('[alt], [aria-label]'), ({alt, ariaLabel}) => ariaLabel || alt).join(' ')
}
export const TABLE = 'table, [role=table], [role=grid], [role=treegrid]'
// Grids of scripts are boxes with roles. Columns that stand still have rows of their own.
export const rowsIn = (table) => {
  if (!table || table.rows) return Array.from(table?.rows ?? [], (row) => [row, [...row.cells]])
  const rows = Map.groupBy(table.querySelectorAll('[role=row]'), (row) => row.ariaRowIndex ?? row)
  const cellsOf = (row) => [...row.querySelectorAll('[role=cell], [role=gridcell], [role=rowheader], [role=columnheader]')]
  return Array.from(rows.values(), (same) =>
    [same[0], same.flatMap(cellsOf).sort((one, other) => one.ariaColIndex - other.ariaColIndex)])
}
export const rowsOf = (element, limit, columns, hasAddresses = !!columns) => {
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
  const nameOf = (at) => headings[at] && headings.indexOf(headings[at]) === at ? headings[at] : `Column ${at + 1}`
  return rows.map(({cells}) => {
    const named = Array.from(cells, (cell, at) => [nameOf(at), textIn(cell)]).filter((_, at) => said[at])
    const addresses = Array.from(cells, (cell, at) => [`${nameOf(at)} (address)`, readOf(cell).link?.href])
    if (hasAddresses) named.push(...addresses.filter(([, address]) => address))
    return Object.fromEntries(columns ? named.filter(([name]) => columns.includes(name)) : named)
  }).filter((row) => Object.keys(row).length > 0)
}

export const entriesOf = (element) => element.matches('ul, ol, menu') ? [...element.children] : [element]

// The text of an entry, without what visitors press and what is only drawn.
export const entryText = (entry) => {
  const other = 'button, [role=button], [aria-hidden=true], select, svg'
  const textIn = (node) => node.nodeType === 3 ? node.data
    : node !== entry && (node.nodeType !== 1 || node.matches(other) || !isShown(node)) ? ''
    : node.querySelector(other) ? Array.from(node.childNodes, textIn).join(' ') : textOf(node)
  return textIn(entry).trim().replace(/\s+/g, ' ').replace(/(?<=[(\[„“]) | (?=[)\].,;:!?])/g, '') || textOf(entry)
}

// The texts of a definition list, of a table with a heading or a label in each row, or of a list whose entries begin with one, by their
// terms. Links to change them are none.
export const definitionsOf = (element) => {
  const definitions = {__proto__: null}
  for (const {firstElementChild: first, textContent: whole} of element.matches('ul, ol') ? element.children : []) {
    const term = first?.textContent.trim() ?? ''
    const [label, ...rest] = whole.trim().split(term)
    if (term && label === '') definitions[term.replace(/\s*:$/, '')] = rest.join(term).replace(/^\s*:|\s+/g, ' ').trim()
  }
  let terms = []
  let isAfterTerm = false
  for (const part of (element.closest('dl') ?? element).querySelectorAll(
    'dt, dd:not([class*=action]), :is(th, td):not([colspan]:only-child)')) {
    const isTerm = part.matches('dt, th, td:first-child:nth-last-child(2)')
    const text = textOf(part).replace(isTerm ? /\s*[:：]$/ : '', '')
    // Each description is repeated for each of its terms.
    if (isTerm) terms = isAfterTerm ? [...terms, text].slice(-10) : [text]
    else for (const term of terms) definitions[term] = definitions[term] ? `${definitions[term]}; ${text}` : text
    isAfterTerm = isTerm
  }
  return definitions
}

export const linksIn = (element) => {
  const links = element.matches('a[href]') ? [element] : [...element.querySelectorAll('a[href]')]
  return links.filter((link) => /^https?:/.test(link.href) && isShown(link))
    .map((link) => ({text: textOf(link), address: link.href}))
}

// A field of an entry; null where an entry lacks it.
export const inItem = (item, selector, read) => {
  const element = selector === '' ? item : within(item, selector)[0]
  return element ? read(element) : null
}

// Where the next page of lists is: as the page says, by its words, or by its number. Strangers write entries and comments, and may
// link to what changes something: a link has the same path, and stands in the head or after the last entry of each list.
export const nextOf = (page, here, lists) => {
  const at = new URL(here)
  const placeOf = ({pathname}) => pathname.replace(/\/page\/\d+|\/$/g, '')
  const numberOf = ({pathname, search}) =>
    Number(/(?:[?&]_?(?:p|pgn?|page|paged|seite)=|\/page\/)(\d+)/i.exec(pathname + search)?.[1] ?? 1)
  const ends = lists.flatMap(({kind, selector}) => {
    const [first, ...more] = page.querySelectorAll(selector.split('>>>')[0])
    return (kind === 'table' ? first : more.at(-1) ?? first) ?? []
  })
  const isAfter = (link) => ends.every((end) => end.compareDocumentPosition(link) === 4)
  const links = Array.from(page.querySelectorAll('link[rel~=next][href], a[href]:not([rel~=ugc])'), (link) => ({link, url: URL.parse(link.href)}))
    .filter(({link, url}) => url?.origin === at.origin && placeOf(url) === placeOf(at) &&
      url.pathname + url.search !== at.pathname + at.search && ends[0] && (link.closest('head') || isAfter(link)) &&
      !link.closest('.disabled, [aria-disabled=true]'))
  const words = /^\W*(?:go to |zur )?(?:next|older|nächste[rs]?|weiter|suivante?|siguiente|successiv[ao]|próxim[ao]|volgende)(?!\p{L})|^\W*(?:load more|more results|mehr (?:laden|ergebnisse))(?!\p{L})|^\s*[›»→>]{1,2}\s*$/iu
  const isNext = ({link}) => [link.ariaLabel, link.textContent, link.title].some((text) => words.test(text ?? '')) ||
    link.closest('[class~=next]') || link.matches('[class*=pagination-next]')
  const found = links.find(({link}) => /\bnext\b/i.test(link.rel)) ?? links.find(isNext) ??
    links.find(({url}) => numberOf(url) === numberOf(at) + 1)
  return found?.url.href.replace(/#.*/, '')
}

// The button after the last entry of a list that loads more of it, by its words: no other is pressed.
export const moreOf = (entry) => {
  const words = /^\W*(?:(?:load|show|see|view) (?:\d+ )?more|more results|mehr (?:laden|anzeigen)|weitere \p{L}*\s?(?:laden|anzeigen)|(?:voir|afficher) plus|(?:ver|mostrar|cargar) más|(?:mostra|carica) altr[ie]|(?:ver|carregar) mais|meer (?:laden|tonen))(?!\p{L})/iu
  for (let place = entry, step = 0; place?.parentElement && step < 4; place = place.parentElement, step++) {
    const buttons = [...place.parentElement.querySelectorAll('button, [role=button], a[href^="#"], a:not([href])')]
    const found = buttons.find((button) => place.compareDocumentPosition(button) === 4 && !button.disabled &&
      words.test(button.ariaLabel ?? button.textContent) && button.checkVisibility())
    if (found) return found
  }
}

// Nothing of the page runs or loads: this parser leaves scripts out, so that all policies of pages allow it.
export const pageIn = (text, address) => {
  const page = Document.parseHTML?.(text, {sanitizer: {}}) ?? new DOMParser().parseFromString(text, 'text/html')
  const [, own = ''] = /<base\s[^>]*?href=["']?([^"'\s>]+)/i.exec(text) ?? []
  const base = URL.parse(own, address) ?? address
  for (const link of page.querySelectorAll('[href]'))
    link.setAttribute('href', URL.parse(link.getAttribute('href'), base)?.href ?? link.getAttribute('href'))
  return page
}
// The page that a website sent, in its own encoding; undefined: it sent none.
export const pageOf = async (response) => {
  const type = response.headers.get('content-type') ?? ''
  if (!/html/i.test(type)) return
  const bytes = await response.arrayBuffer()
  const start = new TextDecoder('latin1').decode(bytes.slice(0, 1_024))
  const [, encoding = 'utf-8'] = /charset\s*=\s*["']?([\w-]+)/i.exec(type + ' ' + start) ?? []
  return pageIn(new TextDecoder(encoding).decode(bytes), response.url)
}
