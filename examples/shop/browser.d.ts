// What the scripts in assets/ use of the browser that TypeScript does not know yet, or that the page adds to it.

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
}

interface DocumentEventMap {
  'cart:changed': CustomEvent<{count: number; total: number}>
  'order:placed': CustomEvent<{url: string}>
}
