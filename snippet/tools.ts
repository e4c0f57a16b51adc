import type {CallsModule} from './calls.ts'
import type {Tool} from './config.ts'
import type {Changed, Problems} from './handrail.ts'
import {messageOf} from './messageOf.ts'
import {PageMap, stringify} from './page.ts'
import type {ModelContext, ToolFunction} from './webmcp.ts'

/** `tool` is replaced if only its script has changed. */
type Registered = {tool: Tool; registration: AbortController}

type Tools = [registered: ReadonlyMap<unknown, {tool: Tool}>, apply: (tools: Tool[]) => Promise<void>]

/**
 * The tools of a site that are registered with the browser.
 * @param siteUrl the address of the site at the service, with a trailing slash.
 * @param refresh fetches the config again.
 * @param loadCalls loads what calls tools.
 * @param isCurrent whether the tools are those of the page's path.
 * @returns the registered tools, and a function that registers exactly the given ones. Only differences are
 * applied: old tools are removed first, so that a name can move from one tool to another, and the new ones are
 * registered in the same turn, so that no agent sees a part of them. Each tool succeeds or fails independently.
 */
export function createTools(
  context: ModelContext,
  siteUrl: string,
  refresh: () => Promise<void>,
  problems: Problems,
  changed: Changed,
  loadCalls: () => Promise<CallsModule>,
  isCurrent: () => boolean,
): Tools {
  const registered = new PageMap<string, Registered>()

  async function register(tool: Tool): Promise<void> {
    const {name, exposedTo} = tool
    const registration = new AbortController()
    const {signal} = registration
    const entry = {tool, registration}
    const execute: ToolFunction = async (args, options) => {
      // The polyfill passes no second argument.
      const callOptions = {signal, ...options}
      try {
        const {call} = await loadCalls()
        const latest = () => (isCurrent() ? registered.get(tool.id)?.tool : undefined)
        return await call({tool: entry.tool, args, options: callOptions, siteUrl, refresh, latest})
      } catch (error) {
        if (callOptions.signal.aborted) throw error
        // Agents do not get the message of a rejection (docs/decisions/0016-tools-on-the-page.md). It is a result, no error of the page.
        console.info(name, error)
        return {isError: true, content: [{type: 'text', text: messageOf(error)}]}
      }
    }
    try {
      await context.registerTool(
        {...tool, execute},
        {
          signal,
          exposedTo: exposedTo?.[0] && exposedTo,
        },
      )
      registered.set(tool.id, entry)
      changed()
    } catch (error) {
      problems.set(name, messageOf(error))
    }
  }

  return [
    registered,
    async (tools) => {
      const wanted = new PageMap(tools.map((tool) => [tool.id, tool]))
      for (const [id, {tool, registration}] of registered) {
        if (descriptionOf(wanted.get(id)) === descriptionOf(tool)) continue
        registration.abort()
        registered.delete(id)
        changed()
      }
      const pending = []
      for (const [id, tool] of wanted) {
        const entry = registered.get(id)
        if (!entry) pending.push(register(tool))
        else if (entry.tool.executeJs !== tool.executeJs) {
          entry.tool = tool
          changed()
        }
      }
      // All are registered by now. The browser says later which ones it refused.
      for (const registration of pending) await registration
    },
  ]
}

/** Everything except the script: a change of these requires a new registration. */
function descriptionOf(tool?: Tool): string {
  return stringify({...tool, executeJs: ''})
}
