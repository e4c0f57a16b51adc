import type {Outline} from '../../../../schemas/making/picked.ts'
import {all, labelledBy, textOf, uniqueSelector} from '../../lent/borrowed.ts'
import {entryFieldsOf} from './entryFields.ts'

/** Elements above the one that was picked: what is further out is the page. */
const MAX_ABOVE = 8

/** An element, and what it is in, from the inside out. */
export function chainOf(element: Element): Outline[] {
  const chain: Outline[] = []
  for (let place: Element | null = element; place && chain.length < MAX_ABOVE; place = place.parentElement) {
    if (place === document.body) break
    chain.push(outlineOf(place))
  }
  return chain
}

/** An element, described without the page. */
export function outlineOf(element: Element): Outline {
  const entries = entriesOf(element)
  const similar = similarTo(element)
  const alike = similar === undefined ? [] : all(similar)
  const isList = element.localName === 'ul' || element.localName === 'ol'
  return {
    tag: element.localName,
    selector: uniqueSelector(element),
    entries: entries.length,
    links: entries.filter((entry) => entry.querySelector('a[href]')).length,
    // The heading before a card may be that of another card.
    heading: headingOf(alike[0] ?? element, alike.length > 0 || isList),
    similar,
    fields: entryFieldsOf(isList ? entries : alike),
  }
}

function entriesOf(element: Element): Element[] {
  if (element instanceof HTMLTableElement) return [...element.rows]
  return [...element.children].filter(
    ({localName}) => localName === (element.localName === 'dl' ? 'dt' : 'li'),
  )
}

const HEADINGS = 'h1, h2, h3, h4, h5, h6'

/** What it is about: its label, its only heading, the nearest heading above it that is not of another box, or that of the page. */
function headingOf(element: Element, isAlike: boolean): string {
  const own =
    element.getAttribute('aria-label') || labelledBy(element) || textOf(element.querySelector('caption'))
  if (own) return own
  const [inside, ...more] = element.querySelectorAll(HEADINGS)
  if (inside && more.length === 0 && !isAlike) return textOf(inside)
  for (let place = element.parentElement; place; place = place.parentElement) {
    const before = [...Element.prototype.querySelectorAll.call(place, HEADINGS)].filter(
      (heading) =>
        heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING &&
        !isInOtherBox(heading, element),
    )
    const text = textOf(before.at(-1))
    if (text) return text
  }
  return textOf(document.querySelector('h1'))
}

/** Whether a heading is about a card, or another part of the page, that the element is not in. */
function isInOtherBox(heading: Element, element: Element): boolean {
  const holds = (place: Element) => Node.prototype.contains.call(place, element)
  for (let place = heading.parentElement; place && !holds(place); place = place.parentElement) {
    const {previousElementSibling, nextElementSibling, className, localName} = place
    const isOfSeries = [previousElementSibling, nextElementSibling].some(
      (other) => other?.localName === localName && other.className === className && !holds(other),
    )
    if (isOfSeries || /^(?:li|td|th|article|section|aside|nav|dialog|form)$/.test(localName)) return true
  }
  return false
}

/** Finds the cards of a list that is none in the page's markup: siblings with the same class. */
function similarTo(element: Element): string | undefined {
  const {parentElement: parent, localName, classList} = element
  if (!parent || /^(?:td|th|tr|li|d[td]|option|[hp]\d?|br)$/.test(localName)) return undefined
  const [name] = classList
  const kind = name === undefined ? localName : `${localName}.${CSS.escape(name)}`
  const same = [...parent.children].filter((other) => other.matches(kind))
  if (same.length < 2 || (name === undefined && localName !== 'article')) return undefined
  return parent === document.body ? `body > ${kind}` : `${uniqueSelector(parent)} > ${kind}`
}
