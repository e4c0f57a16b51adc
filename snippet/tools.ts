import {check} from './arguments.ts'
import {messageOf, type Tool} from './config.ts'
import type {Changed, Problems} from './report.ts'
import type {ModelContext, ToolDescriptor, ToolFunction} from './webmcp.ts'

/** `tool` is replaced if only its script has changed. */
type Registered = {tool: Tool; registration: AbortController}

type Tools = [registered: ReadonlyMap<unknown, {tool: Tool}>, apply: (tools: Tool[]) => Promise<void>]

/** Returns the function of a tool's script. */
export type LoadScript = (tool: Tool, siteUrl: string) => Promise<ToolFunction>

/**
 * The tools of a site that are registered with the browser.
 * @param siteUrl the address of the site at the service, with a trailing slash.
 * @param refresh fetches the config again: a script that can no longer be loaded was replaced.
 * @returns the registered tools, and a function that registers exactly the given ones. Only differences are
 * applied: old tools are removed first, so that a name can move from one tool to another. Each tool succeeds
 * or fails independently.
 */
export function createTools(
  context: ModelContext,
  siteUrl: string,
  refresh: () => Promise<void>,
  problems: Problems,
  changed: Changed,
  load: LoadScript,
): Tools {
  const registered = new Map<string, Registered>()

  async function register(tool: Tool): Promise<void> {
    const {name, inputSchema, exposedTo} = tool
    const registration = new AbortController()
    const {signal} = registration
    const entry = {tool, registration}
    const execute: ToolFunction = async (args, options) => {
      // The polyfill passes no second argument.
      const call = {signal, ...options}
      try {
        check(args ?? {}, Object(inputSchema), 'input')
        const run = await loadLatest(entry)
        return await run(args, call)
      } catch (error) {
        if (call.signal.aborted) throw error
        // Agents do not get the message of a rejection (docs/decisions/0016-tools-on-the-page.md).
        console.error(name, error)
        return {isError: true, content: [{type: 'text', text: messageOf(error)}]}
      }
    }
    const descriptor: ToolDescriptor = {...tool, execute}
    // Browsers ignore unknown members, but would make the text "null" of a null title.
    for (const member in descriptor) if (descriptor[member] == null) delete descriptor[member]
    await context.registerTool(descriptor, {signal, ...(Object(exposedTo).length && {exposedTo})})
    registered.set(tool.id, entry)
    changed(`registered ${name}`)
  }

  async function loadLatest(entry: Registered): Promise<ToolFunction> {
    const {tool} = entry
    try {
      return await load(tool, siteUrl)
    } catch (error) {
      if (!(error instanceof SyntaxError)) await refresh()
      const latest = registered.get(tool.id)?.tool ?? tool
      if (latest === tool) throw new Error(`its script did not load: ${messageOf(error)}`)
      return load(latest, siteUrl)
    }
  }

  return [
    registered,
    async (tools) => {
      const wanted = new Map(tools.map((tool) => [tool.id, tool]))
      for (const [id, {tool, registration}] of registered) {
        const next = wanted.get(id)
        if (next && membersOf(next) === membersOf(tool)) continue
        registration.abort()
        registered.delete(id)
        changed(`removed ${tool.name}`)
      }
      for (const [id, tool] of wanted) {
        const entry = registered.get(id)
        if (!entry) {
          await register(tool).catch((error) => problems.set(tool.name, messageOf(error)))
        } else if (entry.tool.executeJs !== tool.executeJs) {
          entry.tool = tool
          changed(`new script of ${tool.name}`)
        }
      }
    },
  ]
}

/** Everything except the script: a change of these requires a new registration. */
function membersOf(tool: Tool): string {
  return JSON.stringify({...tool, executeJs: ''})
}
