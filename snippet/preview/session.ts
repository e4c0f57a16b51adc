import {type Failure, messageOf} from '../config.ts'
import {PREVIEW_KEY} from '../previewLink.ts'
import {type Drafts, messageIn, parseDrafts} from './answer.ts'

/** Why a preview is over, for a person. */
export type Ended = {readonly ended: string}

/** Milliseconds until a request counts as failed. */
const TIMEOUT = 10_000

/** Milliseconds after which the whole response is requested, also if it has not changed: it renews the token. */
const WHOLE_AFTER = 60_000

/** The preview of one site in this tab. */
export class PreviewSession {
  readonly #url: string
  readonly #siteId: string
  #secret: string | undefined
  #token: string | undefined
  #last: {path: string; tag: string | null; at: number; drafts: Drafts} | undefined

  /**
   * @param siteUrl the address of the site at the service, with a trailing slash.
   * @param kept what the link or the storage of the tab has, see {@link siteOf}.
   */
  constructor(siteUrl: string, siteId: string, kept: string) {
    this.#url = `${siteUrl}preview`
    this.#siteId = siteId
    const rest = kept.slice(siteId.length + 1)
    if (rest.startsWith(TOKEN)) this.#token = rest.slice(TOKEN.length)
    else this.#secret = rest
  }

  /** Fetches the drafts for a path, as `fetchConfig` does. */
  async fetch(path: string, attempt: AbortController): Promise<Drafts | Ended | Failure> {
    let retryAfter = 0
    const signal = AbortSignal.any([attempt.signal, AbortSignal.timeout(TIMEOUT)])
    try {
      if (this.#secret !== undefined) {
        const secret = this.#secret
        const body = JSON.stringify({secret})
        const headers = {'content-type': 'application/json'}
        const exchange = await this.#request('', {method: 'POST', headers, body, signal})
        if ('ended' in exchange) return exchange
        this.#renew(Object(JSON.parse(exchange.text)).token)
      }
      const last =
        this.#last?.path === path && Date.now() < this.#last.at + WHOLE_AFTER ? this.#last : undefined
      const headers = {
        authorization: `Bearer ${this.#token}`,
        // With If-None-Match, browsers would send a preflight each time.
        ...(last?.tag && {'preview-tag': last.tag}),
      }
      const answer = await this.#request(`?path=${encodeURIComponent(path)}`, {headers, signal})
      if ('ended' in answer) return answer
      if (answer.status === 304 && last) return last.drafts
      const drafts = parseDrafts(answer.text, answer.tag)
      this.#renew(drafts.token)
      this.#last = {path, tag: answer.tag, at: Date.now(), drafts}
      return drafts
    } catch (error) {
      if (error instanceof Refusal) retryAfter = error.retryAfter
      return {error: messageOf(error), retryAfter}
    }
  }

  #renew(token: unknown): void {
    if (typeof token !== 'string') return
    this.#token = token
    this.#secret = undefined
    keep(`${this.#siteId}.${TOKEN}${token}`)
  }

  /** @throws Refusal if a later request may succeed. */
  async #request(
    query: string,
    init: RequestInit,
  ): Promise<Ended | {status: number; text: string; tag: string | null}> {
    const response = await fetch(this.#url + query, {
      ...init,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    })
    const {status, headers} = response
    const text = await response.text()
    if (response.ok || status === 304) return {status, text, tag: headers.get('etag')}
    const message = messageIn(text)
    if (status === 401 || status === 404) return {ended: message || ENDED}
    throw new Refusal(message || `status ${status}`, Number(headers.get('retry-after')) || 0)
  }
}

class Refusal extends Error {
  readonly retryAfter: number

  constructor(message: string, retryAfter: number) {
    super(message)
    this.retryAfter = retryAfter
  }
}

/** Before a token in the storage. Secrets never contain it. */
const TOKEN = 'token:'

const ENDED = 'This preview has ended. Open the page again from Studio.'

/** The public ID of the site that a kept link is for; undefined if it asks for the panel without drafts. */
export function siteOf(kept: string): string | undefined {
  const [, siteId] = /^([\w-]+)\../.exec(kept) ?? []
  return siteId
}

/** Keeps a link or token for the tab; undefined: forgets it. The storage may be forbidden. */
export function keep(value: string | undefined): void {
  try {
    if (value === undefined) sessionStorage.removeItem(PREVIEW_KEY)
    else sessionStorage.setItem(PREVIEW_KEY, value)
  } catch {}
}
