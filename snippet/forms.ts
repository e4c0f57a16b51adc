import {type FormTool, messageOf} from './config.ts'
import type {Report} from './report.ts'
import type {ModelContext} from './webmcp.ts'

/** The forms of a page that are form tools of a site. The browser registers them by their attributes. */
export type Forms = {
  held: ReadonlyMap<unknown, {tool: FormTool}>
  /** Releases the forms of tools that are not in the list, or have changed. */
  want(tools: FormTool[]): void
  /** Finds the forms of the wanted tools. */
  settle(): Promise<void>
}

/** Milliseconds for which changes of the page are collected before it is searched once. */
const PAUSE = 200

/** @param pageChanged called when elements were added or removed, which may include forms. */
export function createForms(
  context: ModelContext,
  pageChanged: () => void,
  {problems, changed}: Report,
): Forms {
  /** Keyed by the tool as JSON, so a changed tool counts as a different one. */
  let wanted = new Map<string, FormTool>()
  const held = new Map<string, {tool: FormTool; form: HTMLFormElement}>()

  let isWaiting = false
  const observer = new MutationObserver(() => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      pageChanged()
    }, PAUSE)
  })

  function releaseOld(): void {
    for (const [key, {tool, form}] of held) {
      if (wanted.has(key) && find(tool) === form) continue
      // A page that copies its own markup also copies the attributes that were set here.
      for (const copy of [form, ...document.querySelectorAll<HTMLFormElement>(nameSelector(tool))])
        for (const [element, attribute, value] of [...attributesOf(tool, copy)].reverse())
          if (element.getAttribute(attribute) === value) element.removeAttribute(attribute)
      held.delete(key)
      changed(`removed ${tool.name}`)
    }
  }

  return {
    held,
    want(tools) {
      wanted = new Map(tools.map((tool) => [JSON.stringify(tool), tool]))
      if (wanted.size) observer.observe(document, {childList: true, subtree: true})
      else observer.disconnect()
      releaseOld()
    },
    async settle() {
      releaseOld()
      // Requested only if there is a form to set: this runs whenever the page changes.
      let registered: {name: string; window: unknown}[] | undefined
      for (const [key, tool] of wanted) {
        const {name, selector, fields = []} = tool
        problems.delete(name)
        try {
          let form: Element | null | undefined = held.get(key)?.form
          const isNew = !form
          if (isNew) {
            if (!find(tool)) continue
            registered ??= await context.getTools()
            form = find(tool)
          }
          if (!(form instanceof HTMLFormElement)) throw new Error(`${selector} is not a form`)
          if (isNew) {
            if (form.hasAttribute('toolname')) throw new Error('its form is already a tool')
            // The browser unregisters by name: when a form with the name of another tool is removed, it
            // removes that tool.
            if (
              registered?.some((other) => other.name === name && other.window === window) ||
              document.querySelector(nameSelector(tool))
            )
              throw new Error('its name is already used')
            held.set(key, {tool, form})
            changed(`set ${name} on ${selector}`)
          }
          // Fields may appear after their form. Those that describe themselves stay as they are.
          for (const [element, attribute, value] of attributesOf(tool, form))
            if (element === form ? isNew : !element.hasAttribute(attribute))
              element.setAttribute(attribute, value)
          for (const field of fields)
            if (!controlsOf(form, field.name).length) throw new Error(`its form has no field ${field.name}`)
        } catch (error) {
          problems.set(name, messageOf(error))
        }
      }
    },
  }
}

/** Only the first match (specification §4, filtering rule 3). @throws for an invalid selector. */
function find({selector}: FormTool): Element | null {
  return document.querySelector(selector)
}

/** The attributes of a tool on its form and fields. The name comes last, because it registers the form. */
function* attributesOf(
  {name, description, autosubmit, fields = []}: FormTool,
  form: HTMLFormElement,
): Generator<[Element, attribute: string, value: string]> {
  for (const field of fields) {
    for (const control of controlsOf(form, field.name)) {
      if (field.title) yield [control, 'toolparamtitle', field.title]
      if (field.description) yield [control, 'toolparamdescription', field.description]
    }
  }
  if (autosubmit === true) yield [form, 'toolautosubmit', '']
  yield [form, 'tooldescription', description]
  yield [form, 'toolname', name]
}

/** Radio buttons share a name, and so do checkboxes for one list. */
function controlsOf({elements}: HTMLFormElement, name: string): Element[] {
  return Array.from(elements).filter((control) => 'name' in control && control.name === name)
}

function nameSelector({name}: FormTool): string {
  return `[toolname="${name}"]`
}
