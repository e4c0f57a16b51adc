// Pages replace what they like, also classes of the browser: these say what a node is.
const ELEMENT = 1
const TEXT = 3

function isElement(node: Node): node is Element {
  return node.nodeType === ELEMENT
}

/** The text of an element as on the screen. */
export function textOf(element: Element): string {
  const {innerText, textContent}: {innerText?: string; textContent: string | null} = element
  const isSeen = element.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true})
  // What is closed, or below the fold, has an empty innerText.
  const shown = innerText?.trim() || (innerText !== undefined && isSeen ? '' : (textContent ?? ''))
  // Elements without a space between them are words of their own, unless a sign joins them (“$” and “12”), or they are letters that move.
  const apart = shown.length > 2_000 ? [] : [...element.querySelectorAll('* + *')]
  return apart
    .reduce((text, {previousSibling, textContent}) => {
      const word = previousSibling?.nodeType === ELEMENT ? `${previousSibling.textContent}`.trim() : ''
      const next = `${textContent}`.trim()
      const areJoined = /^.?\0.?$|^\0|[\p{Sc}.,:/-]\0|\0[^\p{L}\p{N}\p{Sc}(]/u.test(`${word}\0${next}`)
      return areJoined ? text : text.replace(word + next, () => `${word} ${next}`)
    }, shown)
    .trim()
    .replace(/\s+/g, ' ')
}

/** Whether a row or an entry is shown: a filter of the page hides others. A part that is closed is read as a whole. */
export function isShown(element: Element): boolean {
  return element.checkVisibility() || !element.parentElement?.checkVisibility()
}

const NO_TEXT = 'button, [role=button], [aria-hidden=true], select, svg'

/** The text of an entry, without what visitors press and what is only drawn. */
export function entryText(entry: Element): string {
  const textIn = (node: Node): string => {
    if (node.nodeType === TEXT) return node.nodeValue ?? ''
    if (!isElement(node)) return ''
    if (node !== entry && (node.matches(NO_TEXT) || !isShown(node))) return ''
    return node.querySelector(NO_TEXT) ? Array.from(node.childNodes, textIn).join(' ') : textOf(node)
  }
  const text = textIn(entry).trim().replace(/\s+/g, ' ')
  return text.replace(/(?<=[([„“]) | (?=[)\].,;:!?])/g, '') || textOf(entry)
}
