import {all, getAttribute, read} from '../../page.ts'
import {controlsOf, labelOf, textOf} from './controls.ts'
import {uniqueSelector} from './uniqueSelector.ts'

/** A form of the page, as an editor recognises it. */
export type PageForm = {
  readonly element: HTMLFormElement
  readonly heading: string
  readonly fields: readonly string[]
  readonly button: string
  readonly selector: string
  /** The name of the form tool that it is. */
  readonly tool: string | undefined
}

/** The forms of the page that have a field. */
export function pageForms(): PageForm[] {
  return all<HTMLFormElement>('form').flatMap((form) => {
    try {
      return controlsOf(form).length > 0 ? [describe(form)] : []
    } catch {
      // Fields with names such as `parentElement` hide members of their form.
      return []
    }
  })
}

function describe(form: HTMLFormElement): PageForm {
  return {
    element: form,
    heading: headingOf(form),
    fields: [...new Set(controlsOf(form).map((control) => labelOf(control) || control.name))],
    button: buttonOf(form),
    selector: uniqueSelector(form),
    tool: getAttribute.call(form, 'toolname') || undefined,
  }
}

const {querySelectorAll} = Element.prototype

const SECTIONS = 'form, section, article, aside, nav, header, footer, dialog'

/** Its label, or the last heading before its first field within the nearest element that has one. */
function headingOf(form: HTMLFormElement): string {
  const labels = (getAttribute.call(form, 'aria-labelledby') ?? '').split(' ')
  const label =
    getAttribute.call(form, 'aria-label') ?? labels.map((id) => textOf(document.getElementById(id))).join(' ')
  if (label.trim()) return label.trim()
  const [first = form] = controlsOf(form)
  for (let place: Element | null = form; place; place = place.parentElement) {
    const before = [...querySelectorAll.call(place, 'h1, h2, h3, h4, h5, h6, legend')].filter(
      (heading) =>
        heading.compareDocumentPosition(first) & Node.DOCUMENT_POSITION_FOLLOWING &&
        // A heading of another section says nothing about this form.
        (heading.closest(SECTIONS)?.contains(form) ?? true),
    )
    const text = textOf(before.at(-1))
    if (text) return text
  }
  return ''
}

function buttonOf(form: HTMLFormElement): string {
  const elements: Iterable<Element> = read(HTMLFormElement, 'elements', form)
  for (const element of elements) {
    if (element instanceof HTMLButtonElement && element.type === 'submit')
      return element.getAttribute('aria-label') ?? textOf(element)
    if (element instanceof HTMLInputElement && element.type === 'submit') return element.value
  }
  return ''
}
