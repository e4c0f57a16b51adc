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
  const held = new Map<string, {tool: FormTool; form: Element}>()

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
      for (const element of [form, ...document.querySelectorAll(nameSelector(tool))])
        for (const [attribute, value] of attributesOf(tool).reverse())
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
        if (held.has(key)) continue
        const {name, selector} = tool
        problems.delete(name)
        try {
          if (!find(tool)) continue
          registered ??= await context.getTools()
          const form = find(tool)
          if (!(form instanceof HTMLFormElement)) throw new Error(`${selector} is not a form`)
          if (form.hasAttribute('toolname')) throw new Error('its form is already a tool')
          // The browser unregisters by name: when a form with the name of another tool is removed, it removes
          // that tool.
          if (
            registered.some((other) => other.name === name && other.window === window) ||
            document.querySelector(nameSelector(tool))
          )
            throw new Error('its name is already used')
          for (const [attribute, value] of attributesOf(tool)) form.setAttribute(attribute, value)
          held.set(key, {tool, form})
          changed(`set ${name} on ${selector}`)
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

/** The attributes of a tool's form. The name comes last, because it is what registers the form. */
function attributesOf({name, description, autosubmit}: FormTool): [attribute: string, value: string][] {
  return Object.entries({
    ...(autosubmit === true && {toolautosubmit: ''}),
    tooldescription: description,
    toolname: name,
  })
}

function nameSelector({name}: FormTool): string {
  return `[toolname="${name}"]`
}
