import {contextOf} from '../../snippet/page.ts'
import {type CallingContext, windowOf} from '../../snippet/webmcp.ts'
import {Calls} from '../calls.ts'
import {createRegistry} from '../registry.ts'

declare global {
  interface Window {
    handrailTesting?: typeof testing
  }
}

/** Milliseconds between two looks for a tool. */
const PAUSE = 25

/** The browser's WebMCP. Without one, the registry of the panel stands in, and the snippet takes it for the browser's. */
function takeContext(): CallingContext {
  const own = contextOf()
  if (own && 'executeTool' in own) return own
  const registry = createRegistry()
  Object.defineProperty(document, 'modelContext', {value: registry, configurable: true})
  return registry
}

const context = takeContext()
const calls = new Calls(context, () => {})
// Taken before the page can replace them.
const {setTimeout, performance} = window
const timeoutAfter = AbortSignal.timeout.bind(AbortSignal)

async function toolNamed(name: string) {
  return (await context.getTools()).find((tool) => tool.name === name && windowOf(tool) === window)
}

/** Older browsers have the schema as JSON. */
function objectIn(schema: unknown): unknown {
  return typeof schema === 'string' ? JSON.parse(schema) : schema
}

/** What `npm run content -- test` does in a page. It runs before the page's own scripts. */
const testing = {
  /**
   * Waits until the page has a tool.
   * @returns whether it has, and what the snippet says. `state` is undefined if the page has no snippet. `schema`: the
   * parameters, as the browser knows them: those of a form are known only there.
   */
  async find(site: string, name: string, milliseconds: number) {
    const end = performance.now() + milliseconds
    for (;;) {
      const tool = await toolNamed(name)
      const isThere = tool !== undefined
      const state = window.handrail?.sites?.[site]
      if (isThere || performance.now() > end) {
        const problem = state?.problems[name] ?? state?.error
        return {isThere, state: state?.state, problem, schema: objectIn(tool?.inputSchema ?? undefined)}
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
    }
  },
  /** The names of the page's own tools, and those of the site. */
  names: async () =>
    (await context.getTools()).filter((tool) => windowOf(tool) === window).map(({name}) => name),
  /** Calls a tool as an agent does. */
  async call(name: string, args: unknown, milliseconds: number) {
    const tool = await toolNamed(name)
    if (!tool) return {kind: 'error', message: 'The page no longer has the tool.', milliseconds: 0}
    const started = performance.now()
    const {outcome} = await calls.call(tool, args, timeoutAfter(milliseconds))
    const took = performance.now() - started
    switch (outcome.kind) {
      case 'result':
        return {kind: 'result', value: outcome.value, milliseconds: took}
      case 'error':
        return {kind: 'error', message: outcome.message, milliseconds: took}
      default:
        return {kind: 'timeout', milliseconds: took}
    }
  },
  /** The selectors that match nothing. */
  missing: (selectors: readonly string[]) =>
    selectors.filter((selector) => {
      try {
        return document.querySelector(selector) === null
      } catch {
        return false
      }
    }),
  /** What lies over the middle of the page and most of what is visible, or keeps the rest from being used, as its tag and class. Undefined: nothing. */
  covering() {
    const {body, documentElement} = document
    const middle = [innerWidth / 2, innerHeight / 2] as const
    let element: Element | null | undefined
    for (let root: Document | ShadowRoot | null | undefined = document; root; root = element?.shadowRoot) {
      const inner = root.elementFromPoint(...middle)
      if (!inner || inner === element) break
      element = inner
    }
    while (element && element !== body && element !== documentElement) {
      const {width, height} = element.getBoundingClientRect()
      const isOver = getComputedStyle(element).position === 'fixed'
      const isLarge = width * height > (innerWidth * innerHeight) / 2
      // The page itself may be in such an element.
      const isPage = (element.textContent ?? '').length > (body.textContent ?? '').length / 2
      if (element.matches(':modal') || (isOver && isLarge && !isPage))
        return `<${element.localName}${element.className && ` class="${element.className}"`}>`.slice(0, 100)
      const {parentElement} = element
      const root = element.getRootNode()
      element = parentElement ?? (root instanceof ShadowRoot ? root.host : undefined)
    }
    return undefined
  },
  /** Adds the tag of a site, if the page has none. Returns whether it did. */
  addTag(src: string, site: string) {
    if (document.querySelector(`script[src*="/snippet."]`) !== null || window.handrail?.sites[site])
      return false
    const tag = document.createElement('script')
    tag.src = src
    document.head.append(tag)
    return true
  },
}

window.handrailTesting = testing
