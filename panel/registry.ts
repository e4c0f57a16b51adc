import {membersOf} from '../snippet/members.ts'
import {getAttribute} from '../snippet/page.ts'
import type {CallingContext, ToolDescriptor} from '../snippet/webmcp.ts'
import {callForm, describeForm, toolForms} from './formTools.ts'

/**
 * Stands in for WebMCP in a browser without it, so that tools can be tried there. Only the panel knows it:
 * `document.modelContext` stays undefined. The rules have refused before what Chromium refuses, but for a second tool of a name.
 */
export function createRegistry(): CallingContext {
  const tools = new Map<string, ToolDescriptor>()
  const events = new EventTarget()
  const changed = () => events.dispatchEvent(new Event('toolchange'))
  const formNamed = (name: string) => toolForms().find((form) => getAttribute.call(form, 'toolname') === name)

  new MutationObserver(changed).observe(document, {
    childList: true,
    subtree: true,
    attributeFilter: ['toolname', 'tooldescription', 'toolautosubmit'],
  })

  return {
    async registerTool(tool, {signal}) {
      signal.throwIfAborted()
      const name = String(tool.name)
      if (tools.has(name) || formNamed(name))
        throw new DOMException('a tool of this name is registered', 'InvalidStateError')
      tools.set(name, tool)
      signal.addEventListener('abort', () => {
        tools.delete(name)
        changed()
      })
      changed()
    },
    async getTools() {
      const scripts = [...tools].map(([name, {execute: _, ...members}]) => ({
        ...members,
        name,
        source: window,
      }))
      return [...scripts, ...toolForms().map(describeForm)]
    },
    async executeTool({name}, args, {signal}) {
      signal.throwIfAborted()
      const tool = tools.get(name)
      const form = formNamed(name)
      // JSON, as the polyfill takes it.
      const input: unknown = JSON.parse(String(args))
      const result = tool
        ? Promise.resolve(tool.execute(input, {signal}))
        : form
          ? callForm(form, membersOf(input), signal)
          : Promise.reject(new Error('the tool is not registered any more'))
      const stopped = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      )
      return JSON.stringify(await Promise.race([result, stopped])) ?? null
    },
    addEventListener: (type, listener) => events.addEventListener(type, listener),
  }
}
