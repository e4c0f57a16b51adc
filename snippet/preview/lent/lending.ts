import type {ComponentChildren} from 'preact'
import type {PageValue} from '../../../schemas/actions/row.ts'
import type {ProposedTool, Row} from '../../../schemas/making/exchange.ts'
import type {StudioOfPreview} from '../../../schemas/making/studioLink.ts'
import type {Exchange} from '../../../schemas/making/values.ts'
import type {WantedField} from '../../previewLink.ts'
import type {RegisteredTool} from '../../webmcp.ts'
import type {DraftTool} from '../answer.ts'
import type {Call} from '../calls.ts'
import type {Present, TestedTool} from '../entries.ts'

/** What the tab “Make a tool” knows of the preview. */
export type MakeProps = {
  /** The address of the service, with a trailing slash. */
  readonly base: string
  /** Where Studio makes the tool; undefined: the page was not opened from Studio. */
  readonly studio: (StudioOfPreview & {readonly siteId: string}) | undefined
  /** Whether it is the chosen tab. */
  readonly isShown: boolean
  /** The name of the tool that has a draft with this id, and is on the page. */
  readonly nameOf: (id: string) => string | undefined
  /** Names of tools that are on the page, or that the site has. */
  readonly taken: readonly string[]
  /** Shows a tool in its tab, to be tried. */
  readonly show: (name: string) => void
  /** The field of a tool that Studio opened the page for; undefined: a new tool is made. */
  readonly wanted: WantedField | undefined
  /** Tries a tool: a module of its own, which is loaded with the first request that is used. */
  readonly Trial: (props: TrialProps) => ComponentChildren
  /** Goes on with a new tool. */
  readonly forget: () => void
}

/** A request of the page, and the tool that is made of it. */
export type TrialProps = {
  /** The address of the service, with a trailing slash. */
  readonly base: string
  readonly recorded: {
    readonly exchange: Exchange
    /** The names of the headers that the page set. */
    readonly headers: readonly string[]
    /** Those whose values stand on the page. */
    readonly sent: readonly Row[]
    /** Where values of the address and the body stand on the page. */
    readonly places: ReadonlyMap<string, PageValue>
    /** What told the page from pages like it. */
    readonly ids?: readonly string[]
    readonly status?: number
    /** The text of what a person pressed just before. */
    readonly pressed?: string
  }
  readonly tool: ProposedTool
  /** The arguments with which it sends what the page sent. */
  readonly args: Readonly<Record<string, unknown>>
  /** Whether somebody has chosen what it returns. */
  readonly isComplete: boolean
  /** Calls a function whose requests are not listed. */
  readonly unlisted: (send: () => Promise<Response>) => Promise<Response>
}

/** What the tab “Tests” knows of the preview. */
export type TestsProps = {
  /** The address of the service, with a trailing slash. */
  readonly base: string
  readonly isPreview: boolean
  /** Undefined: the preview does not say where Studio is. */
  readonly studio: StudioOfPreview | undefined
  readonly tools: readonly TestedTool[]
  /** Names of tools on the page that have no test. */
  readonly untested: readonly string[]
  readonly call: (tool: RegisteredTool, args: unknown, signal: AbortSignal) => Promise<Call>
  /** Shows what became of a call. */
  readonly showOutcome: (call: Call) => ComponentChildren
  /** The document of a tool whose tests run now, and how often that was asked for. */
  readonly wanted: {readonly id: string; readonly count: number} | undefined
}

/** What the button “Keep this call as a test” knows. */
export type KeepProps = {
  readonly studio: StudioOfPreview
  readonly draft: DraftTool
  readonly present: Present
  readonly call: Call
  /** Runs the tests of the tool in their tab. */
  readonly runTests: () => void
}

/** What the module of tests has. */
export type TestViews = {
  readonly TestsView: (props: TestsProps) => ComponentChildren
  readonly KeepCall: (props: KeepProps) => ComponentChildren
}
