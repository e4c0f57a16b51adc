import type {Failure} from '../snippet/config.ts'
import {membersOf} from '../snippet/members.ts'
import {messageOf} from '../snippet/messageOf.ts'
import {PREVIEW_KEY} from '../snippet/previewLink.ts'
import {type Drafts, messageIn, parseDrafts} from './answer.ts'
import {keepInTab, keptInTab} from './tabStorage.ts'

/** Why a preview is over, for a person. */
type Ended = {readonly ended: string}

/** Milliseconds until a request counts as failed. */
const TIMEOUT = 10_000

/** The preview of one site in this tab. */
export class PreviewSession {
  readonly #url: string
  readonly #siteId: string
  /** Undefined: it has been exchanged. */
  #link: {readonly code: string; readonly tab: string} | undefined
  #token: string | undefined
  #mayRun: boolean
  #last: {path: string; tag: string | null; drafts: Drafts} | undefined

  /**
   * @param siteUrl the address of the site at the service, with a trailing slash.
   * @param kept what the link or the storage of the tab has, see {@link siteOf}.
   */
  constructor(siteUrl: string, siteId: string, kept: string) {
    this.#url = `${siteUrl}preview`
    this.#siteId = siteId
    const rest = kept.slice(siteId.length + 1)
    if (rest.startsWith(TOKEN)) this.#token = rest.slice(TOKEN.length)
    else {
      const [code = '', tab = randomTab()] = rest.split(TAB)
      this.#link = {code, tab}
      // The page may be left before the response arrives. The code works again, but only with this text.
      keep(`${siteId}.${code}${TAB}${tab}`)
    }
    this.#mayRun = this.#token !== undefined && keptInTab(AGREED_KEY) === kept
  }

  /** Whether a person agreed that drafts run which were not reviewed. */
  get mayRun(): boolean {
    return this.#mayRun
  }

  /** Remembers for the tab that drafts may run. Another link, also one with a token, needs to be agreed to again. */
  agree(): void {
    this.#mayRun = true
    keepInTab(AGREED_KEY, this.#kept)
  }

  get #kept(): string {
    return `${this.#siteId}.${TOKEN}${this.#token}`
  }

  /** Fetches the drafts for a path, as `fetchConfig` does. */
  async fetch(path: string, attempt: AbortController): Promise<Drafts | Ended | Failure> {
    const signal = AbortSignal.any([attempt.signal, AbortSignal.timeout(TIMEOUT)])
    try {
      if (this.#link) {
        const body = JSON.stringify(this.#link)
        const headers = {'content-type': 'application/json'}
        const exchange = await this.#request('', {method: 'POST', headers, body, signal})
        if (!('text' in exchange)) return exchange
        this.#keepToken(membersOf(JSON.parse(exchange.text)).token)
      }
      const last = this.#last?.path === path ? this.#last : undefined
      const headers = {
        authorization: `Bearer ${this.#token}`,
        // With If-None-Match, browsers would send a preflight each time.
        ...(last?.tag && {'preview-tag': last.tag}),
      }
      const answer = await this.#request(`?path=${encodeURIComponent(path)}`, {headers, signal})
      if (!('text' in answer)) return answer
      if (answer.status === 304 && last) return last.drafts
      const drafts = parseDrafts(answer.text, answer.tag)
      this.#last = {path, tag: answer.tag, drafts}
      return drafts
    } catch (error) {
      return {error: messageOf(error), retryAfter: 0}
    }
  }

  #keepToken(token: unknown): void {
    if (typeof token !== 'string') return
    this.#token = token
    this.#link = undefined
    keep(this.#kept)
  }

  async #request(
    query: string,
    init: RequestInit,
  ): Promise<Ended | Failure | {status: number; text: string; tag: string | null}> {
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
    return {error: message || `status ${status}`, retryAfter: Number(headers.get('retry-after')) || 0}
  }
}

/** Before a token in the storage, and between a code and the text of the tab. Codes never contain either. */
const TOKEN = 'token:'
const TAB = ':'

const ENDED = 'This preview has ended. Open the page again from Studio.'

/** A text that no other tab knows. `crypto.randomUUID` exists on pages with TLS only. */
function randomTab(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))]
    .map((part) => part.toString(36).padStart(7, '0'))
    .join('')
}

/** The public ID of the site that a kept link is for; undefined if it asks for the panel without drafts. */
export function siteOf(kept: string): string | undefined {
  const [, siteId] = /^([\w-]+)\../.exec(kept) ?? []
  return siteId
}

/** Has the link with the token whose drafts may run in this tab. */
const AGREED_KEY = 'handrail-run-drafts'

/** Has what Studio opened the page for: a person who shows it goes from page to page. */
const WANTED_KEY = 'handrail-wanted'

/** Keeps a link or token for the tab; undefined: forgets it. */
export function keep(value: string | undefined): void {
  keepInTab(PREVIEW_KEY, value)
  if (value === undefined) {
    keepInTab(AGREED_KEY, value)
    keepInTab(WANTED_KEY, value)
  }
}

/** What Studio opened the page for, as a link says it, or as the tab has kept it; empty: for nothing of its own. */
export function wantedBy(link: string): string {
  const [opening = '', ...parts] = link.split('&')
  const query = parts.join('&')
  // What the tab has kept has a token, or the text of the tab. Another link is for something else.
  if (!opening.includes(TAB)) keepWanted(query)
  return query || keptInTab(WANTED_KEY) || ''
}

/** Keeps for the tab what Studio opened the page for; empty: forgets it. */
export function keepWanted(query: string): void {
  keepInTab(WANTED_KEY, query || undefined)
}
