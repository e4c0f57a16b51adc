import {isNothing, type Outcome} from '../../schemas/calls/counts.ts'
import {errorText, hashText} from '../../schemas/calls/errorText.ts'
import type {Call, Progress} from '../calls.ts'
import {isObject, membersOf} from '../members.ts'
import {messageOf} from '../messageOf.ts'
import {Sender} from './sender.ts'

/** What is known of a call of a tool or form tool. */
export type Counted = {
  readonly name: string
  /** `afterConsent`: counted once the page says that the visitor consents. */
  readonly reportCalls: unknown
  readonly siteUrl: string
}

export type Finish = (outcome: Outcome, message?: unknown) => void

/** By the address of the site. */
export const senders = new Map<string, Sender>()

/** What ends each call that has not ended, by its progress, or the event that sent its form. */
export const running = new Map<object, Finish>()

const {handrail} = window
let isAllowed = handrail?.mayReport

if (handrail?.sites) {
  const others = handrail.reportCalls
  handrail.reportCalls = (given) => {
    others?.call(handrail, given)
    // Libraries for consent may pass undefined.
    isAllowed = !!given
    if (!isAllowed) for (const sender of senders.values()) sender.discard()
  }
}

export function mayReport({reportCalls}: Pick<Counted, 'reportCalls'>): boolean {
  return isAllowed ?? reportCalls === 'on'
}

export function end(
  {name, reportCalls, siteUrl}: Counted,
  outcome: Outcome,
  duration: number,
  hash?: string,
): void {
  const event = new CustomEvent('handrail:call', {detail: {tool: name, outcome, duration}})
  EventTarget.prototype.dispatchEvent.call(document, event)
  if (!mayReport({reportCalls})) return
  const sender = senders.get(siteUrl) ?? new Sender(siteUrl)
  senders.set(siteUrl, sender)
  sender.add({tool: name, outcome, duration, hash})
}

/** @returns what ends a call, once. `time`: a question to the visitor moves its start. */
export function begin(
  key: object,
  call: Counted,
  time: {readonly startedAt: number},
  args?: unknown,
): Finish {
  const finish: Finish = (outcome, message) => {
    if (!running.delete(key)) return
    const hash = outcome === 'error' ? hashText(errorText(`${message}`, args)) : undefined
    end(call, outcome, Math.max(0, performance.now() - time.startedAt), hash)
  }
  running.set(key, finish)
  return finish
}

/** Ends a call with what its tool or its page returns. */
export function endWith(result: Promise<unknown>, finish: Finish, progress: {readonly step: number}): void {
  result
    .then((value) => {
      const {isError, content} = membersOf(value)
      const [first]: unknown[] = Array.isArray(content) ? content : []
      // What cannot become JSON is an error for the agent, too.
      if (isObject(value)) JSON.stringify(value)
      if (isError === true) finish('error', membersOf(first).text)
      else finish(isNothing(value) ? 'none' : 'ok')
    })
    .catch((error) => {
      const message = messageOf(error)
      finish(outcomeOf(progress.step, message), message)
    })
    .catch(() => finish('error'))
}

/** Counts a call when it ends, or as cancelled when the page is left. */
export function follow(
  {tool, args, options, siteUrl}: Call,
  result: Promise<unknown>,
  progress: Progress,
): void {
  const {name, reportCalls} = tool
  const finish = begin(progress, {name, reportCalls, siteUrl}, progress, args)
  // A script may ignore the signal.
  const {signal} = options
  signal.addEventListener('abort', () => finish('cancelled'))
  if (signal.aborted) finish('cancelled')
  endWith(result, finish, progress)
}

/** How a call failed. What was said during the question to the visitor is in `ask/main.ts`, other words in `conditions/main.ts`. */
function outcomeOf(step: number, message: string): Outcome {
  if (step < 2 && message.startsWith('This tool is not offered')) return 'declined'
  if (step < 2 && message.startsWith('The page changed.')) return 'cancelled'
  if (step === 0) return 'refused'
  return step === 1 && message.startsWith('The visitor') ? 'declined' : 'error'
}
