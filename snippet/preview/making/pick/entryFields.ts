import {nameFromWords} from '../../../../schemas/making/names.ts'
import type {ProposedField} from '../../../../schemas/making/picked.ts'
import {textOf} from '../../lent/borrowed.ts'

/** Entries that are compared: what all of them say is a label, and what differs is a value. */
const MAX_COMPARED = 10
const MAX_FIELDS = 8

/** Elements of an entry: more of them are a part of the page. */
const MAX_ELEMENTS = 200

/** Characters of a label, such as “Article number”. */
const LONGEST_LABEL = 40

/** What entries of one kind have: heading, link, time, picture, and texts that differ, named by class or by the label before. */
export function entryFieldsOf(entries: readonly Element[]): ProposedField[] {
  const [example] = entries
  if (!example || entries.length < 2 || example.querySelectorAll('*').length > MAX_ELEMENTS) return []
  const compared = entries.slice(0, MAX_COMPARED)
  const found: ProposedField[] = []
  const add = (name: string, element: Element | null, more: Pick<ProposedField, 'kind' | 'attribute'>) => {
    if (!element || found.length === MAX_FIELDS) return
    const selector = selectorIn(example, element)
    const taken = found.map((field) => field.name)
    const free = [name, `${name}2`, `${name}3`, `${name}4`].find((one) => !taken.includes(one))
    if (free !== undefined) found.push({name: free, selector, ...more})
  }
  const textsOf = (element: Element) => {
    const selector = selectorIn(example, element)
    return compared.map((entry) => textOf(selector ? entry.querySelector(selector) : entry))
  }
  const heading = example.querySelector('h1, h2, h3, h4, h5, h6')
  const link = example.matches('a[href]') ? example : example.querySelector('a[href]')
  // “Details” and “38 reviews” are no titles.
  const title = heading ?? (link && link !== example && isDifferent(textsOf(link)) ? link : null)
  add('title', title, {kind: 'text'})
  add('address', link, {kind: 'address'})
  add('date', example.querySelector('time[datetime]'), {kind: 'attribute', attribute: 'datetime'})
  let label = ''
  for (const leaf of leavesOf(example)) {
    const texts = textsOf(leaf)
    if (!isDifferent(texts)) label = textOf(leaf).length <= LONGEST_LABEL ? textOf(leaf) : ''
    else if (
      !(title?.contains(leaf) || leaf.contains(title)) &&
      texts.filter(Boolean).length * 2 > texts.length
    ) {
      add(nameFromWords(classOf(leaf) ?? '') || nameFromWords(label) || 'text', leaf, {kind: 'text'})
      label = ''
    }
  }
  add('picture', example.querySelector('img[alt]:not([alt=""])'), {kind: 'attribute', attribute: 'alt'})
  return found
}

function isDifferent(texts: readonly string[]): boolean {
  return texts.some((text) => text !== texts[0])
}

/** Elements with a text of their own that visitors see, without what they press. What has no other text, an element stands for. */
function leavesOf(entry: Element): Element[] {
  const leaves = [...entry.querySelectorAll('*')].filter(
    (element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim()) &&
      element.checkVisibility() &&
      !element.closest('button, script, style, select, svg'),
  )
  return [...new Set(leaves.map((leaf) => outermost(entry, leaf)))]
}

function outermost(entry: Element, leaf: Element): Element {
  const {parentElement: parent} = leaf
  return parent && parent !== entry && textOf(parent) === textOf(leaf) ? outermost(entry, parent) : leaf
}

/** Classes that generators and utilities give: they say how something looks, and are others tomorrow. */
const LOOKS =
  /^(?:css|sc|jsx?|svelte|text|font|bg|border|rounded|flex|col|row|btn|[mp][trblxy]?|[wh]|d|fs|fw)-|[^a-z_-]/i

/** A class that a person gave. */
function classOf(element: Element): string | undefined {
  return [...element.classList].find((name) => !LOOKS.test(name))
}

/** Finds an element within an entry, also in other entries: by its class or tag, else by its place. Empty: the entry itself. */
function selectorIn(entry: Element, element: Element): string {
  if (element === entry) return ''
  const name = classOf(element)
  const short = [name && `.${CSS.escape(name)}`, element.localName].find(
    (selector) =>
      selector && entry.querySelector(selector) === element && entry.querySelectorAll(selector).length === 1,
  )
  if (short) return short
  const {parentElement: parent, localName} = element
  if (!parent) return localName
  const same = [...parent.children].filter((other) => other.localName === localName)
  const own = same.length === 1 ? localName : `${localName}:nth-of-type(${same.indexOf(element) + 1})`
  const above = selectorIn(entry, parent)
  return `${above || ':scope'} > ${own}`
}
