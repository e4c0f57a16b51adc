import type {Hint} from '../../schemas/rules/hints/annotations.ts'

/** How a page's tools are there for a consumer. */
export type Access =
  /** Its browser has WebMCP on pages with an origin trial token only. */
  | 'token'
  /** It switches WebMCP on itself. */
  | 'own'
  /** The person who runs it switches WebMCP on. */
  | 'option'
  /** It is a script that a page loads. */
  | 'page'
  /** It is announced. */
  | 'future'

/** What is known of something that lists and calls tools. */
export type Consumer = {
  readonly id: string
  readonly title: string
  readonly access: Access
  /** Under which name it lists a tool. Undefined: under its own. */
  readonly naming?: {
    readonly prefix: string
    /** Each character that matches becomes "_". */
    readonly replaced: RegExp
    /** Characters before the prefix is added. */
    readonly longest: number
  }
  /** The hints that reach the model. */
  readonly hints: readonly Hint[]
  /** Whether it announces every tool without a read-only hint as destructive. */
  readonly assumesDestructive?: true
  /** What it does with "For developers only". Undefined: it lists them with the others. */
  readonly debugging?: 'apart'
  /** What becomes of a call of a form that waits for a visitor. */
  readonly waitingForm?: 'times out' | 'blocks it'
  /** Tools on a page that were seen to work. With more, it may list none. */
  readonly mostTools?: number
  /** Tools that it announced of a page with more. */
  readonly mostAnnounced?: number
  /** Seconds after which it, or most clients of it, end a call. */
  readonly callSeconds?: number
  /** Whether it refuses a result that differs from the output schema. */
  readonly checksResults?: true
  /** Whether it makes up values for parameters without examples. */
  readonly makesUpValues?: true
  /** Whether it refuses tools with keywords that the draft does not have. */
  readonly refusesKeywords?: true
  /** What else to know, as sentences. */
  readonly facts: readonly string[]
  /** What was read or run, with its version. */
  readonly source: string
  /** When. */
  readonly date: string
}

const ALL: readonly Hint[] = ['readOnlyHint', 'consequentialHint', 'untrustedContentHint']

/** The known consumers. To add one, add a row, and its column to the table in test/advice/agents/table.ts. */
export const CONSUMERS: readonly Consumer[] = [
  {
    id: 'browsers',
    title: 'Agents in the Chrome or Edge of a visitor',
    access: 'token',
    hints: ALL,
    facts: ['Firefox and Safari have no WebMCP.'],
    source: 'Chromium 156, run',
    date: '2026-11-21',
  },
  {
    id: 'chatgpt',
    title: 'ChatGPT’s browser',
    access: 'own',
    hints: ALL,
    mostTools: 30,
    facts: [
      'It is a part of the desktop app, and not offered in workspaces of companies and schools.',
      'It does not see tools in frames.',
    ],
    source: 'developers.openai.com/docs/webmcp and webmachinelearning/webmcp#293, read',
    date: '2026-11-26',
  },
  {
    id: 'playwright',
    title: 'Playwright MCP',
    access: 'option',
    naming: {prefix: 'webmcp_', replaced: /[^a-zA-Z0-9_-]/g, longest: 64},
    hints: ALL,
    assumesDestructive: true,
    waitingForm: 'times out',
    callSeconds: 60,
    facts: [
      'It reads the list of tools when the page has loaded, and at each snapshot of the page.',
      'A script does not learn that its call was ended.',
    ],
    source: '@playwright/mcp 0.0.83 and Playwright 1.65.1, run by the tests',
    date: '2026-11-26',
  },
  {
    id: 'agent-browser',
    title: 'agent-browser',
    access: 'own',
    hints: ALL,
    waitingForm: 'times out',
    mostAnnounced: 15,
    callSeconds: 25,
    facts: [
      'It aborts the signal of a call that it ends.',
      'It announces the tools that are there when the page has loaded, and later ones with one of the next commands.',
      'The model reads names and short descriptions first, and parameters only of the tool that it chooses.',
      'A tool that leads to another page counts as failed.',
    ],
    source: 'agent-browser 0.41.2, run',
    date: '2026-11-26',
  },
  {
    id: 'chrome-devtools-mcp',
    title: 'Chrome DevTools MCP',
    access: 'option',
    hints: ALL,
    debugging: 'apart',
    waitingForm: 'blocks it',
    facts: [
      'A tool that leads to another page returns nothing.',
      'Tools for developers are there only if the person who runs it switches them on.',
    ],
    source: 'chrome-devtools-mcp 1.11.0, run and read',
    date: '2026-11-26',
  },
  {
    id: 'stagehand',
    title: 'Stagehand',
    access: 'own',
    hints: ['readOnlyHint', 'untrustedContentHint'],
    facts: [],
    source: '@browserbasehq/stagehand 4.4.0, run without a model, and read',
    date: '2026-11-26',
  },
  {
    id: 'page-chat',
    title: 'A chat of your own on the page',
    access: 'page',
    hints: ALL,
    facts: [
      'It is a script of your page that asks the browser for its tools, such as TanStack AI’s page tools or Google’s ADK.',
      'It needs no token, and works with a polyfill in every browser.',
    ],
    source: 'TanStack AI and google/adk-js#914, read',
    date: '2026-11-26',
  },
  {
    id: 'mcp-b',
    title: 'MCP-B',
    access: 'page',
    hints: ['readOnlyHint', 'untrustedContentHint'],
    checksResults: true,
    facts: ['On pages that load it, other agents do not get the hints that it drops, either.'],
    source: '@mcp-b/global 5.1.0, run and read',
    date: '2026-11-26',
  },
  {
    id: 'webmcp-evals',
    title: 'webmcp-evals, smoke tests',
    access: 'own',
    hints: ALL,
    makesUpValues: true,
    facts: ['It waits five seconds for a tool, and passes a call unless it fails.'],
    source: 'webmcp-evals 0.0.3 (9626f8d), run',
    date: '2026-11-25',
  },
  {
    id: 'draft',
    title: 'Browsers that follow the draft about parameters',
    access: 'future',
    hints: ALL,
    refusesKeywords: true,
    facts: ['The draft is not decided, and its list of keywords may grow.'],
    source: 'webmachinelearning/webmcp#289, read',
    date: '2026-11-26',
  },
]
