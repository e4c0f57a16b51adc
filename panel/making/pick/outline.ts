import {TABLE} from '../../../actions/run/html/tables.ts'
import {OF_ONE} from '../../../making/inputs.ts'
import {freeName, lastingHeading, pluralOf, thingOf} from '../../../making/names.ts'
import type {Outline} from '../../../making/picked.ts'
import {all} from '../../../snippet/page.ts'
import {labelledBy, textOf} from '../../forms/controls.ts'
import {chosenHere, FILTER, isFilter} from '../../forms/facets.ts'
import {headingHere, isOfSite, onceHere, thingNamed} from '../../forms/thisPage.ts'
import {uniqueSelector} from '../../forms/uniqueSelector.ts'
import {chosenNames} from './chosenNames.ts'
import {DATE, entryFieldsOf} from './entryFields.ts'
import {columnsOf, labelledIn, linesOf, termsOf} from './tables.ts'

/** Elements above the one that was picked: what is further out is the page. */
const MAX_ABOVE = 12

/** An element, and what it is in, from the inside out. */
export function chainOf(element: Element): Outline[] {
  const chain: Outline[] = []
  for (let place: Element | null = element; place && chain.length < MAX_ABOVE; place = above(place)) {
    if (place === document.body) break
    chain.push(outlineOf(place))
  }
  return chain
}

/** What an element is in: at the top of a shadow root, the element that has it. */
export function above(element: Element): Element | null {
  const root = element.getRootNode()
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null)
}

/** An element, described without the page. */
export function outlineOf(element: Element): Outline {
  const days = element.parentElement && element.matches('ul, ol, dl') ? daysWith(element) : []
  const entries = days.length > 0 ? days.flatMap(entriesOf) : entriesOf(element)
  const isList = element.localName === 'ul' || element.localName === 'ol'
  const isTable = element.matches(TABLE)
  const isOfThings = element.localName === 'dl' && entries.length > 1 && entries.every(isThing)
  const lines = element instanceof HTMLTableElement ? linesOf(element) : undefined
  const selector = () => (days.length > 0 ? ofDays(element) : uniqueSelector(element))
  const cards = similarTo(element)
  const first = cards?.first ?? element
  return {
    tag: isTable ? 'table' : element.localName,
    selector,
    entries: entries.length,
    terms: isTable ? termsOf(element, entries) : labelledIn(isList ? entries : (cards?.alike ?? []), !isList),
    around: () => uniqueSelector(first.parentElement ?? first),
    columns: () => (isTable ? columnsOf(element) : undefined),
    links: entries.filter((entry) => entry.querySelector('a[href]')).length,
    heading: () => {
      const heading = headingOf(dayOf(first)?.parentElement ?? first, cards !== undefined || isList)
      // The heading before a card may be that of another card.
      return thingNamed(heading) ?? (lastingHeading(heading, chosenHere()) || linkedBy(element))
    },
    similar: isOfThings
      ? () => `${selector()} dt`
      : lines
        ? () => `${selector()} > ${lines.entry}`
        : cards?.selector,
    ...(isOfThings
      ? fieldsOfThings(entries)
      : (lines ?? entryFieldsOf(isList ? entries : (cards?.alike ?? [])))),
  }
}

/** Siblings of one kind with a heading each, most of which are days: what they have is one list. None of another element. */
export function daysWith(element: Element): readonly Element[] {
  const {parentElement, localName, className, previousElementSibling} = element
  // Most have none, and to look at all siblings is slow in long pages.
  if (!previousElementSibling?.matches(HEADINGS)) return []
  const known = daysHere().get(element)
  if (known) return known
  const days = [...(parentElement?.children ?? [])].filter(
    (one) =>
      one.localName === localName &&
      one.className === className &&
      one.previousElementSibling?.matches(HEADINGS),
  )
  const dated = days.filter(({previousElementSibling: heading}) =>
    DATE.test(heading?.textContent.trim() ?? ''),
  )
  const found = days.length > 1 && dated.length * 2 >= days.length ? days : []
  for (const one of days) daysHere().set(one, found)
  return found
}

const daysHere = onceHere(() => new Map<Element, readonly Element[]>())

/** The list of a day that an element is, or is in. */
function dayOf(element: Element): Element | undefined {
  return [element, element.parentElement].find((one) => one && daysWith(one).length > 0) ?? undefined
}

/** Finds the lists of all days. */
function ofDays({parentElement, localName}: Element): string {
  return `${parentElement ? uniqueSelector(parentElement) : ':root'} > ${localName}`
}

/** Whether a term can be opened, and is said more of. */
function isThing(term: Element): boolean {
  return (
    term.querySelector('a[href]:not([href^="#"])') !== null && term.nextElementSibling?.localName === 'dd'
  )
}

/** What terms say, and what is said of them. */
function fieldsOfThings(terms: readonly Element[]): Pick<Outline, 'fields'> {
  const own = entryFieldsOf(terms).fields
  const more = entryFieldsOf(
    terms.flatMap((term) => term.nextElementSibling ?? []),
    true,
  ).fields
  const names = new Set(own.map(({name}) => name))
  return {
    fields: [
      ...own,
      ...more.map((field) => ({
        ...field,
        name: freeName(field.name, names),
        selector: `+ dd ${field.selector.replace(/^:scope /, '')}`.trim(),
      })),
    ],
  }
}

/** The entries of a list that is in groups, each of a heading and a list, such as by their first letters. */
function entriesInGroups(groups: readonly Element[]): Element[] {
  const isGroup = ({children: [heading, list, ...more]}: Element) =>
    more.length === 0 && heading?.matches(HEADINGS) && list?.matches('ul, ol')
  const entries = groups.every(isGroup) ? groups.flatMap((group) => [...group.querySelectorAll('li')]) : []
  return entries.every((entry) => entry.querySelector('a[href]')) ? entries : []
}

/** What the links of a list are about, as their addresses say: “products”. */
function linkedBy(element: Element): string {
  const link = (element.matches('a') ? element : element.querySelector('a[href]'))?.getAttribute('href') ?? ''
  const url = URL.parse(link, document.baseURI)
  const name = [...(url?.searchParams.keys() ?? [])].find((one) => OF_ONE.test(one))
  const thing = name?.replace(OF_ONE, '') || (url && thingOf(url.pathname))
  return thing ? pluralOf(thing.replaceAll(/[_-]+/g, ' ').trim()) : ''
}

function entriesOf(element: Element): Element[] {
  if (element instanceof HTMLTableElement) return [...element.rows]
  if (element.matches(TABLE)) return [...element.querySelectorAll('[role=row]')]
  return element.localName === 'dl'
    ? [...element.querySelectorAll(':scope > dt, :scope > div > dt')]
    : [...element.children].filter(({localName}) => localName === 'li')
}

const HEADINGS = 'h1, h2, h3, h4, h5, h6'

const headingsHere = onceHere(() => all(HEADINGS))

/** What it is about: its label, its only heading, the nearest heading above it that is not of another box, or that of the page. */
function headingOf(element: Element, isAlike: boolean): string {
  const own =
    element.getAttribute('aria-label') || labelledBy(element) || textOf(element.querySelector('caption'))
  if (own) return own
  const [inside, ...more] = isAlike ? [] : element.querySelectorAll(HEADINGS)
  if (inside && more.length === 0) return textOf(inside)
  const root = element.getRootNode()
  const headings = root instanceof ShadowRoot ? [...root.querySelectorAll(HEADINGS)] : headingsHere()
  const before = headings
    .slice(0, countBefore(headings, element))
    .findLast(
      (heading) =>
        HAS_WORDS.test(textOf(heading)) &&
        !DATE.test(textOf(heading)) &&
        !isInOtherBox(heading, element) &&
        !isOfFilter(heading, element) &&
        !(heading.localName === 'h1' && isOfSite(heading)),
    )
  for (let place = element.parentElement; place; place = place.parentElement) {
    const isNearest = before && Node.prototype.contains.call(place, before)
    const text = isNearest ? textOf(before) : tabOf(place)
    if (text) return text
  }
  return headingHere()
}

/** How many elements, in the order of the page, stand before another one: to compare positions is slow in long pages. */
function countBefore(elements: readonly Element[], other: Element): number {
  let [from, to] = [0, elements.length]
  while (from < to) {
    const at = (from + to) >> 1
    const isBefore = elements[at]?.compareDocumentPosition(other) ?? 0
    if (isBefore & Node.DOCUMENT_POSITION_FOLLOWING) from = at + 1
    else to = at
  }
  return from
}

/** A price is no heading. */
const HAS_WORDS = /\p{L}/u

/** Whether a heading says what the page can be filtered by. */
function isOfFilter({nextElementSibling: next}: Element, element: Element): boolean {
  return next !== null && !next.contains(element) && [next, ...next.querySelectorAll('ul, ol')].some(isFilter)
}

/** The text of the tab that shows a part of the page. */
function tabOf(place: Element): string {
  if (place.role === 'tabpanel' && labelledBy(place)) return labelledBy(place)
  const target = JSON.stringify(`#${place.id}`)
  const tab = `:is([data-toggle=tab], [data-bs-toggle=tab]):is([href=${target}], [data-bs-target=${target}])`
  return place.id ? textOf(all(tab)[0]) : ''
}

/** Whether a heading is about a card, or another part of the page, that the element is not in. */
function isInOtherBox(heading: Element, element: Element): boolean {
  const holds = (place: Element) => Node.prototype.contains.call(place, element)
  for (let place = heading.parentElement; place && !holds(place); place = place.parentElement) {
    const {previousElementSibling, nextElementSibling, className, localName} = place
    const isOfSeries = [previousElementSibling, nextElementSibling].some(
      (other) => other?.localName === localName && other.className === className && !holds(other),
    )
    if (
      isOfSeries ||
      /^(?:li|td|th|article|section|aside|nav|dialog|form)$/.test(localName) ||
      place.role === 'navigation' ||
      place.matches(FILTER)
    )
      return true
  }
  return false
}

/** Parts of tables and lists that are recognised as a whole, and what is no box. */
const NO_CARD =
  'body, tbody, td, th, li, dd, dt, dl > :not(div:has(> dt a[href])), option, h1, h2, h3, h4, h5, h6, p, br, span, [role=row], [role=rowgroup], [role=cell], [role=gridcell], [role=columnheader]'

/** Finds the cards of a list that is none in the page's markup: siblings that are alike, or the entries in them. */
function similarTo(element: Element) {
  const {parentElement: parent, localName} = element
  if (!parent || element.matches(NO_CARD)) return undefined
  const names = chosenNames(element).map(({selector}) => localName + selector)
  // Rows of a table with headings or labels are no cards, and neither are lines that no person named.
  const table = localName === 'tr' && parent.closest('table')
  if (table && (names.length === 0 || table.querySelector('th') || termsOf(table, [...table.rows]) > 0))
    return undefined
  const days = daysWith(parent)
  const siblings = (days.length > 0 ? days : [parent]).flatMap((one) => [...one.children])
  const same = siblings.filter(alikeTo(element))
  if (same.length < 2) return undefined
  const kind = names.find((name) => same.every((other) => other.matches(name))) ?? localName
  const groups = siblings.filter((other) => other.matches(kind))
  const inner = entriesInGroups(groups)
  const list = () => (days.length > 0 ? ofDays(parent) : uniqueSelector(parent))
  return {
    alike: inner.length > 0 ? inner : groups,
    first: groups[0] ?? element,
    selector: () => `${parent === document.body ? 'body' : list()} > ${kind}${inner.length > 0 ? ' li' : ''}`,
  }
}

/** Whether two siblings are cards of one list: they share a class, or begin with the same. */
export function alikeTo(element: Element): (other: Element) => boolean {
  const names = chosenNames(element)
  return (other) => {
    if (other.localName !== element.localName) return false
    if (element.shadowRoot && other.shadowRoot) return true
    if (names.length > 0) return names.some(({selector}) => other.matches(selector))
    const isSame = other.className === element.className
    return isSame && (element.classList.length > 0 || startOf(other) === startOf(element))
  }
}

/** Ids of the parts that pages are arranged in. */
const ARRANGED = /^(?:content|left|main|menu|nav|right|side)/

/** What a box without a class begins with; of what may be no card, or is a part of each page, nothing that another one begins with. */
function startOf({localName, id, firstElementChild: child}: Element): unknown {
  if (/^(?:article|details)$/.test(localName)) return localName
  const isBox = /^(?:div|a|section)$|-/.test(localName) && !ARRANGED.test(id)
  if (
    !isBox ||
    !(child?.localName.includes('-') || child?.matches(`a, article, div, img, figure, ${HEADINGS}`))
  )
    return {}
  return `${child.localName}.${chosenNames(child)[0]?.selector}`
}
