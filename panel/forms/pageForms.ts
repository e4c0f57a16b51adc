import {isSearched} from '../../making/inputs.ts'
import {all, getAttribute} from '../../snippet/page.ts'
import {
  controlsOf,
  type FormControl,
  fieldLabelOf,
  isText,
  labelledBy,
  submitButtonOf,
  textOf,
  textOfButton,
} from './controls.ts'
import {TOP} from './thisPage.ts'
import {parentOf, uniqueSelector} from './uniqueSelector.ts'

/** A form of the page, as an editor recognises it. */
export type PageForm = {
  readonly element: HTMLFormElement
  readonly heading: string
  readonly fields: readonly string[]
  readonly button: string
  readonly selector: string
  /** The name of the form tool that it is. */
  readonly tool: string | undefined
  /** Whether it looks something up, and changes nothing. */
  readonly isSearch: boolean
  /** Whether it is in the header, the navigation or the footer, which all pages have. */
  readonly isOfSite: boolean
}

/** The forms of the page that have a field. Those that all pages have come last. */
export function pageForms(): PageForm[] {
  return all<HTMLFormElement>('form')
    .filter((form) => controlsOf(form).length > 0)
    .map((form) => ({
      element: form,
      heading: headingOf(form),
      fields: [...new Set(controlsOf(form).map(fieldLabelOf))],
      button: buttonTextOf(form),
      selector: uniqueSelector(form),
      tool: getAttribute.call(form, 'toolname') || undefined,
      isSearch: isSearch(form),
      isOfSite: Element.prototype.closest.call(form, SITE_BOXES) !== null,
    }))
    .sort((one, other) => Number(one.isOfSite) - Number(other.isOfSite))
}

/** Boxes that all pages have: those at the top, for navigation and at the end, but not in a part of the page. */
const SITE_BOXES = `${TOP}, nav, [role=navigation], [role=search]:not(main *, [role=main] *), footer:not(:is(main, article, section) *)`

function isSearch(form: HTMLFormElement): boolean {
  const method = methodOf(form)
  const controls = controlsOf(form)
  const isOf = ({type, name}: FormControl) => type === 'search' || isSearched(name)
  if (method === 'dialog' || controls.some(({type}) => type === 'password' || type === 'textarea'))
    return false
  // With POST, what has another field may change something.
  if (method === 'post')
    return (
      controls.every(isOf) && SAYS_SEARCH.test(`${getAttribute.call(form, 'action')} ${buttonTextOf(form)}`)
    )
  const said = `${getAttribute.call(form, 'id')} ${buttonTextOf(form)}`
  return (
    Element.prototype.closest.call(form, 'search, [role=search]') !== null ||
    controls.some(isOf) ||
    (controls.length === 1 && controls.every(isText) && SAYS_SEARCH.test(said))
  )
}

/** What says that something is looked up. */
export const SAYS_SEARCH = /search|find|filter|query|such|recherch|busca|ricerc|cerca|zoek|szuk|look/i

/** How a form is sent, which one of its fields may hide. */
export function methodOf(form: HTMLFormElement): string {
  return (getAttribute.call(form, 'method') ?? '').toLowerCase()
}

const BOXES = 'aside, nav, header, footer, dialog'
const SECTIONS = 'form, section, article, aside, nav, header, footer, dialog'

/** Its label, or the last heading before its first field within the nearest element that has one. */
function headingOf(form: HTMLFormElement): string {
  const label = getAttribute.call(form, 'aria-label')?.trim() || labelledBy(form)
  if (label) return label
  const [first = form] = controlsOf(form)
  for (let place: Element | null = form; place; place = parentOf(place)) {
    const before = [
      ...Element.prototype.querySelectorAll.call(place, 'h1, h2, h3, h4, h5, h6, legend'),
    ].findLast(
      (heading) =>
        heading.compareDocumentPosition(first) & Node.DOCUMENT_POSITION_FOLLOWING &&
        // A heading of another section says nothing about this form.
        contains(heading.closest(SECTIONS), form) &&
        // A price is no heading.
        /\p{L}/u.test(textOf(heading)),
    )
    const text = textOf(before)
    if (text) return text
    // The headings of the page are not about what stands in its header, its footer or a box.
    if (place !== form && place.matches(BOXES)) return ''
  }
  return ''
}

/** Whether a section contains the form. A heading in no section stands for the whole page. */
function contains(section: Element | null, form: HTMLFormElement): boolean {
  return section === null || Node.prototype.contains.call(section, form)
}

function buttonTextOf(form: HTMLFormElement): string {
  const button = submitButtonOf(form)
  return button ? textOfButton(button) : ''
}
