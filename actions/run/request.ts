import {type AddressCall, type AddressFeatures, addressOf} from './address.ts'
import {TIMEOUT} from './bounds.ts'
import type {ValueAt} from './json.ts'
import {type Column, checkSignIn, failedWith, isOf, type NothingCall, textIn, unanswered} from './outcome.ts'
import type {RequestPlan} from './plan.ts'
import {type SaidIn, stop} from './said.ts'
import {pairsOf, sentOf} from './values.ts'

/** What a request needs of the page. */
type RequestHost = {
  readonly signal: AbortSignal
  readonly fetch: (address: URL, init: RequestInit) => Promise<Response>
}

/** The functions that a request needs. */
export type RequestFeatures = AddressFeatures &
  Pick<NothingCall, 'named'> & {
    readonly column: Column
    /** What an agent gets of an answer. */
    readonly result: (response: Response, call: Call) => Promise<unknown>
    readonly asked?: typeof askedHeaders
    readonly sent?: (call: SentCall) => RequestInit
    readonly said: SaidIn
    readonly valueIn: ValueAt
  }

/** What is sent, with what it is made of. */
type SentCall = RequestPlan & AddressCall

/** A request with all that it needs. */
export type RequestCall = SentCall & RequestFeatures & RequestHost

/** A request that was sent. Its signal ends it, for the agent or because time is over. */
export type Call = RequestCall & {
  /** The agent's. */
  readonly ended: AbortSignal
  /** Says that the website was not reached in time. */
  readonly fail: () => never
}

/** All headers, if the page has a part in them. */
export function askedHeaders(call: SentCall): RequestInit {
  return {headers: {...call.init?.headers, ...Object.fromEntries(pairsOf(call.askedHeaders, call))}}
}

/** A body of JSON. */
export function sentJson(call: SentCall): RequestInit {
  return {body: JSON.stringify(sentOf(call.body ?? '', call))}
}

/** A form, as in an address. */
export function sentForm(call: SentCall): RequestInit {
  return {body: new URLSearchParams(pairsOf(call.form, call))}
}

/** A form in parts. */
export function sentInParts(call: SentCall): RequestInit {
  const body = new FormData()
  for (const [name, text] of pairsOf(call.form, call)) body.append(name, text)
  return {body}
}

/**
 * Sends a request, and returns what an agent gets.
 * @throws Error with what the agent reads
 */
export async function runRequest(call: RequestCall): Promise<unknown> {
  // As a method of the call, it would be called with the call as its `this`.
  const {fetch, signal: ended, column} = call
  const address = addressOf(call)
  const timeout = AbortSignal.timeout(TIMEOUT)
  const signal = AbortSignal.any([ended, timeout])
  const fail = (): never => {
    ended.throwIfAborted()
    return stop(unanswered(timeout.aborted, column))
  }
  const response = await fetch(address, {
    ...call.init,
    ...call.asked?.(call),
    ...call.sent?.(call),
    signal,
  }).catch(fail)
  const {status} = response
  if (response.ok) {
    checkSignIn(response, column)
    return call.result(response, {...call, signal, ended, fail})
  }
  const words = await textIn(response)
    .then((text) => call.said(isOf(response, 'plain') ? text : JSON.parse(text), call))
    .catch(() => ended.throwIfAborted() ?? '')
  return status === 404 && call.isLookup ? column.none(call, words) : stop(words + failedWith(status, column))
}
