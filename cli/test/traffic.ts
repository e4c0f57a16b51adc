import type {CDPSession, Page, Request} from '@playwright/test'
import {withTimeout} from '../../common/timeout.ts'
import {jsonIn} from '../../schemas/record.ts'
import {shown} from '../../schemas/rules/text.ts'
import type {RequestSeen} from '../../verdicts/cause.ts'

/** Characters of a response that are kept. */
const BODY = 300

/** Requests and dialogs that are kept: a page can send and ask without end. */
const MAX_KEPT = 500

/** Milliseconds to wait for the body of a response. */
const BODY_TIMEOUT = 1_000

/** A stream of events would never end, and files of a page say nothing about a call. */
const KINDS: readonly string[] = ['fetch', 'xhr']

/** The module of a tool’s script. */
const TOOL_MODULE = /\/tools\/[^/]+\/[^/]+\.js$/

function keyOf(method: string, url: string): string {
  return `${method} ${url.replace(/#.*/s, '')}`
}

/** The requests that a page sends, and what it asks and logs, since a call began. */
export class Traffic {
  /** What a person should know of the page although no test fails. */
  readonly notes: string[] = []
  /** What the page asked in dialogs. Each was declined. */
  dialogs: string[] = []
  /** The status of the page that the browser went to since. Undefined: it went nowhere, or within the page. */
  status: number | undefined
  /** Its address, which the browser says before its scripts end. */
  address: string | undefined
  readonly #page: Page
  readonly #origin: string
  readonly #isSentByScript = new Set<string>()
  /** When each request began and ended. */
  readonly #seen = new Map<Request, {readonly startedAt: number; endedAt?: number}>()

  /** @param isIgnored whether a request is one of the snippet's own */
  constructor(page: Page, origin: string, isIgnored: (url: URL) => boolean) {
    this.#page = page
    this.#origin = origin
    page.on('request', (request) => {
      const isKept = this.#seen.size < MAX_KEPT && KINDS.includes(request.resourceType())
      if (isKept && !isIgnored(new URL(request.url())))
        this.#seen.set(request, {startedAt: performance.now()})
    })
    const end = (request: Request) => {
      const seen = this.#seen.get(request)
      if (seen !== undefined) seen.endedAt = performance.now()
    }
    page.on('requestfinished', end)
    page.on('requestfailed', end)
    page.on('response', (response) => {
      if (response.request().isNavigationRequest() && response.frame() === page.mainFrame()) {
        this.status = response.status()
        this.address = response.url()
      }
    })
    page.on('dialog', (dialog) => {
      const text = dialog.message().slice(0, BODY)
      if (dialog.type() !== 'alert' && this.dialogs.length < MAX_KEPT) this.dialogs.push(text)
      if (this.notes.length === 0)
        this.notes.push(`The page said ${shown(text)} in a dialog, which agents have to close.`)
      // The page may have been closed.
      dialog.dismiss().catch(() => {})
    })
  }

  /** Notes which requests the scripts of tools send. Their code is a text or a module of its own, and pages rarely run texts. */
  async watchScripts(session: CDPSession): Promise<void> {
    session.on('Network.requestWillBeSent', ({request, initiator}) => {
      const isScript = initiator.stack?.callFrames.some(({url}) => url === '' || TOOL_MODULE.test(url))
      if (isScript && this.#isSentByScript.size < MAX_KEPT)
        this.#isSentByScript.add(keyOf(request.method, request.url))
    })
    await session.send('Network.enable')
  }

  /** Forgets what was before a call. */
  async clear(): Promise<void> {
    await this.#page.clearConsoleMessages()
    this.#seen.clear()
    this.dialogs = []
    this.status = undefined
    this.address = undefined
    this.#isSentByScript.clear()
  }

  /** What the page logged as errors. Those of scripts have their stacks, and are logged as information: they are results. */
  async errors(): Promise<string> {
    const messages = await this.#page.consoleMessages({filter: 'all'}).catch(() => [])
    const isFailure = (type: string, text: string) =>
      type === 'error' || (type === 'info' && /\n\s+at /.test(text))
    return messages.flatMap((one) => (isFailure(one.type(), one.text()) ? one.text() : [])).join('\n')
  }

  /** The requests since a call began, in their order. */
  requests(): Promise<RequestSeen[]> {
    const now = performance.now()
    return Promise.all(
      Array.from(this.#seen, async ([request, {startedAt, endedAt = now}]) => {
        let first = request
        for (let from = request.redirectedFrom(); from; from = from.redirectedFrom()) first = from
        const response = request.existingResponse()
        const contentType = response?.headers()['content-type'] ?? ''
        const body = (response && (await withTimeout(BODY_TIMEOUT, response.text()))) ?? undefined
        const failure = request.failure()?.errorText
        return {
          method: first.method(),
          url: this.#short(first.url()),
          ledTo: first === request ? undefined : this.#short(request.url()),
          status: response?.status(),
          // The page has left, or the script has cancelled it.
          failure: failure === 'net::ERR_ABORTED' ? undefined : failure,
          contentType,
          body: body?.slice(0, BODY),
          isBroken: Boolean(body) && /\bjson\b/i.test(contentType) && jsonIn(body ?? '') === undefined,
          milliseconds: endedAt - startedAt,
          isOfTool: this.#isSentByScript.has(keyOf(first.method(), first.url())),
        }
      }),
    )
  }

  /** Without the origin of the page. */
  #short(address: string): string {
    const {origin, pathname, search} = new URL(address)
    return origin === this.#origin ? pathname + search : address
  }
}
