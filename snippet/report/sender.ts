import {addEventListener, clearTimeout, fetch, read, setTimeout} from '../page.ts'
import {Counts, type Ended} from './counts.ts'
import {SEND_AFTER} from './limits.ts'

declare global {
  interface Window {
    /** https://wicg.github.io/pending-beacon/fetch-later.html */
    fetchLater?(
      url: string,
      init: RequestInit & {activateAfter: number},
    ): {
      /** Whether the request was sent. */
      readonly activated: boolean
    }
  }
  interface Document {
    readonly prerendering?: boolean
  }
}

/** No cookies, and no address of the page. A text needs no preflight, which a closed page could not wait for. */
const INIT = {method: 'POST', credentials: 'omit', referrerPolicy: 'no-referrer'} as const

/**
 * Sends the calls of a page to a site: when the page is closed, hidden for good or put into the back/forward cache, or a minute
 * after the first one. `fetchLater` also sends if the process of the page is killed. Without it, hidden pages send.
 */
export class Sender {
  readonly #url: string
  readonly #counts = new Counts()
  /** When the first of `#counts` came. */
  #since = 0
  #later: {readonly activated: boolean} | undefined
  #abort: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(siteUrl: string) {
    this.#url = `${siteUrl}calls`
    addEventListener('prerenderingchange', () => this.#schedule(), true)
    addEventListener('online', () => this.#schedule())
    addEventListener('offline', () => this.#cancel())
    addEventListener(
      'visibilitychange',
      () => {
        if (read(Document, 'hidden', document)) this.flush()
      },
      true,
    )
  }

  add(ended: Ended): void {
    this.#forgetSent()
    const isFirst = this.#counts.isEmpty
    if (!this.#counts.add(ended)) {
      // At once. A page that cannot send drops the call.
      this.#cancel()
      this.flush()
      this.#counts.add(ended)
    }
    if (isFirst) this.#since = performance.now()
    this.#schedule()
  }

  /** Sends what the browser does not send later by itself. */
  flush(): void {
    if (this.#later || this.#counts.isEmpty || !canSend()) return
    void fetch(this.#url, {...INIT, keepalive: true, body: this.#counts.toBody()}).catch(() => {})
    this.discard()
  }

  /** Forgets what was not sent. */
  discard(): void {
    this.#forgetSent()
    this.#cancel()
    this.#counts.clear()
  }

  #schedule(): void {
    this.#forgetSent()
    this.#cancel()
    if (this.#counts.isEmpty || !canSend()) return
    const wait = Math.max(0, this.#since + SEND_AFTER - performance.now())
    this.#abort = new AbortController()
    try {
      this.#later = window.fetchLater?.(this.#url, {
        ...INIT,
        body: this.#counts.toBody(),
        signal: this.#abort.signal,
        activateAfter: wait,
      })
    } catch {
      // Not over HTTP, and not if the page's policy of permissions forbids it.
    }
    if (!this.#later) this.#timer = setTimeout(() => this.flush(), wait)
  }

  #forgetSent(): void {
    if (!this.#later?.activated) return
    this.#later = undefined
    this.#counts.clear()
  }

  #cancel(): void {
    clearTimeout(this.#timer)
    if (this.#later?.activated) return
    this.#abort?.abort()
    this.#later = undefined
  }
}

/** A page that is only prepared may never be seen. */
function canSend(): boolean {
  return !read(Document, 'prerendering', document) && navigator.onLine
}
