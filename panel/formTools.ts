import type {Members} from '../snippet/members.ts'
import {all, getAttribute, read} from '../snippet/page.ts'
import {type RegisteredTool, UNANSWERED} from '../snippet/webmcp.ts'
import {controlsOf, type FormControl, labelOf, submitButtonOf} from './forms/controls.ts'

/** The forms that a browser with WebMCP would register. */
export function toolForms(): HTMLFormElement[] {
  return all<HTMLFormElement>('form').filter(
    (form) => getAttribute.call(form, 'toolname') && getAttribute.call(form, 'tooldescription'),
  )
}

/** A form as a browser with WebMCP lists it. */
export function describeForm(form: HTMLFormElement): RegisteredTool {
  const groups = Map.groupBy(controlsOf(form), ({name}) => name)
  return {
    name: getAttribute.call(form, 'toolname') ?? '',
    description: getAttribute.call(form, 'tooldescription') ?? '',
    source: window,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries([...groups].map(([name, controls]) => [name, schemaOf(controls)])),
      required: [...groups]
        .filter(([, controls]) => controls.some(({required}) => required))
        .map(([name]) => name),
    },
  }
}

function schemaOf(controls: FormControl[]): object {
  const [first] = controls
  if (!first) return {}
  const description = first.getAttribute('toolparamdescription') || labelOf(first)
  return {...valueSchemaOf(first, controls), ...(description && {description})}
}

function valueSchemaOf(control: FormControl, controls: FormControl[]): object {
  if (control instanceof HTMLSelectElement) {
    const choice = {type: 'string', enum: [...control.options].map(({value}) => value)}
    return control.multiple ? {type: 'array', items: choice} : choice
  }
  const values = controls.map(({value}) => value)
  switch (control.type) {
    case 'radio':
      return {type: 'string', enum: values}
    case 'checkbox':
      return controls.length > 1 ? {type: 'array', items: {type: 'string', enum: values}} : {type: 'boolean'}
    case 'number':
    case 'range':
      return {type: 'number'}
    case 'date':
      return {type: 'string', format: 'date'}
    case 'email':
      return {type: 'string', format: 'email'}
    default:
      return {type: 'string'}
  }
}

/**
 * Fills in a form. Submits it, or waits until a person does.
 * @returns what the page responds with; null if it does not.
 */
export async function callForm(form: HTMLFormElement, args: Members, signal: AbortSignal): Promise<unknown> {
  for (const control of controlsOf(form))
    if (args[control.name] !== undefined) fill(control, args[control.name])
  const answer = answerOf(form, signal)
  if (getAttribute.call(form, 'toolautosubmit') !== null) {
    if (!read(HTMLFormElement, 'checkValidity', form).call(form)) throw new Error(problemOf(form))
    read(HTMLFormElement, 'requestSubmit', form).call(form)
  } else submitButtonOf(form)?.focus()
  return answer
}

function problemOf(form: HTMLFormElement): string {
  const control = controlsOf(form).find(({validity}) => !validity.valid)
  return `Invalid value for ${control?.name}: ${control?.validationMessage}`
}

function fill(control: FormControl, value: unknown): void {
  if (control.type === 'radio' || control.type === 'checkbox') {
    const isWanted = typeof value === 'boolean' ? value : [value].flat().map(String).includes(control.value)
    // A click, because frameworks listen for it.
    if (control instanceof HTMLInputElement && control.checked !== isWanted) control.click()
    return
  }
  if (control instanceof HTMLSelectElement && Array.isArray(value)) {
    for (const option of control.options) option.selected = value.includes(option.value)
  } else {
    // Frameworks replace the setter of an element to ignore changes by scripts.
    const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set
    setter?.call(control, String(value))
  }
  for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, {bubbles: true}))
}

/** Gives the next submission the members that WebMCP adds: `agentInvoked` and `respondWith()`. */
function answerOf(form: HTMLFormElement, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    const over = new AbortController()
    const submitted = (event: Event) => {
      if (event.target !== form) return
      over.abort()
      let answer: unknown
      let isAnswered = false
      Object.defineProperties(event, {
        agentInvoked: {value: true},
        respondWith: {
          value: (given: unknown) => {
            answer = given
            isAnswered = true
          },
        },
      })
      // After the page's listeners. Elsewhere, the snippet answers for the page.
      setTimeout(() => resolve(isAnswered ? answer : event.defaultPrevented ? UNANSWERED : null))
    }
    addEventListener('submit', submitted, {capture: true, signal: AbortSignal.any([over.signal, signal])})
  })
}
