/** What the snippet uses of WebMCP (https://webmachinelearning.github.io/webmcp/), as Chromium 156 has it. */
export type ModelContext = {
  /** Rejects for whatever is wrong with a tool: the browser is the one that checks its members. */
  registerTool(tool: ToolDescriptor, options: {signal: AbortSignal; exposedTo?: unknown}): Promise<void>
  /** The tools of this document and of the frames that it may see. */
  getTools(): Promise<{name: string; window: unknown}[]>
}

export type ToolDescriptor = {execute: ToolFunction; [member: string]: unknown}

/** The second argument is there in browsers, and absent in the polyfill. */
export type ToolFunction = (args: unknown, options?: {signal?: AbortSignal}) => unknown

declare global {
  interface Document {
    readonly modelContext?: ModelContext
  }
}
