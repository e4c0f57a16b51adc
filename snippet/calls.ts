import './calls/answers.ts'
import {check} from './calls/arguments.ts'
import {load} from './calls/script.ts'
import type {Tool} from './config.ts'

/** Next to this bundle. */
const ASK = './snippet.ask.js'

/** Returns the function of a tool's script. */
export type LoadScript = (tool: Tool, siteUrl: string) => Promise<Script>

/** @param given the arguments as the agent passed them, for the panel. */
export type Script = (args: unknown, options: {signal: AbortSignal}, given: unknown) => unknown

/** What a snippet knows of a call. Snippets of older services load newer modules: never change or remove a member. */
export type Call = {
  tool: Tool
  args: unknown
  options: {signal: AbortSignal}
  /** The address of the site at the service, with a trailing slash. */
  siteUrl: string
  /** Fetches the config again: a script that can no longer be loaded was replaced. */
  refresh: () => Promise<void>
  /** The registered tool with the same ID, which may have been replaced in the meantime. */
  latest: () => Tool | undefined
}

/** The part of the snippet that calls tools, and answers for forms. It is loaded once there are any (docs/decisions/0067-calls-in-a-module-of-their-own.md). */
export type CallsModule = {call(call: Call): Promise<unknown>}

/** The part that asks visitors. It is loaded with the first question. `json`: the arguments, which it returns if the visitor allows the call. */
type AskModule = {ask(call: Call, json: string): Promise<unknown>}

/** Checks the arguments, asks the visitor if the site wants that, and runs the script. */
export async function call(call: Call, loadScript: LoadScript = load): Promise<unknown> {
  const {tool, args, options} = call
  const checked = check(args ?? {}, tool.inputSchema, 'input')
  const allowed = tool.askBefore ? await (await loadAsk()).ask(call, JSON.stringify(checked)) : checked
  const run = await loadLatest(call, loadScript)
  return run(allowed, options, args)
}

/** Browsers keep a module that failed, so it is loaded from another address then. */
async function loadAsk(): Promise<AskModule> {
  return import(ASK).catch(() => import(`${ASK}?${Date.now()}`))
}

async function loadLatest({tool, siteUrl, refresh, latest}: Call, loadScript: LoadScript): Promise<Script> {
  try {
    return await loadScript(tool, siteUrl)
  } catch (error) {
    if (!(error instanceof SyntaxError)) await refresh()
    const newer = latest() ?? tool
    if (newer === tool) throw new Error(`its script did not load: ${error}`)
    return loadScript(newer, siteUrl)
  }
}
