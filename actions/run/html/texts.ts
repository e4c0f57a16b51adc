// Pages replace what they like, also classes of the browser: these say what a node is.
const ELEMENT = 1
const TEXT = 3

/** Characters of an element of which the browser is asked for the text as a whole, which nothing ends. */
export const MAX_WHOLE = 10_000

function isElement(node: Node): node is Element {
  return node.nodeType === ELEMENT
}

/** The text of a short element as on the screen. */
function seenIn(element: Element): string {
  const {innerText, textContent}: {innerText?: string; textContent: string} = element
  const isSeen = element.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true})
  // What is closed, or below the fold, has an empty innerText.
  const shown = innerText?.trim() || (innerText !== undefined && isSeen ? '' : textContent)
  // Elements without a space between them are words of their own, unless a sign joins them (“$” and “12”), or they are letters that move.
  const apart = shown.length > 2_000 ? [] : [...element.querySelectorAll('* + *')]
  return apart.reduce((text, {previousSibling, textContent}) => {
    const word = previousSibling && isElement(previousSibling) ? previousSibling.textContent.trim() : ''
    const next = textContent.trim()
    const areJoined = /^.?\0.?$|^\0|[\p{Sc}.,:/-]\0|\0[^\p{L}\p{N}\p{Sc}(]/u.test(`${word}\0${next}`)
    return areJoined ? text : text.replace(word + next, () => `${word} ${next}`)
  }, shown)
}

/** Whether a row or an entry is shown: a filter of the page hides others. A part that is closed is read as a whole. */
export function isShown(element: Element): boolean {
  return element.checkVisibility() || !element.parentElement?.checkVisibility()
}

const NO_TEXT = 'button, [role=button], [aria-hidden=true], select, svg'

/**
 * The text of an element as on the screen: more than 2,000 characters are never useful to an agent.
 * @param leftOut selects what in it is none of it
 */
export function textOf(element: Element, leftOut = ':not(*)'): string {
  let text = ''
  const add = (node: Node): void => {
    if (text.length > MAX_WHOLE) return
    if (node.nodeType === TEXT) text += ` ${node.nodeValue?.trim()}`
    else if (isElement(node) && (node === element || (!node.matches(leftOut) && isShown(node))))
      if (node.querySelector(leftOut) || node.textContent.length > MAX_WHOLE) node.childNodes.forEach(add)
      else text += ` ${seenIn(node)}`
  }
  add(element)
  return text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^(.{2000}).+/su, '$1… (shortened)')
}

/** The text of an entry, without what visitors press and what is only drawn. */
export function entryText(entry: Element): string {
  return textOf(entry, NO_TEXT).replace(/(?<=[([„“]) | (?=[)\].,;:!?])/g, '') || textOf(entry)
}
