// What the scripts in assets/ use of the browser that TypeScript does not know yet, or that the page adds to it.

/** A tool as WebMCP lists it: https://webmachinelearning.github.io/webmcp/, in Chromium 156. */
type RegisteredTool = {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema?: import('./assets/panel/fields.js').Schema
  readonly annotations?: {
    readonly readOnlyHint?: boolean
    readonly consequentialHint?: boolean
    readonly untrustedContentHint?: boolean
  }
}

interface ModelContext extends EventTarget {
  getTools(): Promise<RegisteredTool[]>
  /** Answers JSON; null where a form led to another page. */
  executeTool(tool: RegisteredTool, args: object, options?: {signal?: AbortSignal}): Promise<string | null>
}

interface Document {
  readonly modelContext?: ModelContext
}

/** https://webmachinelearning.github.io/webmcp/declarative.html: of a form that a tool has filled in. */
interface SubmitEvent {
  readonly agentInvoked?: boolean
  respondWith?(answer: Promise<unknown>): void
}

interface Window {
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: {createHTML(markup: string): string},
    ): {createHTML(markup: string): string}
  }
  /** The snippet's. */
  readonly handrail?: {
    /** Asks the service for the tools of this page now. */
    refresh(): Promise<void>
    readonly sites?: Record<
      string,
      | {
          readonly state: 'loading' | 'ready' | 'failed'
          readonly problems: Readonly<Record<string, string>>
          readonly error?: string
        }
      | undefined
    >
  }
}

interface DocumentEventMap {
  'cart:changed': CustomEvent<{count: number; total: number}>
  'order:placed': CustomEvent<{url: string}>
}
