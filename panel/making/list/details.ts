import {lastingHeading} from '../../../making/names.ts'
import type {ProposedPart} from '../../../making/picked.ts'
import {shortened} from '../../../schemas/rules/text.ts'
import {all} from '../../../snippet/page.ts'
import {textOf} from '../../forms/controls.ts'
import {headingHere, isOfSite, pageHeading, thingHere} from '../../forms/thisPage.ts'
import {uniqueSelector} from '../../forms/uniqueSelector.ts'
import {PRICE} from '../pick/entryFields.ts'
import {searchedHere} from '../record/searches.ts'
import {readPage} from '../run.ts'
import {type FoundPart, findParts, NOT_READ} from './readings.ts'

/** Characters of a text that is worth a tool, if the page may be the only one of its kind. */
const SHORTEST_TEXT = 200

/** Characters of what is shown of it. */
const LONGEST_EXAMPLE = 400

/** Characters of a price. */
const LONGEST_PRICE = 40

/** Groups of facts that are about the thing itself. */
const MOST_FACTS = 8

/** What the page has, its details first. */
export function partsHere(): FoundPart[] {
  const found = findParts()
  const details = searchedHere() ? [] : findDetails(found)
  const isIn = ({part, heading}: FoundPart) => part.kind === 'definitions' && heading === details[0]?.heading
  return [...details, ...found.filter((one) => !isIn(one))]
}

/** What the page says about the one thing that it is about: its name, its price, its facts, and its text. */
function findDetails(found: readonly FoundPart[]): FoundPart[] {
  const isShown = (one: Element) => one.checkVisibility() && textOf(one) !== ''
  const heading = [pageHeading()].find((one) => one && isShown(one))
  if (all('h1').filter((one) => isShown(one) && !isOfSite(one)).length > 1) return []
  const thing = thingHere()
  const isOwn = (element: Element) =>
    !(heading && element.compareDocumentPosition(heading) & Node.DOCUMENT_POSITION_FOLLOWING) &&
    element.checkVisibility() &&
    !element.closest(`${NOT_READ}, aside`) &&
    !found.some(
      ({part: {kind}, element: list}) =>
        kind !== 'list' && kind !== 'links' && list.contains(element) && !list.contains(heading ?? null),
    )
  const isPrice = (element: Element) =>
    element.childElementCount === 0 &&
    element.textContent.length <= LONGEST_PRICE &&
    PRICE.test(element.textContent.trim()) &&
    !element.closest('del, s, script, style') &&
    isOwn(element)
  const longest = boxOfText(
    (one) =>
      isOwn(one) &&
      !one.closest(NO_TEXT) &&
      ![...one.children].some((child) => child.matches('h1') && isOfSite(child)),
  )
  // What has the heading of the website is the whole page.
  const box = all('h1').some((one) => one !== heading && longest?.contains(one)) ? undefined : longest
  if (thing === undefined && textOf(box).length < SHORTEST_TEXT) return []
  const partOf = (name: string, element: Element | undefined): ProposedPart[] =>
    element ? [{name, kind: 'text', selector: uniqueSelector(element)}] : []
  const about = thing ?? lastingHeading(headingHere())
  // What has a heading of its own may be about something else.
  const facts = found
    .filter(({part: {kind}}) => kind === 'definitions')
    .filter((one, at) => at === 0 || one.heading === about)
    .slice(0, MOST_FACTS)
  const parts = [
    ...partOf('title', heading),
    ...(thing ? partOf('price', all('body *').find(isPrice)) : []),
    ...(thing ? facts.map(({part}, at) => ({...part, name: at > 0 ? `facts${at + 1}` : 'facts'})) : []),
    ...partOf('text', box),
  ]
  const [part] = parts
  if (!part || (heading && parts.length === 1)) return []
  const element = heading ?? box ?? document.body
  const example = shortened(JSON.stringify(Object(readPage(parts))), LONGEST_EXAMPLE)
  return [{element, part, parts, heading: about, example, count: 1, choices: []}]
}

/** What says nothing about the page’s own subject. */
const NO_TEXT = 'form:not(:has(h1)), [id*=comment i], [class*=comment i]'

/** Texts that are looked at: long pages would become slow. */
const MOST_TEXTS = 3_000

/** The innermost element that has most of what paragraphs, and boxes with a text of their own, say. */
function boxOfText(isOwn: (element: Element) => boolean): Element | undefined {
  const said = all('p, div, article, section').flatMap((element) => {
    const own = [...element.childNodes].filter((node) => element.localName === 'p' || node instanceof Text)
    const {length} = own.map((node) => node.textContent?.trim()).join('')
    return length > 0 ? [{element, length}] : []
  })
  const texts = said.slice(0, MOST_TEXTS).filter(({element}) => isOwn(element))
  const lengthIn = (place: Element) =>
    texts.reduce((sum, {element, length}) => sum + (place.contains(element) ? length : 0), 0)
  const [longest] = texts.toSorted((one, other) => other.length - one.length)
  let box: Element | null | undefined =
    longest?.element.localName === 'p' ? longest.element.parentElement : longest?.element
  while (box && lengthIn(box) < 0.6 * lengthIn(document.body)) box = box.parentElement
  // What somebody wrote is built in another way on each page: what has nothing else, is there on all of them.
  if (!box || box === document.body) return undefined
  let place = box
  while (place.parentElement && textOf(place.parentElement) === textOf(box)) place = place.parentElement
  return place === document.body ? box : place
}
