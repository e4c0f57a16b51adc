/**
 * The part of WebMCP (https://webmachinelearning.github.io/webmcp/) that the snippet uses, as in Chromium
 * 156.
 */
export type ModelContext = {
  /** Rejects for any invalid member of a tool: the browser validates them. */
  registerTool(tool: ToolDescriptor, options: {signal: AbortSignal; exposedTo?: unknown}): Promise<void>
  /** The tools of this document and of the frames that it can access. */
  getTools?(): Promise<RegisteredTool[]>
}

/** What only the panel uses. */
export type CallingContext = ModelContext & {
  getTools(): Promise<RegisteredTool[]>
  /**
   * @param args the polyfill takes JSON.
   * @returns the result as JSON; null if a form led to another page, or if there is none.
   */
  executeTool(tool: RegisteredTool, args: unknown, options: {signal: AbortSignal}): Promise<unknown>
  /** `toolchange`; in Chromium also `toolactivated` and `toolcancel`, which have a `toolName`. */
  addEventListener(type: string, listener: (event: Event) => void): void
}

/** Since Chrome 160, its members are getters, `source` stands in place of `window`, and a missing schema is null. */
export type RegisteredTool = {
  name: string
  window?: unknown
  source?: unknown
  title?: string
  description?: string
  inputSchema?: unknown
  annotations?: unknown
}

/** The window of the document that has a tool. */
export function windowOf(tool: RegisteredTool): unknown {
  return tool.source ?? tool.window
}

export type ToolDescriptor = {execute: ToolFunction; [member: string]: unknown}

/** Browsers pass the second argument, the polyfill does not. */
export type ToolFunction = (args: unknown, options?: {signal?: AbortSignal}) => unknown

/** What an agent is told of a form that the page took, if the page tells it nothing. */
export const UNANSWERED =
  'The page took the form and did not say what came of it. Look at the page before you submit the form again.'

declare global {
  /** With the members that WebMCP adds. */
  interface SubmitEvent {
    readonly agentInvoked?: boolean
    /** Only the last call counts. Throws after the event, and before its submission is prevented. */
    respondWith?(answer: unknown): void
  }
  interface Document {
    readonly modelContext?: CallingContext
  }
}
