import {type AddressFeatures, addressOf} from './address.ts'
import type {ValueAt} from './json.ts'
import {type Column, failedWith, nothingFor, slow, stop, TIMEOUT_SECONDS} from './outcome.ts'
import type {Arguments, RequestPlan} from './plan.ts'
import type {SaidIn} from './said.ts'
import {type Reader, readerOf, type ValuesOfPage} from './values.ts'

/** What a request needs of the page. */
export type RequestHost = {
  readonly signal: AbortSignal
  readonly fetch: (address: URL, init: RequestInit) => Promise<Response>
  readonly document: ValuesOfPage
  readonly origin: string
}

/** A request that was sent. */
export type Call = RequestFeatures & {
  readonly plan: RequestPlan
  readonly args: Arguments
  readonly host: RequestHost
  readonly address: URL
  /** Ends the request, for the agent or because time is over. */
  readonly signal: AbortSignal
  /** Fails with a problem, or says that time is over. */
  readonly fail: (problem: string) => never
  /** What the website says about it, with a space after it. */
  readonly say: (answer: unknown) => string
}

type Send = (plan: RequestPlan, reader: Reader) => RequestInit

/** The functions that a request needs. */
export type RequestFeatures = AddressFeatures & {
  readonly column: Column
  /** What an agent gets of an answer. */
  readonly result: (response: Response, call: Call) => Promise<unknown>
  readonly sent?: Send
  readonly said?: SaidIn
  readonly at?: ValueAt
  /** @throws Error if the website refuses what it answers with status 200 */
  readonly refuse?: (answer: unknown, found: unknown, say: Call['say']) => void
}

/** Headers and a body that arguments or the page have a part in. */
export const sent: Send = ({init, headers, json, form}, {pairsOf, read}) => ({
  headers: {...Object(init?.headers), ...Object.fromEntries(pairsOf(headers))},
  ...(json ? {body: JSON.stringify(read(json))} : form && {body: new URLSearchParams(pairsOf(form))}),
})

/** Headers, and a form in parts. */
export const sentInParts: Send = ({init, headers, form}, {pairsOf}) => {
  const body = new FormData()
  for (const [name, text] of pairsOf(form)) body.append(name, text)
  return {headers: {...Object(init?.headers), ...Object.fromEntries(pairsOf(headers))}, body}
}

/**
 * What is sent with these arguments.
 * @throws Error with what the agent reads, if the page lacks a value
 */
export function requestOf(
  plan: RequestPlan,
  args: Arguments,
  {document, origin}: Pick<RequestHost, 'document' | 'origin'>,
  features: Omit<RequestFeatures, 'result' | 'column'>,
) {
  const reader = readerOf(args, document, features)
  return {
    address: addressOf(plan, reader, origin, features),
    init: {...plan.init, ...features.sent?.(plan, reader)},
  }
}

/**
 * Sends a request, and returns what an agent gets.
 * @throws Error with what the agent reads
 */
export async function runRequest(
  plan: RequestPlan,
  args: Arguments,
  host: RequestHost,
  features: RequestFeatures,
): Promise<unknown> {
  const {column, said} = features
  // A method of the host would be called with the host as its `this`.
  const {fetch} = host
  const {address, init} = requestOf(plan, args, host, features)
  const timeout = AbortSignal.timeout(TIMEOUT_SECONDS * 1_000)
  const signal = AbortSignal.any([host.signal, timeout])
  const fail = (problem: string): never => {
    host.signal.throwIfAborted()
    return stop(timeout.aborted ? slow(column) : problem)
  }
  const say = (answer: unknown) => said?.(answer, plan.error) ?? ''
  const response = await fetch(address, {...init, signal}).catch(() => fail(column.unreached(address)))
  const {ok, status} = response
  if (ok) return features.result(response, {...features, plan, args, host, address, signal, fail, say})
  const words = say(await response.json().catch(() => undefined))
  return status === 404 && plan.isLookup
    ? nothingFor(plan, args, words)
    : stop(words + failedWith(status, column))
}
