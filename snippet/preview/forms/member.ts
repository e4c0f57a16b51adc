/**
 * A member of a form. A field that is named like one, such as `elements`, would be returned in its place.
 * https://html.spec.whatwg.org/multipage/forms.html#dom-form-nameditem
 */
export function member<K extends keyof HTMLFormElement>(form: HTMLFormElement, name: K): HTMLFormElement[K] {
  const own: HTMLFormElement[K] = Reflect.get(HTMLFormElement.prototype, name, form)
  return own
}

/** An attribute of a form; null if it has none. */
export function attribute(form: HTMLFormElement, name: string): string | null {
  return member(form, 'getAttribute').call(form, name)
}
