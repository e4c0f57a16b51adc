import {findDeep} from '../../../actions/run/html/parts.ts'
import {FIELD, TABLE} from '../../../actions/run/html/tables.ts'
import {type ProposedPart, partOf, waysToRead} from '../../../making/picked.ts'
import {all} from '../../../snippet/page.ts'
import {isFilter} from '../../forms/facets.ts'
import {uniqueSelector} from '../../forms/uniqueSelector.ts'
import {alikeTo, daysWith, outlineOf} from '../pick/outline.ts'
import {readPart} from '../run.ts'

/** What of the page a tool can read as a whole. */
export type FoundPart = {
  readonly element: Element
  readonly part: ProposedPart
  /** All that a tool returns, with others. */
  readonly parts?: readonly ProposedPart[]
  readonly heading: string
  /** The first of its rows or entries, as an agent gets it. */
  readonly example: string
  readonly count: number
  /** Whether it was not there before a person searched. */
  readonly isSearched?: boolean
  /** Whether scripts load it, and show what a field of the page searches in it. */
  readonly isLoaded?: boolean | undefined | null
  /** What it may be. */
  readonly choices: readonly ProposedPart[]
}

/** Elements that are looked at: long pages would become slow. */
const MAX_LOOKED_AT = 80

const MAX_FOUND = 12

/** Parts of every page, which are about no content. */
export const NOT_READ =
  'pre, nav, footer, body > [class~=footer i], [id=footer i], [id$=navigation i], dialog, [role=dialog], [role=listbox], [role=search], search, header:not(:is(main, article) *), [role=navigation], [class*=breadcrumb i], [class*=pagination i], [class*=nextprev i], [class*=prev-next i], [class*=post-navigation i], [class*=cookie i]'

const FORM = 'form:not(:has(h1, [name=__VIEWSTATE]))'

/** Labels of fields, and fields. */
const NO_DATA = `th:not(:has(a[href])), :has(${FIELD})`

/** Whether a form around it only lets people choose rows or entries, or change some of their values. */
function isData(element: Element): boolean {
  const isText = (cell: Element) => !cell.matches(NO_DATA) && HAS_WORDS.test(cell.textContent ?? '')
  if (element.matches('ul, ol'))
    return [...element.children].every((entry) => isText(entry) && entry.querySelector('a[href]'))
  // Cards of a shop each have a field for how many.
  if (element.matches('article, div, section'))
    return element.querySelector('a[href]') !== null && element.querySelectorAll(FIELD).length < 2
  const rows = element.matches(TABLE) ? [...element.querySelectorAll('tr:has(td), [role=row]')] : []
  return rows.some((row) => {
    const texts = [...row.children].filter(isText)
    return texts.length > 1 || texts.some((cell) => cell.querySelector('a[href]'))
  })
}

/** Tables that only arrange the page, or number the lines of code. */
const LAYOUT =
  '[role=presentation], table:has(table, nav, h1):not(:has(> * > tr > th + th)), table:has(form):not(:has(tr > th + th)), table:has(pre):not(:has(th))'

const HAS_WORDS = /[\p{L}\p{N}]/u

/** Parts of a page that each have a list: more of them are cards. */
const MOST_PARTS = 6

/** Fewer entries that have no fields are rarely worth a tool. */
const FEWEST_TEXTS = 3

/** The tables, definition lists and lists of cards of the page. */
export function findParts(): FoundPart[] {
  const found = candidates().flatMap((element): FoundPart[] => {
    const outline = outlineOf(element)
    const [way] = waysToRead([outline])
    if (!way || way.kind === 'text') return []
    const part = partOf(way)
    const value = readPart(part)
    const entries: unknown[] = Array.isArray(value)
      ? value
      : value === undefined || value === null
        ? []
        : [value]
    // A card stands for the list that it is in.
    const region =
      (part.selector === outline.around?.() || part.selector.startsWith(outline.similar?.() ?? ' ')) &&
      !element.matches('dl, table')
        ? (element.parentElement ?? element)
        : element
    const isPlain = part.kind === 'list' || part.kind === 'links'
    const texts = entries.map((entry) => JSON.stringify(entry))
    const example = texts.find((text) => HAS_WORDS.test(text))
    if (entries.length < (isPlain ? FEWEST_TEXTS : 1) || example === undefined) return []
    const heading = outline.heading?.() ?? ''
    return [{element: region, part, heading, example, count: entries.length, choices: [part]}]
  })
  const isIn = ({element}: FoundPart, others: readonly FoundPart[]) =>
    others.some((other) => other.element !== element && other.element.contains(element))
  const [plain = [], rich = []] = [true, false].map((isPlain) =>
    found.filter(({part: {kind}}) => (kind === 'list' || kind === 'links') === isPlain),
  )
  const boxes = rich.filter(({part: {kind, selector, fields = []}, element, count}) => {
    const inner = rich.filter((other) => other.element !== element && element.contains(other.element))
    if (kind === 'definitions')
      return !rich.some(
        (other) => other.element === element && other.part.fields?.some((field) => field.kind === 'address'),
      )
    // A table without headings may hold entries of several rows.
    if (kind === 'table') return !inner.some((other) => other.element.localName === 'tbody')
    // Parts of the page that are alike are no cards if a table is next to them, or in some of them.
    const tables = inner.filter(({part}) => part.kind === 'table' || part.kind === 'definitions')
    const cards: Element[] = tables.length > 0 ? findDeep(document, selector) : []
    const areInCards = tables.every((table) => cards.some((card) => card.contains(table.element)))
    // Parts of a shop that each have a list of their own are no cards.
    const offers = inner.filter(
      ({part, count: more}) => more > 1 && part.fields?.some(({name}) => name === 'price'),
    )
    const haveOffers = count <= MOST_PARTS && offers.length > 1 && offers.length >= count - 1
    // A row of the page with the list that it is about is no card, either.
    const isRow = inner.some(
      ({part, count: more}) =>
        part.kind === 'items' && more > count && Number(part.fields?.length) > fields.length,
    )
    return (
      kind !== 'items' ||
      (!isRow && !haveOffers && (tables.length === 0 || (areInCards && tables.length >= count)))
    )
  })
  const kept = boxes.filter((one) => !isIn(one, boxes))
  const hasSome = (one: FoundPart) => kept.some(({element}) => one.element.contains(element))
  const others = plain.filter((one) => !isIn(one, [...kept, ...plain]) && !hasSome(one))
  const listed = found.filter((one) => kept.includes(one) || others.includes(one))
  return [...new Map(listed.map((one) => [one.part.selector, one])).values()].slice(0, MAX_FOUND)
}

/** The pages of a website, as its longest navigation lists them. */
export function pagesHere(): FoundPart[] {
  const linksIn = (box: Element) => box.querySelectorAll('a[href]').length
  const boxes = all('nav, aside').filter((box) => box.checkVisibility())
  const [element] = boxes.toSorted((one, other) => linksIn(other) - linksIn(one))
  if (!element) return []
  const part: ProposedPart = {
    name: 'pages',
    kind: 'items',
    selector: `${uniqueSelector(element)} a[href]:not([href^="#"])`,
    fields: [
      {name: 'title', selector: '', kind: 'text'},
      {name: 'address', selector: '', kind: 'address'},
    ],
  }
  // Each page has it: a tool loads this one.
  return [{element, part, heading: 'pages', example: '', count: 0, choices: [part]}]
}

/** Elements that may hold entries: by their kind, and the first of several that are alike. */
function candidates(): Element[] {
  const roots = shadowRootsIn(all('*'))
  const inPage = (selector: string) => [
    ...all(selector),
    ...roots.flatMap((root) => [...root.querySelectorAll(selector)]),
  ]
  // The terms of some pages are each a list of its own.
  const isNextTerm = (list: Element) =>
    list.matches('dl:not(:has(> dd ~ dd))') && near(list, 'previousElementSibling').some(alikeTo(list))
  const isNextDay = (list: Element) => ![undefined, list].includes(daysWith(list)[0])
  const known = inPage(`${TABLE}, dl, ul, ol`).filter((list) => !isNextTerm(list) && !isNextDay(list))
  const headings = all('h1')
  const holdsPage = (box: Element | null) =>
    headings.length === 1 && Boolean(box?.contains(headings[0] ?? null))
  const cards = [
    ...inPage('article, div, section, a, details, tr[class]'),
    ...inPage('*').filter(({localName, shadowRoot}) => shadowRoot || localName.includes('-')),
  ].filter(
    (element) =>
      // What stands on both sides of the page is no card.
      near(element, 'nextElementSibling').some(
        (other, at, next) => alikeTo(element)(other) && ![element, ...next.slice(0, at + 1)].some(holdsPage),
      ) &&
      !near(element, 'previousElementSibling').some(alikeTo(element)) &&
      !isInText(element),
  )
  return [...new Set([...known, ...cards])]
    .sort((one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
    .filter(
      (element) =>
        !element.closest(NOT_READ) &&
        (!element.closest(FORM) || isData(element)) &&
        !element.matches(LAYOUT) &&
        element.checkVisibility(),
    )
    .slice(0, 2 * MAX_LOOKED_AT)
    .filter((element) => !isFilter(element))
    .slice(0, MAX_LOOKED_AT)
}

const MOST_ROOTS = 200

/** The open shadow roots of elements, with those in them. */
function shadowRootsIn(elements: readonly Element[]): ShadowRoot[] {
  const own = elements.flatMap(({shadowRoot, localName}) =>
    shadowRoot && localName !== 'handrail-panel' ? [shadowRoot] : [],
  )
  return own.flatMap((one) => [one, ...shadowRootsIn([...one.querySelectorAll('*')])]).slice(0, MOST_ROOTS)
}

/** Whether it is a part of a sentence, or of what is said of a term, or code. */
function isInText(element: Element): boolean {
  const {parentElement, localName} = element
  const texts = localName === 'a' ? [...(parentElement?.childNodes ?? [])] : []
  return (
    element.querySelector('pre') !== null ||
    element.closest('dd') !== null ||
    texts.some((node) => node instanceof Text && /\p{L}{2}/u.test(node.data))
  )
}

/** Some siblings: between two that are alike there may be a line, or more rows of the first. */
function near(element: Element, side: 'nextElementSibling' | 'previousElementSibling'): Element[] {
  const siblings: Element[] = []
  for (let next = element[side]; next && siblings.length < 3; next = next[side]) siblings.push(next)
  return siblings
}
