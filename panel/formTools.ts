import type {Members} from '../snippet/members.ts'
import {all, getAttribute, read} from '../snippet/page.ts'
import {type RegisteredTool, UNANSWERED} from '../snippet/webmcp.ts'
import {controlsOf, type FormControl, fieldsOf, submitButtonOf} from './forms/controls.ts'

/** The forms that a browser with WebMCP would register. */
export function toolForms(): HTMLFormElement[] {
  return all<HTMLFormElement>('form').filter(
    (form) => getAttribute.call(form, 'toolname') && getAttribute.call(form, 'tooldescription'),
  )
}

/** A form as a browser with WebMCP lists it. */
export function describeForm(form: HTMLFormElement): RegisteredTool {
  const controls = controlsOf(form)
  const fields = fieldsOf(controls)
  const properties = fields.map(({name, label, type, isList, choices}) => {
    const own = controls.find((control) => control.name === name)?.getAttribute('toolparamdescription')
    const isTick = type === 'checkbox' && !isList
    const kind = isTick ? 'boolean' : /^(?:number|range)$/.test(type) ? 'number' : 'string'
    const value = {
      type: kind,
      ...(choices && !isTick && {enum: choices.map((choice) => choice.value)}),
      ...(/^(?:date|email)$/.test(type) && {format: type}),
    }
    return [name, {...(isList ? {type: 'array', items: value} : value), description: own || label}]
  })
  return {
    name: getAttribute.call(form, 'toolname') ?? '',
    description: getAttribute.call(form, 'tooldescription') ?? '',
    source: window,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: fields.flatMap(({name, isRequired}) => (isRequired ? name : [])),
    },
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
