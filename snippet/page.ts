import type {CallingContext} from './webmcp.ts'

/**
 * What pages replace, taken once when the snippet starts. Syntax stands for the rest: `Array.from`, for example,
 * is another function on pages with Prototype.
 */
export const {fetch, setTimeout, clearTimeout, addEventListener, Map: PageMap, Promise: PagePromise} = window
export const {parse, stringify} = JSON

/** To be used with `.call`: a field of a form hides a method of its name ("DOM clobbering"). */
export const {getAttribute, setAttribute, removeAttribute} = Element.prototype

const {querySelector, querySelectorAll} = Document.prototype

/**
 * A member of a document or a form, also if an element has its name, such as `<img name=hidden>` or a field `elements`.
 * https://html.spec.whatwg.org/multipage/forms.html#dom-form-nameditem
 */
export function read<T extends object, K extends keyof T, V = T[K]>(
  type: {readonly prototype: object},
  member: K,
  self: T,
): V {
  return Reflect.get(type.prototype, member, self)
}

/** The first element of the document that matches a selector, or null. */
export function first<T extends Element = Element>(selector: string): T | null {
  return querySelector.call<Document, [string], T | null>(document, selector)
}

/** The elements of the document that match a selector. */
export function all<T extends Element = Element>(selector: string): T[] {
  return [...querySelectorAll.call<Document, [string], NodeListOf<T>>(document, selector)]
}

/** The page's WebMCP, or that of a library which wraps it. */
export function contextOf(): CallingContext | undefined {
  try {
    const {modelContext} = document
    // An element of this name has no such method, but may have elements of this name, and the window of a frame may not be
    // read.
    if (typeof modelContext?.registerTool === 'function') return modelContext
  } catch {}
  return read(Document, 'modelContext', document)
}
