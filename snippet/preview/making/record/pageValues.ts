import type {PageValue} from '../../../../schemas/actions/row.ts'
import {cookieOf, fieldOf} from '../../../../schemas/making/request.generated.ts'
import {uniqueSelector} from '../../lent/borrowed.ts'

/** Attributes that say where an element is or how it looks. */
const OTHER = /^(?:id|class|for|name|type|style|href|src|srcset|action|nonce|title|alt)$/i

/** Where a value stands on the page, so that scripts find it there again; undefined: nowhere. */
export function placeInPage(value: string): PageValue | undefined {
  const isThere = (read: () => unknown) => {
    try {
      return read() === value
    } catch {
      return false
    }
  }
  const cookies = document.cookie.split('; ').map((one) => one.replace(/=.*/s, ''))
  const cookie = cookies.find((name) => isThere(() => cookieOf(name)))
  if (cookie !== undefined) return {cookie}
  for (const {element, name} of attributesWith(value)) {
    const attribute = element instanceof HTMLInputElement && name === 'value' ? undefined : name
    const selector = selectorsOf(element, name).find((one) => isThere(() => fieldOf(one, attribute)))
    if (selector !== undefined) return {selector, attribute}
  }
  return undefined
}

function* attributesWith(value: string): Generator<{element: Element; name: string}> {
  if (value.includes('"')) return
  const found = document.evaluate(
    `//@*[. = "${value}"]`,
    document,
    null,
    XPathResult.ORDERED_NODE_SNAPSHOT_TYPE,
  )
  for (let at = 0; at < found.snapshotLength; at += 1) {
    const attribute = found.snapshotItem(at)
    if (!(attribute instanceof Attr) || !attribute.ownerElement || OTHER.test(attribute.name)) continue
    const {ownerElement: element, name} = attribute
    // What stands in other fields is a visitor's.
    if (element.matches('input:not([type=hidden i])')) continue
    yield {element, name}
  }
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
