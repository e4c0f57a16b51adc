import {read} from '../../page.ts'

export type FormControl = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Types of inputs that take no value from a person. */
const WITHOUT_VALUE = ['hidden', 'submit', 'button', 'reset', 'image', 'file']

/** The named controls of a form that an agent or a person fills in. */
export function controlsOf(form: HTMLFormElement): FormControl[] {
  return [...read(HTMLFormElement, 'elements', form)].filter(
    (element): element is FormControl =>
      (element instanceof HTMLInputElement ||
        element instanceof HTMLSelectElement ||
        element instanceof HTMLTextAreaElement) &&
      element.name !== '' &&
      !WITHOUT_VALUE.includes(element.type),
  )
}

/** What a field is called: radio buttons of one name by what they are a choice of, such as the legend of their group. */
export function fieldLabelOf(control: FormControl): string {
  if (control.type !== 'radio') return labelOf(control) || control.name
  const group = control.closest('fieldset, [role=radiogroup]')
  const by = group?.getAttribute('aria-labelledby')
  return (
    group?.getAttribute('aria-label') ||
    textOf(group?.querySelector('legend') ?? (by ? document.getElementById(by) : undefined)) ||
    control.name
  )
}

/** The label of a control, without the texts of controls in it. */
export function labelOf(control: FormControl): string {
  const label = control.getAttribute('aria-label') ?? textOf(control.labels?.[0])
  return label || control.getAttribute('placeholder') || ''
}

/** The text of an element as a person reads it: in one line, without selects and text areas. */
export function textOf(element: Element | null | undefined): string {
  if (!element) return ''
  const copy = element.cloneNode(true)
  if (copy instanceof Element) for (const part of copy.querySelectorAll('select, textarea')) part.remove()
  return (copy.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
}
