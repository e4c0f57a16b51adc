import {type AddressCall, type AddressFeatures, addressOf} from './address.ts'
import {TIMEOUT_SECONDS} from './bounds.ts'
import type {ValueAt} from './json.ts'
import {type Column, checkSignIn, failedWith, isOf, nothingFor, textIn, unanswered} from './outcome.ts'
import type {RequestPlan} from './plan.ts'
import {type SaidIn, stop} from './said.ts'
import {pairsOf, sentOf} from './values.ts'

/** What a request needs of the page. */
type RequestHost = {
  readonly signal: AbortSignal
  readonly fetch: (address: URL, init: RequestInit) => Promise<Response>
}

/** The functions that a request needs. */
export type RequestFeatures = AddressFeatures & {
  readonly column: Column
  /** What an agent gets of an answer. */
  readonly result: (response: Response, call: Call) => Promise<unknown>
  readonly sent?: (call: SentCall) => RequestInit
  readonly said?: SaidIn
  readonly valueIn?: ValueAt
}

/** What is sent, with what it is made of. */
type SentCall = RequestPlan & AddressCall & Pick<RequestFeatures, 'sent'>

/** A request with all that it needs. */
export type RequestCall = SentCall & RequestFeatures & RequestHost

/** A request that was sent. Its signal ends it, for the agent or because time is over. */
export type Call = RequestCall & {
  /** The agent's. */
  readonly ended: AbortSignal
  /** Says that the website was not reached in time. */
  readonly fail: () => never
  /** What the website says about it, with a space after it. */
  readonly say: (answer: unknown) => string
}

/** Headers and a body that arguments or the page have a part in. */
export function sent(call: SentCall): RequestInit {
  const {body, form} = call
  return {
    headers: {...call.headers, ...Object.fromEntries(pairsOf(call.askedHeaders, call))},
    ...(body
      ? {body: JSON.stringify(sentOf(body, call))}
      : form && {body: new URLSearchParams(pairsOf(form, call))}),
  }
}

/** Headers, and a form in parts. */
export function sentInParts(call: SentCall): RequestInit {
  const body = new FormData()
  for (const [name, text] of pairsOf(call.form, call)) body.append(name, text)
  return {...sent({...call, form: []}), body}
}

/**
 * Sends a request, and returns what an agent gets.
 * @throws Error with what the agent reads
 */
export async function runRequest(call: RequestCall): Promise<unknown> {
  // As a method of the call, it would be called with the call as its `this`.
  const {fetch, signal: ended, column, headers = {}} = call
  const address = addressOf(call)
  const request = {...call.init, headers, ...call.sent?.(call)}
  const timeout = AbortSignal.timeout(TIMEOUT_SECONDS * 1_000)
  const signal = AbortSignal.any([ended, timeout])
  const fail = (): never => {
    ended.throwIfAborted()
    return stop((!timeout.aborted && call.unreached) || unanswered(timeout.aborted, column))
  }
  const say = (answer: unknown) => {
    try {
      return call.said?.(answer, call.error) ?? ''
    } catch {
      // JSON that is too deep says nothing.
      return ''
    }
  }
  const response = await fetch(address, {...request, signal}).catch(fail)
  const {status} = response
  if (response.ok) {
    checkSignIn(response, column)
    return call.result(response, {...call, signal, ended, fail, say})
  }
  const words = await textIn(response)
    .then((text) => say(isOf(response, 'plain') ? text : JSON.parse(text)))
    .catch(() => ended.throwIfAborted() ?? '')
  return status === 404 && call.isLookup ? nothingFor(call, words) : stop(words + failedWith(status, column))
}
