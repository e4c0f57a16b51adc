import {textOf} from '../../../actions/run/html/texts.ts'
import {freeName, nameFromWords} from '../../../making/names.ts'
import type {ProposedField} from '../../../making/picked.ts'
import {INTO} from '../../../schemas/actions/parts.ts'
import {chosenNames} from './chosenNames.ts'

/** Entries that are compared: what all of them say is a label, and what differs is a value. */
const MAX_COMPARED = 10
const MAX_FIELDS = 8

/** Elements of an entry: more of them are a part of the page. */
const MAX_ELEMENTS = 200

/** Characters of a label, such as “Article number”. */
const LONGEST_LABEL = 40

const HEADING = 'h1, h2, h3, h4, h5, h6, [role=heading]'

const SAYS_TITLE =
  /(?:^|[-_ ])(?:title|name|headline|heading|subject)(?![a-z])|(?:Title|Name|Headline)(?![a-z])/

/** Weight of a font that sets a text off. */
const BOLD = 600

/** What leads to a page. */
const LINK = 'a[href]:not([href^="mailto:" i], [href^="tel:" i], [href^="javascript:" i])'

/** A number with a currency. */
export const PRICE =
  /^(?=.*\d)(?=.*(?:\p{Sc}|\b[A-Z]{3}\b|\bkr\b|zł|Kč|[円元원]))[^\d]{0,8}[\d.,'’ \u00a0–-]+[^\d]{0,20}$/u

/** A day with a month or a year, as people write it. */
export const DATE =
  /^\p{L}{0,10}[.,]?\s?(?:\d{4}[-/.]\d{2}[-/.]\d{2}|\d{1,2}[./]\d{1,2}[./](?:\d{2}){1,2}|\d{1,2}\.? \p{L}{3,9}\.? \d{4}|\p{L}{3,9}\.? \d{1,2}, \d{4})(?:\D{1,6}\d{1,2}:\d{2}.{0,12})?$/u

/** Attributes of an entry by which other tools find it, or that say what its texts do not. */
const DATA = /^data-(?!v-)(?:.*[-_])?((?!uuid).*(?:id|sku|asin|price|code|slug|handle|isbn|symbol)|ts)$/

/** What entries of one kind have. */
export type EntryFields = {
  readonly fields: readonly ProposedField[]
  /** What all of them say, such as “In stock”. */
  readonly same: readonly ProposedField[]
}

const NONE: EntryFields = {fields: [], same: []}

/**
 * What entries of one kind have: title, link, time, picture, and texts, named by class or by the label before.
 * @param isMore their titles are elsewhere
 */
export function entryFieldsOf(entries: readonly Element[], isMore = false): EntryFields {
  const example = typicalOf(entries)
  if (example?.shadowRoot) return fieldsInRoots(entries)
  if (!example || example.querySelectorAll('*').length > MAX_ELEMENTS) return NONE
  const compared = entries.slice(0, MAX_COMPARED)
  const fields: ProposedField[] = []
  const same: ProposedField[] = []
  const add = (
    name: string,
    element: Element | null | undefined,
    kind: ProposedField['kind'],
    attribute?: string,
    found = fields,
  ) => {
    if (!element || found.length === MAX_FIELDS) return
    const selector = selectorIn(example, element)
    const isUsual = (one: Element) => selector === '' || one.querySelector(selector)
    if (compared.filter(isUsual).length * 2 <= compared.length) return
    const taken = new Set([...fields, ...same].map((field) => field.name))
    found.push({name: freeName(name, taken), selector, kind, ...(attribute && {attribute})})
  }
  const textsOf = (element: Element, read: (element: Element) => string | null = textOf) => {
    const selector = selectorIn(example, element)
    return compared.map((entry) => {
      const same = selector ? entry.querySelector(selector) : entry
      return same && read(same)
    })
  }
  // One entry alone has nothing to be compared with: what a search finds may be one.
  const differs = (element: Element, texts = textsOf(element)) =>
    entries.length === 1 ? !element.matches('dt') && !texts[0]?.endsWith(':') : isDifferent(texts)
  const leaves = leavesOf(example)
  // “Undo” is no value, although some entries lack it.
  const differsWhereIs = (leaf: Element) =>
    differs(
      leaf,
      textsOf(leaf).filter((text) => text !== null),
    )
  const title = isMore ? undefined : titleOf(example, leaves, differsWhereIs)
  const link = isMore
    ? undefined
    : (title?.closest(LINK) ??
      title?.querySelector(LINK) ??
      (example.matches(LINK) ? example : example.querySelector(LINK)))
  const isLabelled = !title && link?.ariaLabel && isDifferent(textsOf(link, ({ariaLabel}) => ariaLabel))
  if (isLabelled) add('title', link, 'attribute', 'aria-label')
  else add('title', title, 'text')
  add('address', link, 'address')
  add('date', example.querySelector('time[datetime]'), 'attribute', 'datetime')
  const titles = title && textsOf(title).join('\n')
  const labels: Element[] = []
  let label = ''
  // Where an entry has a text of its own, what has no name is a part of that.
  const isWhole = [...example.childNodes].some(isText)
  for (const leaf of leaves) {
    if (leaf.matches('time[datetime]')) {
      label = ''
      continue
    }
    const texts = textsOf(leaf)
    // Some cards have their title twice.
    if (texts.join('\n') === titles || (isWhole && chosenNames(leaf).length === 0)) continue
    const isValue = isLinkOrTime(leaf) ? differsWhereIs(leaf) : differs(leaf, texts)
    if (!isValue && !isOfKind(texts)) {
      label = textOf(leaf).length <= LONGEST_LABEL ? textOf(leaf) : ''
      if (label !== '' && !label.endsWith(':') && !isLinkOrTime(leaf)) labels.push(leaf)
    } else if (
      !(title?.contains(leaf) || (title && leaf.contains(title))) &&
      texts.filter(Boolean).length * 2 > texts.length
    ) {
      const price = leaf.closest('del, s') ? 'oldPrice' : 'price'
      const isPrice = texts.every((text) => !text || PRICE.test(text))
      const name = isPrice ? price : fieldNameOf(leaf, label, texts)
      if (label !== '' && name === nameFromWords(label)) labels.pop()
      add(name, leaf, 'text')
      label = ''
    }
  }
  if (isWhole && !example.matches('a')) add('text', example, 'text')
  add('picture', example.querySelector('img[alt]:not([alt=""])'), 'attribute', 'alt')
  for (const element of [example, ...example.querySelectorAll('meta[itemprop], button')])
    for (const attribute of element.getAttributeNames()) {
      const said = attribute === 'content' ? element.getAttribute('itemprop') : DATA.exec(attribute)?.[1]
      const name = nameFromWords(said ?? '')
      const isNew = name !== '' && !fields.some((field) => field.name === name)
      if (isNew && isDifferent(textsOf(element, (one) => one.getAttribute(attribute))))
        add(name, element, 'attribute', attribute)
    }
  if (entries.length > 1) for (const leaf of labels) add(fieldNameOf(leaf), leaf, 'text', undefined, same)
  return entries.length > 1 || (fields.length >= FEWEST_ALONE && !isWhole) ? {fields, same} : NONE
}

/** The first entry, unless it is built in another way than most. */
function typicalOf(entries: readonly Element[]): Element | undefined {
  const compared = entries.slice(0, MAX_COMPARED)
  if (compared.some((entry) => entry.querySelectorAll('*').length > MAX_ELEMENTS)) return entries[0]
  const kinds = Map.groupBy(compared, (entry) =>
    Array.from(entry.querySelectorAll('*'), ({localName}) => localName).join(),
  )
  const most = [...kinds.values()].find((alike) => alike.length * 2 > compared.length)
  return most?.[0] ?? entries[0]
}

/** Cards that are components have one box in a root of their own. */
function fieldsInRoots(entries: readonly Element[]): EntryFields {
  const boxes = entries.flatMap(({shadowRoot}) => {
    const children = [...(shadowRoot?.children ?? [])].filter((one) => !one.matches('style, link, script'))
    return children.length === 1 ? children : []
  })
  const [{localName} = {localName: ''}] = boxes
  if (boxes.length < entries.length) return NONE
  const {fields, same} = entryFieldsOf(boxes)
  const inRoot = (field: ProposedField) => ({
    ...field,
    selector: `${INTO} ${field.selector.replace(/^:scope/, localName) || localName}`,
  })
  return {fields: fields.map(inRoot), same: same.map(inRoot)}
}

/** Whether a text is all that a link says, or a time, which is a field by itself. */
function isLinkOrTime(leaf: Element): boolean {
  const link = leaf.closest('a, time') ?? leaf.querySelector('a, time')
  return link !== null && textOf(link) === textOf(leaf)
}

/** Fields of an entry that is alone: with fewer, it may be anything. */
const FEWEST_ALONE = 3

/** Whether texts are prices or days, which are values also where all of them are the same. */
function isOfKind(texts: readonly (string | null | undefined)[]): boolean {
  return texts.every((text) => !text || PRICE.test(text) || DATE.test(text))
}

function isDifferent(texts: readonly unknown[]): boolean {
  return texts.some((text) => text !== texts[0])
}

/** The element with the title: a heading, what is called so, a link with one text, or the first text that is set off or always seen. */
function titleOf(
  entry: Element,
  leaves: readonly Element[],
  differs: (element: Element) => boolean,
): Element | undefined {
  // The day of an entry may stand above its title.
  const headings = [...entry.querySelectorAll(HEADING)].filter((one) => textOf(one))
  const heading = headings.find((one) => !DATE.test(textOf(one))) ?? headings[0]
  if (heading) return heading
  const words = leaves.filter((leaf) => /\p{L}{2}[^:]*$/u.test(textOf(leaf)))
  const texts = words.filter((leaf) => differs(leaf))
  const isCalledSo = (leaf: Element) =>
    leaf.matches('[itemprop=name], [itemprop=headline]') ||
    /(?:^|[\s-])h[1-6](?:\s|$)/.test(leaf.className) ||
    chosenNames(leaf).some(({name}) => SAYS_TITLE.test(name))
  // “Details” and “38 reviews” are no titles.
  const isOfLink = (leaf: Element) => {
    const link = leaf.closest('a') ?? leaf.querySelector('a')
    return link && link !== entry && textOf(link) === textOf(leaf)
  }
  const isSetOff = (leaf: Element) =>
    (leaf.matches('strong, b, dt, summary') || Number(getComputedStyle(leaf).fontWeight) >= BOLD) &&
    !PRICE.test(textOf(leaf))
  const isInLink = (leaf: Element) => leaf.closest('a[href]') && !PRICE.test(textOf(leaf))
  // All that a search finds may have one name.
  const found = texts.find(isCalledSo) ?? words.find(isCalledSo)
  return found ?? [isOfLink, isSetOff, isInLink].flatMap((rule) => texts.find(rule) ?? []).at(0)
}

function isText(node: Node): boolean {
  return node.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]/u.test(node.nodeValue ?? '')
}

/** Elements with a text of their own that visitors see, without what they press. What has no other text, an element stands for. */
function leavesOf(entry: Element): Element[] {
  const leaves = [...entry.querySelectorAll('*')].filter(
    (element) =>
      [...element.childNodes].some(isText) &&
      (element.checkVisibility() || isClosed(entry, element)) &&
      !element.closest('button, [role=button], script, style, select, svg, pre, [aria-hidden=true]'),
  )
  const outer = [...new Set(leaves.map((leaf) => outermost(entry, leaf)))]
  // What is set off within a text is a part of it, as code is.
  return outer.filter(
    (leaf) =>
      (chosenNames(leaf).length > 0 && !leaf.matches('code, code *')) ||
      !outer.some((other) => other !== leaf && other.contains(leaf)),
  )
}

/** Whether it is in a part of the entry that visitors open. */
function isClosed(entry: Element, element: Element): boolean {
  const closed = [...entry.querySelectorAll('[aria-expanded=false][aria-controls]')].map((control) =>
    entry.querySelector(`#${CSS.escape(control.getAttribute('aria-controls') ?? '')}`),
  )
  return [...closed, element.closest('details:not([open])')].some((part) => part?.contains(element))
}

function outermost(entry: Element, leaf: Element): Element {
  const isNamed = (element: Element) =>
    chosenNames(element).some(({selector}) => entry.querySelectorAll(selector).length === 1)
  const {parentElement: parent} = leaf
  const isSame = parent && parent !== entry && textOf(parent) === textOf(leaf)
  return isSame && (isNamed(parent) || !isNamed(leaf)) ? outermost(entry, parent) : leaf
}

/** By the label before it, or that all of them begin with, as in “Brand: Rope & Co”; else by what its element is called. */
function fieldNameOf(leaf: Element, label = '', texts: readonly (string | null)[] = []): string {
  const [start, ...others] = texts.map((text) => /^([^:\s]+(?: [^:\s]+){0,2}): /.exec(text ?? '')?.[1])
  const own = others.includes(start) ? start : ''
  const names = [
    leaf.getAttribute('itemprop') ?? '',
    label.endsWith(':') ? label : (own ?? ''),
    // Names of a variant are longer than that of the element.
    (chosenNames(leaf).findLast(({name}) => !name.includes('--')) ?? chosenNames(leaf).at(-1))?.name ?? '',
    label,
  ]
  return names.map(nameFromWords).find(Boolean) ?? 'text'
}

/** Finds an element within an entry, also in other entries: by its class or tag, else by its place. Empty: the entry itself. */
function selectorIn(entry: Element, element: Element): string {
  if (element === entry) return ''
  const property = element.getAttribute('itemprop')
  const short = [
    ...(property ? [`[itemprop=${CSS.escape(property)}]`] : []),
    ...chosenNames(element).map(({selector}) => selector),
    element.localName,
  ].find(
    (selector) => entry.querySelector(selector) === element && entry.querySelectorAll(selector).length === 1,
  )
  if (short) return short
  const {parentElement: parent, localName} = element
  if (!parent) return localName
  const same = [...parent.children].filter((other) => other.localName === localName)
  const own = same.length === 1 ? localName : `${localName}:nth-of-type(${same.indexOf(element) + 1})`
  const above = selectorIn(entry, parent)
  return `${above || ':scope'} > ${own}`
}
