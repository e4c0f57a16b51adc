import {messageOf, type Tool} from './config.ts'
import type {Report} from './report.ts'
import {load} from './script.ts'
import type {ModelContext, ToolFunction} from './webmcp.ts'

/** `tool` is replaced if only its script has changed. */
type Registered = {tool: Tool; registration: AbortController}

/** The tools of a site that are registered with the browser. */
export type Tools = {
  registered: ReadonlyMap<unknown, {tool: Tool}>
  /**
   * Registers exactly these tools. Only differences are applied: old tools are removed first, so that a name
   * can move from one tool to another. Each tool succeeds or fails independently.
   */
  apply(tools: Tool[]): Promise<void>
}

/**
 * @param siteUrl the address of the site at the service, with a trailing slash.
 * @param refresh fetches the config again: a script that can no longer be loaded was replaced.
 */
export function createTools(
  context: ModelContext,
  siteUrl: string,
  refresh: () => Promise<void>,
  {problems, changed}: Report,
): Tools {
  const registered = new Map<string, Registered>()

  async function register(tool: Tool): Promise<void> {
    const {name, exposedTo} = tool
    const registration = new AbortController()
    const {signal} = registration
    const entry = {tool, registration}
    // Browsers ignore unknown members. Nulls are left out: a null title would become the text "null".
    const members = Object.entries(tool).filter(([, value]) => value != null)
    const execute: ToolFunction = async (args, options) => {
      try {
        const run = await loadLatest(entry)
        // The polyfill passes no second argument.
        return await run(args, {signal, ...options})
      } catch (error) {
        // Agents receive no message for values that are not an Error.
        throw error instanceof Error ? error : new Error(messageOf(error))
      }
    }
    const descriptor = {...Object.fromEntries(members), execute}
    await context.registerTool(descriptor, Object(exposedTo).length ? {signal, exposedTo} : {signal})
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
      if (latest === tool) throw new Error(`The script of ${tool.name} did not load: ${messageOf(error)}`)
      return load(latest, siteUrl)
    }
  }

  return {
    registered,
    async apply(tools) {
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
  }
}

/** Everything except the script: a change of these requires a new registration. */
function membersOf(tool: Tool): string {
  return JSON.stringify({...tool, executeJs: ''})
}
