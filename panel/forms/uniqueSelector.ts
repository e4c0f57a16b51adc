import {isStable, isUtility} from '../../schemas/rules/names/stableName.ts'
import {all, first, read} from '../../snippet/page.ts'
import {controlsOf} from './controls.ts'
import {idsHere, onceHere} from './thisPage.ts'

/**
 * A short selector that matches one element of its kind only. Prefers what developers name on purpose, and uses
 * the position in the document only if nothing else is unique.
 */
export function uniqueSelector(element: Element): string {
  const root = element.getRootNode()
  const selector = selectorsHere().get(element) ?? selectorWithin(element)
  selectorsHere().set(element, selector)
  return root instanceof ShadowRoot ? `${uniqueSelector(root.host)} >>> ${selector}` : selector
}

const selectorsHere = onceHere(() => new Map<Element, string>())

/** Within the document, or the shadow root that the element is in. */
function selectorWithin(element: Element): string {
  const type = typeOf(element)
  const ids = idsHere()
  const own = namesOf(element, type, ids)
  for (const name of [...own, ...(LANDMARKS.includes(type) ? [type] : [])])
    if (isUnique(name, element)) return name
  for (let above = parentOf(element); above; above = above.parentElement) {
    for (const place of placesOf(above, ids)) {
      const selector = `${place} ${type}`
      if (isUnique(selector, element)) return selector
      for (const name of own) if (isUnique(`${place} ${name}`, element)) return `${place} ${name}`
    }
  }
  if (element instanceof HTMLFormElement)
    for (const {name} of controlsOf(element)) {
      const selector = `form:has([name=${quote(name)}])`
      if (isUnique(selector, element)) return selector
    }
  return pathOf(element)
}

/** A field of a form hides a member of its name. */
function typeOf(element: Element): string {
  return element instanceof HTMLFormElement ? 'form' : CSS.escape(element.localName)
}

/** What an element is in. A field of a form hides a member of its name. */
export function parentOf(element: Element): Element | null {
  return element instanceof HTMLFormElement
    ? read(HTMLFormElement, 'parentElement', element)
    : element.parentElement
}

/** Of these, a page usually has one. */
const LANDMARKS = ['main', 'header', 'footer', 'nav', 'aside', 'dialog']

function namesOf(element: Element, type: string, ids: readonly string[]): string[] {
  const own = (name: string) => Element.prototype.getAttribute.call(element, name)
  const id = own('id')
  const isLasting = (name: string) => isStable(name) && !isOfOnePage(name, ids)
  const names = id && isLasting(id) ? [`#${CSS.escape(id)}`] : []
  const withAttribute = (attribute: string) => {
    const value = own(attribute)
    if (value && value.length <= 60 && isLasting(value)) names.push(`${type}[${attribute}=${quote(value)}]`)
  }
  for (const attribute of ['name', 'data-testid', 'aria-label']) withAttribute(attribute)
  // Pages in other folders have another address for the same.
  const isRelative = /^(?!\/|\w+:)/.test(own('action') ?? '')
  if (!isRelative) withAttribute('action')
  for (const className of new Set(own('class')?.split(/\s+/))) {
    if (isLasting(className) && !isUtility(className)) names.push(`${type}.${CSS.escape(className)}`)
  }
  if (isRelative) withAttribute('action')
  // Scripts add roles to what the website sends.
  withAttribute('role')
  return names
}

/** Whether a name has what tells this page from pages like it, as the action “/posts/my-day” of a form on “/posts/my-day”. */
function isOfOnePage(name: string, ids: readonly string[]): boolean {
  const words = (text: string) =>
    ` ${text
      .toLowerCase()
      .replaceAll(/[^a-z\d]+/g, ' ')
      .trim()} `
  return ids.some((id) => words(name).includes(words(id))) || valuesHere().some((one) => name.includes(one))
}

/** Values of the query that ids of elements may have, as `list-3_10` has. */
const valuesHere = onceHere(() =>
  [...new URLSearchParams(location.search).values()].filter((value) => /^(?=.*\d)\w{2,}$/.test(value)),
)

function placesOf(element: Element, ids: readonly string[]): string[] {
  const type = element.localName
  return type === 'html' || type === 'body'
    ? []
    : [...namesOf(element, type, ids), ...(LANDMARKS.includes(type) ? [type] : [])]
}

function quote(value: string): string {
  return /^[A-Za-z][\w-]*$/.test(value) ? value : `"${CSS.escape(value).replaceAll(/\\(?=[/ .])/g, '')}"`
}

function isUnique(selector: string, element: Element): boolean {
  const type = typeOf(element)
  const root = element.getRootNode()
  const wanted = `${type}:is(${selector})`
  const isInRoot = root instanceof ShadowRoot
  // The first one is found at once, and is another one for most selectors.
  if ((isInRoot ? root.querySelector(wanted) : first(wanted)) !== element) return false
  const [, ...more] = isInRoot ? root.querySelectorAll(wanted) : all(wanted)
  return more.every((other) => isSameForm(other, element))
}

/** Whether both send the same, as a search over and under a page does: of several forms, a tool takes the first. */
function isSameForm(...pair: readonly Element[]): boolean {
  const [one, other] = pair.map((form) =>
    form instanceof HTMLFormElement
      ? `${Element.prototype.getAttribute.call(form, 'action')} ${controlsOf(form).map(({name}) => name)}`
      : form,
  )
  return one === other
}

function pathOf(element: Element): string {
  const steps: string[] = []
  for (let place = element; ; ) {
    const parent = parentOf(place)
    const type = typeOf(place)
    if (!parent && place.getRootNode() instanceof ShadowRoot) return [type, ...steps].join(' > ')
    if (!parent || type === 'body') return ['body', ...steps].join(' > ')
    const same = [...parent.children].filter((other) => other.localName === place.localName)
    steps.unshift(same.length > 1 ? `${type}:nth-of-type(${same.indexOf(place) + 1})` : type)
    const selector = steps.join(' > ')
    if (isUnique(selector, element)) return selector
    place = parent
  }
}
