import type {Came} from '../../../actions/onPage.ts'
import {pageIn} from '../../../actions/run/html/otherPages.ts'
import {exact} from '../../../actions/run/json.ts'
import {isInAnswers} from '../../../making/answers.ts'
import {operationsIn, type Row} from '../../../making/exchange.ts'
import {harmlessHeaders} from '../../../making/headers.ts'
import {inputsOf, SHORTEST_TOKEN} from '../../../making/inputs.ts'
import type {Exchange} from '../../../making/values.ts'
import type {PageValue} from '../../../schemas/actions/row.ts'
import {secretKindOf} from '../../../schemas/rules/names/secrets.ts'
import {idsHere} from '../../forms/thisPage.ts'
import {placeInPage} from './pageValues.ts'
import type {Typed} from './typed.ts'

/** What the page sends. */
export type Note = {
  readonly method: string
  readonly address: string
  readonly body?: string
  /** The headers that the page sets. Their values are secrets: who takes them keeps none. */
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** The response to a request. */
export type Answer = Came & {
  /** Of the request, if it was not known before. */
  readonly body?: string
}

/** A request of the page. */
export type Recorded = {
  readonly id: number
  readonly exchange: Exchange
  /** The names of the headers that the page set. */
  readonly headers: readonly string[]
  /** Those whose values stand on the page. */
  readonly sent: readonly Row[]
  /** Where values of the address and the body stand on the page. */
  readonly places: ReadonlyMap<string, PageValue>
  /** What told the page from pages like it. */
  readonly ids: readonly string[]
  readonly status?: number
  /** What came of a request that may not be sent again. */
  readonly came?: Came | undefined
  /** The page that is the answer of a request which may not be sent again. */
  readonly page?: Document | undefined
  /** The text of what a person pressed just before. */
  readonly pressed: string
  /** Why there is no answer; undefined: it is there, or there is nothing in it. */
  readonly missing: keyof typeof MISSING | undefined
}

/** Why there is no answer. */
export const MISSING = {
  waiting: 'Waiting for the answer…',
  failed: 'The request failed, or the page’s policy blocked it.',
  large: 'The answer is too large for a tool.',
  page: 'The answer is a page.',
  binary: 'The answer has nothing that a tool can return.',
  unreadable: 'The other website does not let this page read the answer.',
  timeline:
    'Its answer is missing: the page sent it before you opened this tab, or in a way that cannot be recorded. Do the same on the page again.',
  worker:
    'The page runs this script as a worker, whose requests cannot be seen here: copy them from the developer tools.',
} as const

/** The newest are kept. */
const MAX_EXCHANGES = 30

/** Characters of an answer: reading a longer one would slow the page down. */
const MAX_ANSWER = 4_000_000

/** The requests of the page, newest first. They stay in the memory of the tab. */
export class Exchanges {
  list: readonly Recorded[] = []
  /** What a person typed into the page, once it is watched. */
  typed: Typed | undefined
  #seen: readonly {readonly address: string; readonly at: number}[] = []
  readonly #changed: () => void
  #lastId = 0
  #isUnlisted = false

  /** @param changed called when the list has changed */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** Adds a request that has begun, or that the timeline has. */
  begin(
    {headers, ...exchange}: Note,
    missing: Recorded['missing'] = 'waiting',
    at = performance.now(),
  ): number {
    this.#lastId += 1
    this.#seen = [{address: exchange.address, at}, ...this.#seen].slice(0, MAX_SEEN)
    if (!this.#isUnlisted) {
      const names = headers.map(([name]) => name)
      const found = {sent: this.#sentOf(exchange, headers), places: this.#placesIn(exchange)}
      const pressed = this.typed?.pressed() ?? ''
      const ids = idsHere()
      const recorded = {id: this.#lastId, exchange, headers: names, ...found, ids, pressed, missing}
      this.#set([recorded, ...this.list].slice(0, MAX_EXCHANGES))
    }
    return this.#lastId
  }

  /** The headers that a tool can send as well. Their values change, and are looked up before the answer changes them. */
  #sentOf(exchange: Exchange, headers: Note['headers']): Row[] {
    const harmless = harmlessHeaders(headers)
    if (!isOfPage(exchange)) return harmless
    const earlier = this.list.map((one) => one.exchange)
    return headers.flatMap(([name, value]): Row[] => {
      if (harmless.some((one) => one.name === name)) return [{name, value}]
      const isGiven = !secretKindOf(name) && isInAnswers(value, earlier)
      const place = value.length < SHORTEST_TOKEN || isGiven ? undefined : this.#placeOf(value)
      return place ? [{name, ...place}] : []
    })
  }

  /** Where a value stands on the page, unless a person typed it. */
  #placeOf(value: string): PageValue | undefined {
    const isTyped = this.typed?.texts().includes(value) || this.typed?.secrets().includes(value)
    return isTyped ? undefined : placeInPage(value)
  }

  #placesIn(exchange: Exchange): Map<string, PageValue> {
    const places = new Map<string, PageValue>()
    const placeOf = (value: string) => {
      const place = this.#placeOf(value)
      if (place) places.set(value, place)
      return place
    }
    if (isOfPage(exchange)) inputsOf(exchange, [], [], {placeOf})
    return places
  }

  /** Sends a request that is not listed: a tool that is tried is not the page. */
  readonly unlisted = <T>(send: () => T): T => {
    this.#isUnlisted = true
    try {
      return send()
    } finally {
      this.#isUnlisted = false
    }
  }

  /** Adds the answer, or why no tool can use it. */
  answer(id: number, {body, ...came}: Answer): void {
    const {status, contentType, text} = came
    const isLarge = text.length > MAX_ANSWER
    const answer = isLarge ? undefined : answerIn(text, contentType)
    const missing = isLarge ? 'large' : answer === undefined ? unusable(status, contentType) : undefined
    this.#set(
      this.list.flatMap((one) => {
        if (one.id !== id) return [one]
        const whole = {...one.exchange, ...(body && {body}), answer}
        const places = body ? this.#placesIn(whole) : one.places
        const isMissing = whole.method === 'GET' || isLarge
        const page = !isMissing && missing === 'page' ? pageIn(text, one.exchange.address) : undefined
        return operationsIn(whole).map((exchange, at, all) => {
          if (at > 0) this.#lastId += 1
          const own = at > 0 ? this.#lastId : id
          const part = all.length > 1 ? {...came, text: JSON.stringify(exchange.answer) ?? ''} : came
          const known = {places, status, page, came: isMissing ? undefined : part}
          return {...one, id: own, exchange, ...known, missing: isMissing ? missing : undefined}
        })
      }),
    )
  }

  fail(id: number): void {
    this.#set(this.list.map((one) => (one.id === id ? {...one, missing: 'failed'} : one)))
  }

  /** What the page sent before, which may have given a value of a request. */
  earlierThan({id}: Recorded): Exchange[] {
    return this.list.flatMap((one) => (one.id < id ? [one.exchange] : []))
  }

  #set(list: readonly Recorded[]): void {
    this.list = list
    this.#changed()
  }

  /** Whether a request was recorded that began at this time. */
  has(address: string, at: number): boolean {
    return this.#seen.some((one) => one.address === address && Math.abs(one.at - at) < SAME_REQUEST)
  }
}

/** Headers that pages set of habit: they rarely decide what a server returns. */
export const USUAL_HEADERS = /^(?:accept|content-type|x-requested-with)$/i

/** Requests that are not listed a second time when the timeline has them. */
const MAX_SEEN = 300

/** Milliseconds between the call of `fetch` and the beginning of its request in the timeline. */
const SAME_REQUEST = 1_000

/** Why an answer has no data. That of another origin which does not let the page read it has no status. */
function unusable(status: number, contentType: string): 'page' | 'binary' | 'unreadable' {
  if (status === 0) return 'unreadable'
  return /html/i.test(contentType) ? 'page' : 'binary'
}

function isOfPage({address}: Exchange): boolean {
  return new URL(address).origin === location.origin
}

/** JSON, or a plain text; undefined: neither. */
function answerIn(text: string, contentType: string): unknown {
  // What Next.js and React Router send to their own scripts looks like JSON.
  if (/x-(?:component|script)/i.test(contentType)) return undefined
  if (/json/i.test(contentType) || /^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(exact(text))
    } catch {}
  }
  return /^text\/plain/i.test(contentType) && text.trim() !== '' ? text : undefined
}
