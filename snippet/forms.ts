import type {FormTool} from './config.ts'
import type {Changed, Problems} from './handrail.ts'
import {LONGEST_REST, PAUSE} from './limits.ts'
import {messageOf} from './messageOf.ts'
import {
  all,
  first,
  getAttribute,
  PageMap,
  read,
  removeAttribute,
  setAttribute,
  setTimeout,
  stringify,
} from './page.ts'
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
 * @returns the tools whose forms are wanted, and those whose form is in the page; a function that replaces the wanted
 * tools and releases the forms of all others; and one that sets the forms of wanted tools, unless others have their names,
 * before the browser runs another task.
 */
export function createForms(
  context: ModelContext,
  pageChanged: () => void,
  problems: Problems,
  changed: Changed,
): Forms {
  const wanted = new PageMap<string, FormTool>()
  const held = new PageMap<string, {tool: FormTool; form: HTMLFormElement; rest: number}>()

  let timer: ReturnType<typeof setTimeout> | undefined
  const observer = new MutationObserver((records) => {
    // Before the browser's next task: an agent never sees that a script which morphs the page removed a tool.
    if (records.some((record) => record.attributeName)) return pageChanged()
    if (timer) return
    timer = setTimeout(
      () => {
        timer = undefined
        pageChanged()
      },
      document.readyState === 'complete' ? PAUSE : 0,
    )
  })

  function releaseOld(): void {
    for (const [key, {tool, form}] of held) {
      if (
        wanted.has(key) &&
        find(tool) === form &&
        (getAttribute.call(form, 'toolname') || tool.name) === tool.name
      )
        continue
      // A page that copies its own markup also copies the attributes that were set here.
      for (const copy of [form, ...all<HTMLFormElement>(nameSelector(tool))])
        for (const [element, attribute, value] of attributesOf(tool, copy))
          if (getAttribute.call(element, attribute) === value) removeAttribute.call(element, attribute)
      held.delete(key)
      changed()
    }
  }

  /**
   * Browsers look at the name of a tool before they look whether its registration has ended.
   * @throws what the browser says if a tool of the page has the name.
   */
  async function checkName(tool: FormTool): Promise<void> {
    try {
      await context.registerTool({...tool, execute() {}}, {signal: AbortSignal.abort(tool)})
    } catch (error) {
      if (error !== tool) throw error
    }
  }

  return [
    wanted,
    held,
    (tools) => {
      wanted.clear()
      for (const tool of tools) wanted.set(stringify(tool), tool)
      if (wanted.size)
        observer.observe(document, {
          childList: true,
          subtree: true,
          attributeFilter: ['toolname', 'tooldescription', 'toolautosubmit', 'toolparamdescription'],
        })
      else observer.disconnect()
      releaseOld()
    },
    async () => {
      releaseOld()
      for (const [key, tool] of wanted) {
        const {name, fields = []} = tool
        problems.delete(name)
        try {
          const form = find(tool)
          if (!form) continue
          const named = getAttribute.call(form, 'toolname')
          const entry = held.get(key)
          if (!entry) {
            if (!named) {
              // The browser unregisters by name: when a form with the name of another tool is removed, it
              // removes that tool.
              if (first(nameSelector(tool))) throw new Error('its name is already used')
              await checkName(tool)
              // Scripts that keep copies of pages put back what was set here.
            } else if (named !== name || getAttribute.call(form, 'tooldescription') !== tool.description)
              throw new Error('its form is already used')
            held.set(key, {tool, form, rest: 0})
            changed()
          }
          // Fields may appear after their form, and scripts that morph a page remove what its HTML has not. What describes
          // itself stays as it is.
          const missing = [...attributesOf(tool, form)].filter(
            ([element, attribute]) => !getAttribute.call(element, attribute),
          )
          if (missing[0] && entry) {
            entry.rest = Math.max(entry.rest, Date.now()) + PAUSE / 2
            if (entry.rest > Date.now() + LONGEST_REST) {
              wanted.delete(key)
              releaseOld()
              throw new Error('the page removes its attributes')
            }
          }
          for (const one of missing) setAttribute.call(...one)
          if (getAttribute.call(form, 'tooldescription') !== tool.description)
            throw new Error('its form is already used')
          for (const field of fields)
            if (!controlsOf(form, field.name)[0]) throw new Error(`its form has no field ${field.name}`)
        } catch (error) {
          problems.set(name, messageOf(error))
        }
      }
    },
  ]
}

/** Only the first match (docs/specification.md, “Form tool”). Nothing matches an invalid selector. */
function find({selector}: FormTool): HTMLFormElement | null {
  return first(`form:is(${selector})`)
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
  if (autosubmit) yield [form, 'toolautosubmit', 'true']
  yield [form, 'tooldescription', description]
  yield [form, 'toolname', name]
}

/** Radio buttons share a name, and so do checkboxes for one list. */
function controlsOf(form: HTMLFormElement, name: string): Element[] {
  const elements = read(HTMLFormElement, 'elements', form)
  return [...elements].filter((control) => getAttribute.call(control, 'name') === name)
}

function nameSelector({name}: FormTool): string {
  return `[toolname="${name}"]`
}
