import {membersOf} from '../snippet/members.ts'
import {
  type CallingContext,
  type ModelContext,
  type RegisteredTool,
  type ToolFunction,
  windowOf,
} from '../snippet/webmcp.ts'
import {type Thrown, thrownBy} from './scripts.ts'

/** A call of a tool, by an agent or from the panel. */
export type Call = {
  readonly id: number
  readonly tool: string
  /** Of the document that has the tool. */
  readonly window: unknown
  readonly args: unknown
  readonly by: 'panel' | 'agent'
  readonly at: Date
  /** Of the call, with its query. */
  readonly page: string
  readonly outcome: Outcome
  /** Milliseconds. */
  readonly duration?: number
}

/** `unknown`: the browser tells only that the tool was called. */
type Outcome =
  | {readonly kind: 'running' | 'stopped' | 'unknown'}
  /** With the output schema of the tool, if the panel knows it. */
  | {readonly kind: 'result'; readonly value: unknown; readonly outputSchema?: unknown}
  | ({readonly kind: 'error'} & Thrown)

/** The newest calls are kept. */
const MAX_CALLS = 50

/** The calls of a page as they happen. */
export class Calls {
  /** Newest first. */
  list: readonly Call[] = []
  readonly #context: CallingContext
  readonly #changed: () => void
  readonly #watched = new Set<string>()
  #lastId = 0

  /** @param changed called when the list has changed. */
  constructor(context: CallingContext, changed: () => void) {
    this.#context = context
    this.#changed = changed
    // Of forms, and of tools that the page registered itself.
    context.addEventListener('toolactivated', (event) => {
      const tool = nameIn(event)
      if (!this.#watched.has(tool) && !this.#running(tool))
        this.#add(tool, window, undefined, 'agent', 'unknown')
    })
    context.addEventListener('toolcancel', (event) => {
      const call = this.list.find(({tool, outcome}) => tool === nameIn(event) && outcome.kind === 'unknown')
      if (call) this.#replace(call.id, {outcome: {kind: 'stopped'}})
    })
  }

  /** The same context. Calls of the tools that are registered through it are listed. */
  watch(): ModelContext {
    return {
      getTools: () => this.#context.getTools(),
      registerTool: async (tool, options) => {
        const name = String(tool.name)
        const execute: ToolFunction = (args, more) => {
          const call = this.#running(name) ?? this.#add(name, window, args, 'agent', 'running')
          return this.#follow(
            call,
            args,
            async () => tool.execute(args, more),
            more?.signal,
            tool.outputSchema,
          )
        }
        await this.#context.registerTool({...tool, execute}, options)
        this.#watched.add(name)
        options.signal.addEventListener('abort', () => this.#watched.delete(name))
      },
    }
  }

  /** Calls a tool as an agent does. Never rejects: the outcome is in the call. */
  async call(tool: RegisteredTool, args: unknown, signal: AbortSignal): Promise<Call> {
    const call = this.#add(tool.name, windowOf(tool), args, 'panel', 'running')
    // The polyfill and the panel's registry take JSON.
    const input = isScript(this.#context.executeTool) ? JSON.stringify(args) : args
    const execute = async () => fromJson(await this.#context.executeTool(tool, input, {signal}))
    await this.#follow(call, undefined, execute, signal).catch(() => {})
    return this.list.find(({id}) => id === call.id) ?? call
  }

  async #follow(
    {id}: Call,
    args: unknown,
    execute: () => Promise<unknown>,
    signal?: AbortSignal,
    outputSchema?: unknown,
  ): Promise<unknown> {
    const started = performance.now()
    const finish = (outcome: Outcome) => {
      // A call from the panel finishes twice: as what the tool returned, and as what the browser returned.
      if (this.list.find((call) => call.id === id)?.outcome.kind === 'running')
        this.#replace(id, {outcome, duration: performance.now() - started})
    }
    try {
      const value = await execute()
      const error = thrownBy(args) ?? errorIn(value)
      finish(error ? {kind: 'error', ...error} : {kind: 'result', value, outputSchema})
      return value
    } catch (error) {
      finish(signal?.aborted ? {kind: 'stopped'} : {kind: 'error', message: String(membersOf(error).message)})
      throw error
    }
  }

  /** The call of a tool of this page that the panel has begun. */
  #running(tool: string): Call | undefined {
    return this.list.find(
      (call) =>
        call.tool === tool &&
        call.window === window &&
        call.by === 'panel' &&
        call.outcome.kind === 'running',
    )
  }

  #add(tool: string, window: unknown, args: unknown, by: Call['by'], kind: 'running' | 'unknown'): Call {
    this.#lastId += 1
    const page = location.pathname + location.search
    const call: Call = {id: this.#lastId, tool, window, args, by, at: new Date(), page, outcome: {kind}}
    this.list = [call, ...this.list].slice(0, MAX_CALLS)
    this.#changed()
    return call
  }

  #replace(id: number, change: Partial<Call>): void {
    this.list = this.list.map((call) => (call.id === id ? {...call, ...change} : call))
    this.#changed()
  }
}

function nameIn(event: Event): string {
  return String('toolName' in event ? event.toolName : undefined)
}

/** The error that the snippet returns as a result (docs/decisions/0016-tools-on-the-page.md). */
function errorIn(value: unknown): Thrown | undefined {
  const {isError, content} = membersOf(value)
  if (isError !== true) return undefined
  const [first]: unknown[] = Array.isArray(content) ? content : []
  return {message: String(membersOf(first).text)}
}

function isScript(method: unknown): boolean {
  return typeof method === 'function' && !Function.prototype.toString.call(method).includes('[native code]')
}

function fromJson(answer: unknown): unknown {
  if (typeof answer !== 'string') return answer ?? undefined
  try {
    return JSON.parse(answer)
  } catch {
    return answer
  }
}
