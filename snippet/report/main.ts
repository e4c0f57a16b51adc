import {isNothing, type Outcome} from '../../schemas/calls/counts.ts'
import {errorText, hashText} from '../../schemas/calls/errorText.ts'
import type {Call, Progress} from '../calls.ts'
import type {FormTool} from '../config.ts'
import {membersOf} from '../members.ts'
import {messageOf} from '../messageOf.ts'
import {addEventListener, contextOf, getAttribute} from '../page.ts'
import {Sender} from './sender.ts'

/** What is known of a call of a tool or form tool. */
type Running = {
  readonly name: string
  /** `afterConsent`: counted once the page says that the visitor consents. */
  readonly reportCalls: unknown
  readonly siteUrl: string
  readonly startedAt: number
}

/** By the address of the site. */
const senders = new Map<string, Sender>()

/** What ends each call that has not ended, by its progress, or by the name of its form. */
const running = new Map<object | string, (outcome: Outcome) => void>()

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

function end({name, reportCalls, siteUrl, startedAt}: Running, outcome: Outcome, hash?: string): void {
  const duration = Math.max(0, Date.now() - startedAt)
  const event = new CustomEvent('handrail:call', {detail: {tool: name, outcome, duration}})
  EventTarget.prototype.dispatchEvent.call(document, event)
  if (!(isAllowed ?? reportCalls === 'on')) return
  const sender = senders.get(siteUrl) ?? new Sender(siteUrl)
  senders.set(siteUrl, sender)
  sender.add({tool: name, outcome, duration, hash})
}

/** Counts a call when it ends, or as cancelled when the page is left. */
export function follow(
  {tool, args, options, siteUrl}: Call,
  result: Promise<unknown>,
  progress: Progress,
): void {
  const {name, reportCalls} = tool
  const {startedAt} = progress
  const finish = (outcome: Outcome, message?: unknown) => {
    if (!running.delete(progress)) return
    const hash = outcome === 'error' ? hashText(errorText(`${message}`, args)) : undefined
    end({name, reportCalls, siteUrl, startedAt}, outcome, hash)
  }
  running.set(progress, finish)
  // A script may ignore the signal.
  const {signal} = options
  signal.addEventListener('abort', () => finish('cancelled'))
  if (signal.aborted) finish('cancelled')
  result.then(
    (value) => {
      const {isError, content} = membersOf(value)
      const [first]: unknown[] = Array.isArray(content) ? content : []
      if (isError === true) finish('error', membersOf(first).text)
      else finish(isNothing(value) ? 'none' : 'ok')
    },
    (error) => {
      const message = messageOf(error)
      finish(outcomeOf(progress.step, message), message)
    },
  )
}

/** How a call failed. What was said during the question to the visitor is in `ask/main.ts`, other words in `conditions/main.ts`. */
function outcomeOf(step: number, message: string): Outcome {
  if (step < 2 && message.startsWith('This tool is not offered')) return 'declined'
  if (step < 2 && message.startsWith('The page changed.')) return 'cancelled'
  if (step === 0) return 'refused'
  return step === 1 && message.startsWith('The visitor') ? 'declined' : 'error'
}

type Form = Omit<Running, 'startedAt'>

const forms = new Map<unknown, Form>()

/** The names of forms that were sent before the browser said that an agent uses them: it does so afterwards, if it sends them itself. */
const sent = new Set<string>()

/** The browser calls form tools: from the time when an agent has filled in a form until it is sent. */
export function watchForms(siteUrl: string, formTools: readonly FormTool[]): void {
  for (const [name, form] of forms) if (form.siteUrl === siteUrl) forms.delete(name)
  for (const {name, reportCalls} of formTools) if (reportCalls) forms.set(name, {name, reportCalls, siteUrl})
}

function beginForm(event: Event): void {
  const form = forms.get(Reflect.get(event, 'toolName'))
  if (!form || sent.delete(form.name)) return
  const startedAt = Date.now()
  running.set(form.name, (outcome) => {
    running.delete(form.name)
    end({...form, startedAt}, outcome)
  })
}

function sendForm({agentInvoked, target}: SubmitEvent): void {
  const name = agentInvoked && target instanceof Element && getAttribute.call(target, 'toolname')
  if (!name) return
  const form = forms.get(name)
  // The config may have changed since it began.
  const finish = running.get(name)
  if (finish) finish('ok')
  else if (form) {
    sent.add(name)
    end({...form, startedAt: Date.now()}, 'ok')
  }
}

const context = contextOf()
context?.addEventListener?.('toolactivated', beginForm)
context?.addEventListener?.('toolcancel', (event) =>
  running.get(Reflect.get(event, 'toolName'))?.('cancelled'),
)
addEventListener('submit', sendForm, true)
// Chromium cancels the call of a form that is reset, without `toolcancel`. Pages also reset forms that were sent.
addEventListener(
  'reset',
  ({target}) =>
    target instanceof Element && running.get(`${getAttribute.call(target, 'toolname')}`)?.('cancelled'),
  true,
)
addEventListener('pagehide', () => {
  for (const finish of [...running.values()]) finish('cancelled')
  for (const sender of senders.values()) sender.flush()
})
