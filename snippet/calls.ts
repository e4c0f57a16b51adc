import './calls/answers.ts'
import {check} from './calls/arguments.ts'
import {load} from './calls/script.ts'
import type {Config, FormTool, Tool} from './config.ts'
import {messageOf} from './messageOf.ts'

/** Returns the function of a tool's script. */
export type LoadScript = (tool: Tool, siteUrl: string) => Promise<Script>

/** @param given the arguments as the agent passed them, for the panel. */
type Script = (args: unknown, options: {signal: AbortSignal}, given: unknown) => unknown

/** What a snippet knows of a call. Snippets of older services load newer modules: never change or remove a member. */
export type Call = {
  tool: Tool
  args: unknown
  options: {signal: AbortSignal}
  /** The address of the site at the service, with a trailing slash. */
  siteUrl: string
  /** Fetches the config again: a script that can no longer be loaded was replaced. */
  refresh: () => Promise<void>
  /** The registered tool with the same ID, which may have been replaced. Undefined until the page’s path has it. */
  latest: () => Tool | undefined
}

/** The part of the snippet that calls tools, and answers for forms. It is loaded once there are any (docs/decisions/0067-calls-in-a-module-of-their-own.md). */
export type CallsModule = {
  call(call: Call): Promise<unknown>
  /** Told of each config that is applied; ends once the page has decided. Older snippets pass no `absent`, `offer`, `early`. */
  applied?(
    siteUrl: string,
    config: Config,
    absent: Map<string, string>,
    offer: Offer,
    early?: SubmitEvent,
  ): void | Promise<void>
}

/** Applies the config again. `select` adds to any config the tools that the page offers now. */
export type Offer = (select: (config: Config) => Config) => Promise<void>

/** The part that decides about tools in the page. It is loaded where a config has such tools. */
export type ConditionsModule = {
  watch(absent: Map<string, string>, offer: Offer): void
  /** @throws Error if the page has changed since the agent read its tools. */
  checkOffered(tool: Tool): void
}

declare global {
  interface WindowEventMap {
    /** The module hands itself over. */
    'handrail:decide': CustomEvent<ConditionsModule['watch']>
  }
}

/** How far a call came. `startedAt`: after a question to the visitor, infinite until it is answered. `step`: 1 when its arguments were checked, 2 when its script may run. */
export type Progress = {startedAt: number; step: number}

/** The part that counts calls. It is loaded where a site wants that. */
type ReportModule = {
  follow(call: Call, result: Promise<unknown>, progress: Progress): void
  watchForms(siteUrl: string, formTools: readonly FormTool[], early?: SubmitEvent): void
}

/** The part that asks visitors. It is loaded with the first question. `json`: the arguments, which it returns if the visitor allows the call. */
type AskModule = {ask(call: Call, json: string): Promise<unknown>}

let report: Promise<ReportModule> | undefined

/** Calls a tool, and counts the call if the site wants that, unless it is a call of the panel. */
export function call(call: Call, loadScript: LoadScript = load): Promise<unknown> {
  const progress = {startedAt: performance.now(), step: 0}
  const result = run(call, loadScript, progress)
  if (call.tool.reportCalls && loadScript === load)
    void withReport(({follow}) => follow(call, result, progress))
  return result
}

/** Loads what counts calls before the first one, which may leave the page. */
export async function applied(
  siteUrl: string,
  {tools, formTools, conditional}: Config,
  absent: Map<string, string>,
  offer: Offer,
  early?: SubmitEvent,
): Promise<void> {
  const forms = [...formTools, ...(conditional?.formTools ?? [])]
  const isCounted = [...tools, ...forms, ...(conditional?.tools ?? [])].some(({reportCalls}) => reportCalls)
  const counts = (report || isCounted) && withReport(({watchForms}) => watchForms(siteUrl, forms, early))
  if (conditional) (await loadNext<ConditionsModule>('conditions')).watch(absent, offer)
  await counts
}

function withReport(use: (module: ReportModule) => void): Promise<void> {
  report ??= loadNext('report')
  return report.then(use).catch(() => {
    report = undefined
  })
}

/** Milliseconds that a call waits for the tools of a path that the page went to. */
const LONGEST_WAIT = 5_000

/** Waits until the page’s path has the tool: the page may have gone to another one. */
async function arrive({tool, latest, options: {signal}}: Call): Promise<void> {
  const end = performance.now() + LONGEST_WAIT
  await checkOffered(tool)
  while (!latest()) {
    if (performance.now() > end || signal.aborted) throw new Error('The page changed. List the tools again.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function checkOffered(tool: Tool): Promise<void> {
  if (tool.offeredWhile) (await loadNext<ConditionsModule>('conditions')).checkOffered(tool)
}

/** Checks the arguments, asks the visitor if the site wants that, and runs the script. */
async function run(call: Call, loadScript: LoadScript, progress: Progress): Promise<unknown> {
  const {tool, args, options} = call
  await arrive(call)
  const checked = check(args ?? {}, tool.inputSchema, 'input')
  progress.step = 1
  // The visitor's time does not count, also if the call ends meanwhile.
  if (tool.askBefore) progress.startedAt = Number.POSITIVE_INFINITY
  const allowed = tool.askBefore
    ? await (await loadNext<AskModule>('ask')).ask(call, JSON.stringify(checked)).catch(tellNothingChanged)
    : checked
  if (tool.askBefore) progress.startedAt = performance.now()
  await checkOffered(tool)
  progress.step = 2
  const script = await loadLatest(call, loadScript)
  return script(allowed, options, args)
}

function tellNothingChanged(error: unknown): never {
  const message = messageOf(error)
  throw message.startsWith('The visitor d')
    ? new Error(`${message} Nothing was changed: call again only if they ask for it.`)
    : error
}

/** Loads a module next to this one. Browsers keep one that failed, so it is loaded from another address then. */
async function loadNext<T>(name: string): Promise<T> {
  const path = `./snippet.${name}.js`
  return import(path).catch(() => import(`${path}?${Date.now()}`))
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
