import {type FormTool, messageOf} from './config.ts'
import {PAUSE} from './limits.ts'
import type {Changed, Problems} from './report.ts'
import type {ModelContext} from './webmcp.ts'

/** Both maps have the tool as JSON for a key, so a changed tool counts as a different one. */
type Forms = [
  wanted: ReadonlyMap<string, FormTool>,
  held: ReadonlyMap<string, {tool: FormTool}>,
  want: (tools: FormTool[]) => void,
  settle: () => Promise<void>,
]

/**
 * The forms of a page that are form tools of a site. The browser registers them by their attributes.
 * @param pageChanged called when elements were added or removed, which may include forms.
 * @returns the tools whose forms are wanted, and those whose form is in the page; a function that replaces
 * the wanted tools and releases the forms of all others; and one that looks for the forms of wanted tools.
 */
export function createForms(
  context: ModelContext,
  pageChanged: () => void,
  problems: Problems,
  changed: Changed,
): Forms {
  const wanted = new Map<string, FormTool>()
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
        for (const [element, attribute, value] of attributesOf(tool, copy))
          if (element.getAttribute(attribute) === value) element.removeAttribute(attribute)
      held.delete(key)
      changed(`removed ${tool.name}`)
    }
  }

  return [
    wanted,
    held,
    (tools) => {
      wanted.clear()
      for (const tool of tools) wanted.set(JSON.stringify(tool), tool)
      if (wanted.size) observer.observe(document, {childList: true, subtree: true})
      else observer.disconnect()
      releaseOld()
    },
    async () => {
      releaseOld()
      // Requested only if there is a form to set: this runs whenever the page changes.
      let registered: {name: string; window: unknown}[] | undefined
      for (const [key, tool] of wanted) {
        const {name, fields = []} = tool
        problems.delete(name)
        try {
          const isNew = !held.has(key)
          if (isNew && find(tool)) registered ??= await context.getTools()
          const form = find(tool)
          if (!form) continue
          if (isNew) {
            if (form.getAttribute('toolname')) throw new Error('its form is already a tool')
            // The browser unregisters by name: when a form with the name of another tool is removed, it
            // removes that tool.
            if (
              registered?.some((other) => other.name === name && other.window === window) ||
              document.querySelector(nameSelector(tool))
            )
              throw new Error('its name is already used')
            held.set(key, {tool, form})
            changed(`registered ${name}`)
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
  ]
}

/** Only the first match (specification §4, filtering rule 3). Nothing matches an invalid selector. */
function find({selector}: FormTool): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>(`form:is(${selector})`)
}

/** The attributes of a tool on its form and fields. The name comes last, because it registers the form. */
function* attributesOf(
  {name, description, autosubmit, fields = []}: FormTool,
  form: HTMLFormElement,
): Generator<[Element, attribute: string, value: string]> {
  for (const field of fields) {
    for (const control of controlsOf(form, field.name))
      for (const about of ['title', 'description'] as const)
        if (field[about]) yield [control, `toolparam${about}`, field[about]]
  }
  if (autosubmit === true) yield [form, 'toolautosubmit', '']
  yield [form, 'tooldescription', description]
  yield [form, 'toolname', name]
}

/** Radio buttons share a name, and so do checkboxes for one list. */
function controlsOf({elements}: HTMLFormElement, name: string): Element[] {
  return Array.from(elements).filter((control) => Object(control).name === name)
}

function nameSelector({name}: FormTool): string {
  return `[toolname="${name}"]`
}
