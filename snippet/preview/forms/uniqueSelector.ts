import {all, read} from '../../page.ts'
import {controlsOf} from './controls.ts'

/**
 * A short selector that matches one form of the page only. Prefers what developers name on purpose, and uses
 * the position in the document only if nothing else is unique.
 */
export function uniqueSelector(form: HTMLFormElement): string {
  const own = namesOf(form, 'form')
  for (const name of own) if (isUnique(name, form)) return name
  for (let above = read(HTMLFormElement, 'parentElement', form); above; above = above.parentElement) {
    for (const place of placesOf(above)) {
      const selector = `${place} form`
      if (isUnique(selector, form)) return selector
      for (const name of own) if (isUnique(`${place} ${name}`, form)) return `${place} ${name}`
    }
  }
  for (const {name} of controlsOf(form)) {
    const selector = `form:has([name=${quote(name)}])`
    if (isUnique(selector, form)) return selector
  }
  return pathOf(form)
}

function namesOf(element: Element, type: string): string[] {
  const own = (name: string) => Element.prototype.getAttribute.call(element, name)
  const id = own('id')
  const names = id && isStable(id) ? [`#${CSS.escape(id)}`] : []
  for (const attribute of ['name', 'data-testid', 'aria-label', 'action', 'role']) {
    const value = own(attribute)
    if (value && value.length <= 60 && isStable(value)) names.push(`${type}[${attribute}=${quote(value)}]`)
  }
  for (const className of new Set(own('class')?.split(/\s+/))) {
    if (isStable(className)) names.push(`${type}.${CSS.escape(className)}`)
  }
  return names
}

function placesOf(element: Element): string[] {
  const type = element.localName
  return type === 'html' || type === 'body'
    ? []
    : [
        ...namesOf(element, type),
        ...(['main', 'header', 'footer', 'nav', 'aside', 'dialog'].includes(type) ? [type] : []),
      ]
}

/** Whether a name looks chosen by a person: generated ones, such as `:r3:` or `css-1x2y3z`, change. */
function isStable(name: string): boolean {
  return (
    /^[A-Za-z/][\w\-/ .]*$/.test(name) &&
    !/\d{3}|[a-z]\d[a-z\d]*\d|[a-z]\d[a-z]+\d?|^(css|sc|jsx?)-/i.test(name)
  )
}

function quote(value: string): string {
  return /^[A-Za-z][\w-]*$/.test(value) ? value : `"${CSS.escape(value).replaceAll(/\\(?=[/ .])/g, '')}"`
}

function isUnique(selector: string, form: HTMLFormElement): boolean {
  const found = all(`form:is(${selector})`)
  return found.length === 1 && found[0] === form
}

function formPlace(form: HTMLFormElement) {
  return {parentElement: read(HTMLFormElement, 'parentElement', form), localName: 'form'}
}

function pathOf(form: HTMLFormElement): string {
  const steps: string[] = []
  for (let element: Element = form; ; ) {
    const {parentElement, localName} = element instanceof HTMLFormElement ? formPlace(element) : element
    if (!parentElement || localName === 'body') return ['body', ...steps].join(' > ')
    const same = [...parentElement.children].filter((other) => other.localName === localName)
    steps.unshift(same.length > 1 ? `${localName}:nth-of-type(${same.indexOf(element) + 1})` : localName)
    const selector = steps.join(' > ')
    if (isUnique(selector, form)) return selector
    element = parentElement
  }
}
