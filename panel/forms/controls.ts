import type {Choice, FormField} from '../../making/inputs.ts'
import {getAttribute, read} from '../../snippet/page.ts'

export type FormControl = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

export function isControl(element: unknown): element is FormControl {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  )
}

/** Types of inputs that take no value from a person. */
export const WITHOUT_VALUE = ['hidden', 'submit', 'button', 'reset', 'image', 'file']

/** The button that submits a form. */
export function submitButtonOf(form: HTMLFormElement): HTMLElement | undefined {
  return [...read(HTMLFormElement, 'elements', form)].find(
    (element): element is HTMLElement =>
      element instanceof HTMLElement &&
      element.matches('button:not([type=button], [type=reset]), input[type=submit]'),
  )
}

/** What a person reads on a button or a link. */
export function textOfButton(button: Element): string {
  return button instanceof HTMLInputElement ? button.value : (button.ariaLabel ?? textOf(button))
}

/** The named controls of a form that an agent or a person fills in. */
export function controlsOf(form: HTMLFormElement): FormControl[] {
  return usableIn([...read(HTMLFormElement, 'elements', form)])
}

/** Those of elements that are named controls that an agent or a person fills in. */
export function usableIn(elements: readonly Element[]): FormControl[] {
  return elements.filter(
    (element): element is FormControl =>
      isControl(element) && element.name !== '' && !WITHOUT_VALUE.includes(element.type),
  )
}

/**
 * What a field is called, as a person reads it: by its label or the text next to it; radio buttons of one name by what they
 * are a choice of, such as the legend of their group.
 */
export function fieldLabelOf(control: FormControl): string {
  if (control.type !== 'radio') {
    const labels = [labelledBy(control), labelOf(control), control.title, textNextTo(control)]
    // Some labels are a picture.
    return (labels.find((text) => /[\p{L}\p{N}]/u.test(text)) ?? '').replace(MARKS, '') || control.name
  }
  return groupLabelOf(control)
}

function groupLabelOf(control: FormControl): string {
  const group = control.closest('fieldset, [role=radiogroup], [role=group]')
  return (
    group?.getAttribute('aria-label') ||
    textOf(group?.querySelector('legend')) ||
    (group && labelledBy(group)) ||
    control.name
  )
}

/** Whether a person types into it. */
export function isText({type}: FormControl): boolean {
  return !/^(?:radio|checkbox|select-one|select-multiple)$/.test(type)
}

/** More choices are another kind of text. */
const MAX_CHOICES = 40

/** What a person can choose in the controls of one name, also nothing; undefined: they type. */
export function choicesOf(controls: readonly FormControl[]): Choice[] | undefined {
  const choices = controls.flatMap((control) =>
    control instanceof HTMLSelectElement
      ? Array.from(control.options, ({disabled, value, text}) => ({disabled, value, label: text.trim()}))
      : /^(?:radio|checkbox)$/.test(control.type)
        ? [{disabled: control.disabled, value: control.value, label: labelOf(control) || textNextTo(control)}]
        : [],
  )
  const known = new Map(choices.flatMap(({disabled, ...one}) => (disabled ? [] : [[one.value, one]])))
  return known.size > 0 && known.size <= MAX_CHOICES ? [...known.values()] : undefined
}

/** The fields of controls, also of several forms: what one of them hides, another may show. */
export function fieldsOf(controls: readonly FormControl[]): FormField[] {
  const usable = controls.filter(({disabled}) => !disabled)
  return Array.from(
    Map.groupBy(usable, ({name}) => name),
    ([name, controls]) => {
      const [first] = controls
      const choices = choicesOf(controls)
      const {type = ''} = first ?? {}
      const isBoxes = type === 'checkbox' && controls.length > 1
      // What stands next to one box is its only choice.
      const label =
        first && type !== 'checkbox' ? fieldLabelOf(first) : first && isBoxes ? groupLabelOf(first) : ''
      return {
        name,
        label: label === name ? '' : label,
        type,
        isRequired: controls.some(({required}) => required),
        isList: type === 'select-multiple' || isBoxes,
        ...(choices && {choices}),
      }
    },
  )
}

/** The texts of the elements that label another one. */
export function labelledBy(element: Element): string {
  const ids = getAttribute.call(element, 'aria-labelledby')?.split(/\s+/) ?? []
  return ids
    .map((id) => textOf(document.getElementById(id)))
    .join(' ')
    .trim()
}

const CONTROLS = 'input:not([type=hidden]), select, textarea, button'

/** What forms put after a label. */
const MARKS = /[\s:*]+$/

/** Characters of a text that names a field: a longer one explains something. */
const LONGEST_LABEL = 60

/** The text before a field without a label, as in “Title<br><input>” or in the cell before; of a tick, the text after it. */
function textNextTo(control: FormControl): string {
  const step = control.type === 'checkbox' ? 'nextSibling' : 'previousSibling'
  for (let place: Element | null = control; place && !isEdge(place); place = place.parentElement)
    for (let node = place[step]; node; node = node[step]) {
      if (node instanceof Element && (node.matches(CONTROLS) || node.querySelector(CONTROLS))) return ''
      const isRead = node instanceof Text || (node instanceof HTMLElement && !node.matches('script, style'))
      const text = isRead
        ? (node instanceof Element
            ? textOf(node)
            : (node.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
          ).replace(/ ?[:*]+$/, '')
        : ''
      if (text) return text.length <= LONGEST_LABEL ? text : ''
    }
  return ''
}

/** Whether texts beyond it are about other fields. A field hides a member of its form. */
function isEdge(place: Element): boolean {
  return place instanceof HTMLFormElement || place instanceof HTMLFieldSetElement
}

/** The label of a control, without the texts of controls in it. */
export function labelOf(control: FormControl): string {
  const label = control.getAttribute('aria-label') ?? textOf(control.labels?.[0])
  return label || control.getAttribute('placeholder') || ''
}

const NO_LABEL = 'select, textarea, script, style'

/** The text of an element as a person reads it: in one line, without selects, text areas and scripts. */
export function textOf(element: Element | null | undefined): string {
  if (!element) return ''
  // To copy an element is slow in long pages.
  const copy = element.querySelector(NO_LABEL) && element.cloneNode(true)
  if (copy instanceof Element) for (const part of copy.querySelectorAll(NO_LABEL)) part.remove()
  return ((copy ?? element).textContent ?? '').replaceAll(/[\s\u200b]+/g, ' ').trim()
}
