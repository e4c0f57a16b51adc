import {ofCookie, onPage} from '../../../actions/run/values.ts'
import type {PageValue} from '../../../schemas/actions/row.ts'
import {uniqueSelector} from '../../forms/uniqueSelector.ts'

/** Attributes that say where an element is or how it looks. */
const OTHER = /^(?:id|class|for|name|type|style|href|src|srcset|action|nonce|title|alt)$/i

/** Where a value stands on the page, so that scripts find it there again; undefined: nowhere. */
export function placeInPage(value: string): PageValue | undefined {
  const call = {args: {}, document}
  const isThere = (read: () => unknown) => {
    try {
      return read() === value
    } catch {
      return false
    }
  }
  const cookies = document.cookie.split('; ').map((one) => one.replace(/=.*/s, ''))
  const cookie = cookies.find((name) => isThere(() => ofCookie({cookie: name}, call)))
  if (cookie !== undefined) return {cookie}
  if (value.includes('"')) return undefined
  const found = document.evaluate(
    `//@*[. = "${value}"]`,
    document,
    null,
    XPathResult.ORDERED_NODE_ITERATOR_TYPE,
  )
  for (let node = found.iterateNext(); node; node = found.iterateNext()) {
    if (!(node instanceof Attr) || !node.ownerElement || OTHER.test(node.name)) continue
    const {ownerElement: element, name} = node
    // What stands in other fields is a visitor's.
    if (element.matches('input:not([type=hidden i])')) continue
    const attribute = element.localName === 'input' && name === 'value' ? undefined : name
    const selector = selectorsOf(element, name).find((one) =>
      isThere(() => onPage({field: one, attribute}, call)),
    )
    if (selector !== undefined) return {selector, attribute}
  }
  return undefined
}

function selectorsOf(element: Element, attribute: string): string[] {
  const type = element.localName
  const named = ['name', 'property'].flatMap((by) => {
    const name = element.getAttribute(by)
    return name ? [`${type}[${by}=${CSS.escape(name) === name ? name : JSON.stringify(name)}]`] : []
  })
  const own = attribute.includes('-') ? [`${type}[${CSS.escape(attribute)}]`] : []
  return [...named, ...own, uniqueSelector(element)]
}
