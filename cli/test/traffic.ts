import type {CDPSession, ConsoleMessage, Dialog, Page, Request, Response} from 'playwright-core'
import {withTimeout} from '../../common/timeout.ts'
import {jsonIn} from '../../schemas/record.ts'
import {shortened, shown} from '../../schemas/rules/text.ts'
import type {RequestSeen} from '../../verdicts/cause.ts'

/** Characters of a response that are kept. */
const BODY = 300

/** Requests and errors that are kept: a page can send and log without end. */
const MAX_KEPT = 500

/** Characters of an error that are kept. */
const LONGEST_ERROR = 10_000

const LONGEST_NOTE = 150

/** Milliseconds to wait for the body of a response. */
const BODY_TIMEOUT = 1_000

/** A stream of events would never end, and files of a page say nothing about a call. */
const KINDS: readonly string[] = ['fetch', 'xhr']

/** The module of a tool’s script. */
const TOOL_MODULE = /\/tools\/[^/]+\/[^/]+\.js$/

function keyOf(method: string, url: string): string {
  return `${method} ${url.replace(/#.*/s, '')}`
}

type Seen = {
  readonly request: Request
  readonly startedAt: number
  endedAt?: number
  response?: Response
  failure?: string
}

/** The requests that a page sends, and the errors that it logs, since a call began. */
export class Traffic {
  /** What a person should know of the page although no test fails: at most one of each kind. */
  readonly notes: string[] = []
  /** What the page asked in dialogs. Each was declined. */
  dialogs: string[] = []
  /** The status of the page that the browser went to since. Undefined: it went nowhere, or within the page. */
  status: number | undefined
  readonly #origin: string
  readonly #isSentByScript = new Set<string>()
  #hasAlerted = false
  #seen: Seen[] = []
  #errors: string[] = []

  /** @param isIgnored whether a request is one of the snippet's own */
  constructor(page: Page, origin: string, isIgnored: (url: string) => boolean) {
    this.#origin = origin
    page.on('request', (request) => {
      const isKept = this.#seen.length < MAX_KEPT && KINDS.includes(request.resourceType())
      if (isKept && !isIgnored(request.url())) this.#seen.push({request, startedAt: performance.now()})
    })
    page.on('response', (response) => {
      const request = response.request()
      this.#update(request, {response})
      if (request.isNavigationRequest() && response.frame() === page.mainFrame())
        this.status = response.status()
    })
    page.once('pageerror', ({message}) => {
      this.notes.push(`A script of the page failed: ${shortened(message, LONGEST_NOTE)}.`)
    })
    page.on('dialog', (dialog: Dialog) => {
      if (dialog.type() === 'alert' && !this.#hasAlerted) {
        this.#hasAlerted = true
        this.notes.push(`The page said ${shown(dialog.message())} in a dialog, which agents have to close.`)
      }
      if (dialog.type() !== 'alert' && this.dialogs.length < MAX_KEPT)
        this.dialogs.push(dialog.message().slice(0, BODY))
      // The page may have been closed.
      dialog.dismiss().catch(() => {})
    })
    page.on('requestfinished', (request) => this.#update(request, {endedAt: performance.now()}))
    page.on('requestfailed', (request) => {
      const failure = request.failure()?.errorText ?? 'failed'
      // The page has left, or the script has cancelled it.
      const change = failure === 'net::ERR_ABORTED' ? {} : {failure}
      this.#update(request, {endedAt: performance.now(), ...change})
    })
    page.on('console', (message: ConsoleMessage) => {
      const isFailure =
        message.type() === 'error' || (message.type() === 'info' && /\n\s+at /.test(message.text()))
      if (isFailure && this.#errors.length < MAX_KEPT)
        this.#errors.push(message.text().slice(0, LONGEST_ERROR))
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
  clear(): void {
    this.#seen = []
    this.#errors = []
    this.dialogs = []
    this.status = undefined
    this.#isSentByScript.clear()
  }

  /** What the page logged as errors. Those of scripts have their stacks, and are logged as information: they are results. */
  get errors(): string {
    return this.#errors.join('\n')
  }

  /** The requests since a call began, in their order. */
  requests(): Promise<RequestSeen[]> {
    const now = performance.now()
    return Promise.all(
      this.#seen.map(async ({request, startedAt, endedAt = now, response, failure}) => {
        const contentType = response?.headers()['content-type'] ?? ''
        const body = response && (await withTimeout(BODY_TIMEOUT, response.text()))
        return {
          method: request.method(),
          url: this.#short(request.url()),
          status: response?.status(),
          failure,
          contentType,
          body: body?.slice(0, BODY),
          isBroken: Boolean(body) && /\bjson\b/i.test(contentType) && jsonIn(body ?? '') === undefined,
          milliseconds: endedAt - startedAt,
          isOfTool: this.#isSentByScript.has(keyOf(request.method(), request.url())),
        }
      }),
    )
  }

  #update(request: Request, change: Partial<Seen>): void {
    const seen = this.#seen.find((one) => one.request === request)
    if (seen !== undefined) Object.assign(seen, change)
  }

  /** Without the origin of the page. */
  #short(address: string): string {
    const {origin, pathname, search} = new URL(address)
    return origin === this.#origin ? pathname + search : address
  }
}
